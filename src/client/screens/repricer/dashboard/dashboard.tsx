import { NativeSelect, Tabs } from '@mantine/core';
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking } from '#client/loading.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { berlinDay } from '#client/ui/text/days.ts';
import { ArticleList } from './articles/article-list.tsx';
import { unsetArticleQuery } from './articles/list/article-query.ts';
import { dashboardTabs, listIn, tabIn } from './dashboard-query.ts';
import classes from './dashboard.module.css';
import { type OwnSeller, ownSellers } from './sellers.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { masterid = '' } = args.params;
  const [{ name }, { channels }] = await Promise.all([
    ask(api.master, { params: { masterid } }),
    ask(api.marketplaceChannels),
  ]);
  return { masterid, name, today: berlinDay(new Date()), sellers: ownSellers(channels, masterid) };
}

/** The figures are asked for by the tabs themselves; another tab or other days are no reason to load the page anew. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

const labels = {
  nachrichten: 'Nachrichten',
  raenge: 'BuyBox Anteil je Rang',
  haendler: 'Händler BuyBox Anteil',
  artikel: 'Artikelliste',
} as const;

/** RDA: what the repricer did, and how our offers stand beside those of others. What is shown stands in the address. */
export default function RepricerDashboard() {
  const { masterid, name, sellers } = useLoaderData<typeof loader>();
  const [search, setSearch] = useSearchParams();
  const seller = sellers.find(({ id }) => id === search.get('verkaeufer')) ?? sellers[0];
  const list = listIn(search);
  const go = (changed: Record<string, string>) => {
    const next = new URLSearchParams(search);
    for (const [key, value] of Object.entries(changed))
      if (value === '') next.delete(key);
      else next.set(key, value);
    setSearch(next, { preventScrollReset: true });
  };
  return (
    <div className="k-stack">
      <PageHeader title="Repricer-Dashboard" lead={`Was der Repricer im Katalog „${name}“ getan hat.`} />
      {seller === undefined ? (
        <EmptyState title="Noch kein Konto bei einem Marktplatz">
          Sobald der Katalog dort verkauft wird, stehen hier seine Zahlen.
        </EmptyState>
      ) : (
        <>
          <SellerChoice sellers={sellers} seller={seller} onSeller={(id) => go({ verkaeufer: id })} />
          {list === undefined ? (
            <Overview masterid={masterid} seller={seller} />
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

function Overview({ masterid, seller }: { masterid: string; seller: OwnSeller }) {
  const [search, setSearch] = useSearchParams();
  const go = (tab: string | null) => {
    const next = new URLSearchParams(search);
    next.set('tab', tab ?? '');
    setSearch(next, { preventScrollReset: true });
  };
  return (
    <Tabs value={tabIn(search)} onChange={go} keepMounted={false} variant="none">
      <Tabs.List className={classes.tabs} aria-label="Ansichten">
        {dashboardTabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab} className={classes.tab}>
            {labels[tab]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="artikel">
        <ArticleList masterid={masterid} sellerId={seller.id} of={{ kind: 'all' }} />
      </Tabs.Panel>
    </Tabs>
  );
}

type SellerChoiceProps = { sellers: readonly OwnSeller[]; seller: OwnSeller; onSeller: (id: string) => void };

/** Which of our own ids at marketplaces is shown, where there are several. */
function SellerChoice({ sellers, seller, onSeller }: SellerChoiceProps) {
  return (
    sellers.length > 1 && (
      <NativeSelect
        className={classes.seller}
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
