import { NativeSelect, Tabs } from '@mantine/core';
import { useMemo } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { PrintHead } from '#client/shell/print-head.tsx';
import { RangePicker } from '#client/ui/form/range-picker.tsx';
import pills from '#client/ui/figures/pills.module.css';
import { PageHeader } from '#client/ui/page-header.tsx';
import { MOST_DAYS } from '#shared/values/day-range.ts';
import { useToday } from '#client/ui/text/use-today.ts';
import { berlinDay, type DayRange } from '#client/ui/text/days.ts';
import { ArticleList } from './articles/article-list.tsx';
import { unsetArticleQuery } from './articles/selection/article-query.ts';
import {
  type ArticlesOf,
  dashboardPresets,
  dashboardTabs,
  last30Days,
  listIn,
  listWord,
  rangeIn,
  tabIn,
} from './dashboard-query.ts';
import classes from './dashboard.module.css';
import { Figures } from './figures/figures.tsx';
import { NoAccount } from './no-account.tsx';
import { MessagesTab } from './messages/messages-tab.tsx';
import { NoteList } from './notes/note-list.tsx';
import { useNotes } from './notes/use-notes.ts';
import { RanksTab } from './ranks/ranks-tab.tsx';
import { type OwnSeller, ownSellers } from './sellers/own-sellers.ts';
import { namedSellers } from './sellers/seller-rows.ts';
import { SellersTab } from './sellers/sellers-tab.tsx';
import { StatisticFrame } from './statistic-frame.tsx';
import { useSellerNames } from './use-seller-names.ts';
import { useStatistic } from './use-statistic.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { masterid = '' } = args.params;
  const [{ channels }] = await Promise.all([
    ask(api.marketplaceChannels),
    // Makes the page a 404 if the catalogue does not exist.
    ask(api.master, { params: { masterid } }),
  ]);
  return { masterid, today: berlinDay(new Date()), sellers: ownSellers(channels, masterid) };
}

/** The page itself requests the figures; another tab or other days need not reload it. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

const labels = {
  nachrichten: 'Nachrichten',
  raenge: 'BuyBox Anteil je Rang',
  haendler: 'Händler BuyBox Anteil',
  artikel: 'Artikelliste',
} as const;

/** Changes single URL parameters and keeps the others; '' removes one. */
function useGo() {
  const [search, setSearch] = useSearchParams();
  return (changed: Record<string, string>) => {
    const next = new URLSearchParams(search);
    for (const [key, value] of Object.entries(changed)) {
      if (value === '') next.delete(key);
      else next.set(key, value);
    }
    // A list of articles counts as a page of its own, and begins at its top.
    setSearch(next, { preventScrollReset: !('liste' in changed) });
  };
}

/** RDA: what the repricer did, and how our offers compare with others. The view is kept in the URL. */
export default function RepricerDashboard() {
  const { masterid, sellers, today: loaded } = useLoaderData<typeof loader>();
  const today = useToday(loaded);
  const [search] = useSearchParams();
  const go = useGo();
  const seller = sellers.find(({ id }) => id === search.get('verkaeufer')) ?? sellers[0];
  const list = listIn(search);
  const mayAdmin = useMay('admin');
  return (
    <div className="k-stack">
      <PrintHead range={rangeIn(search) ?? last30Days.of(today)} />
      <PageHeader
        title="Repricer-Dashboard"
        lead="Was der Repricer getan hat, und wie Ihre Angebote neben denen anderer stehen."
      />
      {seller === undefined ? (
        <NoAccount mayAdmin={mayAdmin} />
      ) : (
        <>
          <SellerChoice sellers={sellers} seller={seller} onSeller={(id) => go({ verkaeufer: id })} />
          {list === undefined ? (
            <Overview key={masterid} masterid={masterid} seller={seller} today={today} />
          ) : (
            <ArticleList
              masterid={masterid}
              sellerId={seller.id}
              of={list}
              onBack={() => go({ liste: '', ...unsetArticleQuery })}
            />
          )}
        </>
      )}
    </div>
  );
}

function Overview({ masterid, seller, today }: { masterid: string; seller: OwnSeller; today: string }) {
  const [search] = useSearchParams();
  const go = useGo();
  const range = rangeIn(search) ?? last30Days.of(today);
  const tab = tabIn(search);
  const statistic = useStatistic(masterid, range);
  const names = useSellerNames(masterid);
  const notes = useNotes();
  const rivals = statistic.shown?.data.buyboxdata.compdata;
  const sellers = useMemo(() => namedSellers(rivals ?? [], seller.id, names), [rivals, seller.id, names]);
  const onList = (of: ArticlesOf) => of.kind !== 'all' && go({ ...unsetArticleQuery, liste: listWord(of) });
  return (
    <>
      <Figures {...{ masterid, today, onList }} sellerId={seller.id} sellers={rivals === undefined ? null : sellers} />
      <Tabs value={tab} onChange={(value) => go({ tab: value ?? '' })} keepMounted={false} variant="none">
        <Tabs.List className={`${pills.pills} ${classes.tabs}`} aria-label="Ansichten">
          {dashboardTabs.map((name) => (
            <Tabs.Tab key={name} value={name} className={pills.pill}>
              {labels[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="nachrichten" className="k-stack">
          <Range range={range} today={today} />
          <StatisticFrame statistic={statistic}>
            {(shown) => <MessagesTab shown={shown} notes={notes.notes} onReload={statistic.reload} />}
          </StatisticFrame>
          <NoteList notes={notes} range={range} today={today} />
        </Tabs.Panel>
        <Tabs.Panel value="raenge" className="k-stack">
          <Range range={range} today={today} />
          <StatisticFrame statistic={statistic}>
            {(shown) => (
              <RanksTab
                masterid={masterid}
                shown={shown}
                sellerId={seller.id}
                notes={notes.notes}
                onList={onList}
                onReload={statistic.reload}
              />
            )}
          </StatisticFrame>
          <NoteList notes={notes} range={range} today={today} />
        </Tabs.Panel>
        <Tabs.Panel value="haendler" className="k-stack">
          <StatisticFrame statistic={statistic}>
            {({ at }) => <SellersTab {...{ masterid, seller, sellers, at, onList }} onReload={statistic.reload} />}
          </StatisticFrame>
        </Tabs.Panel>
        <Tabs.Panel value="artikel">
          <ArticleList masterid={masterid} sellerId={seller.id} of={{ kind: 'all' }} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** RDA-01: which days are shown. */
function Range({ range, today }: { range: DayRange; today: string }) {
  const [search] = useSearchParams();
  const go = useGo();
  return (
    <div className={classes.range}>
      <RangePicker
        range={range}
        presets={dashboardPresets}
        mostDays={MOST_DAYS}
        today={today}
        chosen={search.get('zeitraum')}
        onRange={({ start, end }, label) => go({ von: start, bis: end, zeitraum: label })}
      />
    </div>
  );
}

type SellerChoiceProps = { sellers: readonly OwnSeller[]; seller: OwnSeller; onSeller: (id: string) => void };

/** Chooses one of our own seller ids, if there are several. */
function SellerChoice({ sellers, seller, onSeller }: SellerChoiceProps) {
  return (
    sellers.length > 1 && (
      <NativeSelect
        className={classes.choice}
        label="Eigene Verkäuferkennung"
        value={seller.id}
        onChange={({ currentTarget }) => onSeller(currentTarget.value)}
        data={sellers.map(({ id, accounts }) => ({
          value: id,
          label: `${id} · ${accounts.map((account) => account.name).join(', ')}`,
        }))}
      />
    )
  );
}
