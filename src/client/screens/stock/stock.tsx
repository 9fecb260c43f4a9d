import { Button, NativeSelect } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import IconPackages from 'virtual:icons/packages';
import { useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  redirect,
  useLoaderData,
  useNavigation,
  useRevalidator,
  useSearchParams,
} from 'react-router';
import type { AnswerOf } from '#shared/http/call.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { stockFilters } from '#shared/stock/schema.ts';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import { addressOf as callAddress, askOver, CallError } from '#client/call.ts';
import { asking, toPage } from '#client/loading.ts';
import { useReloadEvery } from '#client/page-load/use-reload-every.ts';
import { servicesContext } from '#client/server-context.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { useMay } from '#client/shell/session.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import pills from '#client/ui/figures/pills.module.css';
import { formatTime } from '#client/ui/text/formats.ts';
import { HeldNotice } from './held-notice.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { SettingsForm } from './settings-form.tsx';
import {
  filterLabels,
  openedQuery,
  pageSizes,
  readQuery,
  type StockQuery,
  viewQuery,
  writeQuery,
} from './stock-query.ts';
import { StockTable } from './stock-table.tsx';
import classes from './stock.module.css';

type Content = { list: AnswerOf<typeof api.stock>; settings: AnswerOf<typeof api.stockSettings> };

/** Returns the catalogue in the URL, or the first one. */
const masterOf = <M extends { masterid: string }>(masters: readonly M[], { master }: StockQuery): M | undefined =>
  masters.find(({ masterid }) => masterid === master) ?? masters[0];

/** If the numbers cannot be loaded, the page still shows a red notice and the choice of the catalogue. */
export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const query = readQuery(new URL(args.request.url).searchParams);
  const masters = await ask(api.masters);
  const chosen = masterOf(masters, query);
  if (chosen === undefined) return { masters, master: undefined, content: null, message: '' };
  const params = { masterid: chosen.masterid };
  const { filter, search, page, size } = query;
  // `asking` would throw a page's failure.
  const attempt = askOver(args.context.get(servicesContext).fetchApi);
  let content: Content;
  try {
    const [list, settings] = await Promise.all([
      attempt(api.stock, { params, query: { filter, search, offset: page * size, limit: size } }),
      attempt(api.stockSettings, { params }),
    ]);
    content = { list, settings };
  } catch (error) {
    if (!(error instanceof CallError) || [401, 403].includes(error.status)) throw toPage(error, args.request);
    return { masters, master: chosen, content: null, message: error.message };
  }
  const last = Math.max(0, Math.ceil(content.list.total / size) - 1);
  // A page beyond the end, for example after an import of fewer articles, redirects to the last one.
  if (page > last) throw redirect(`${pages.stock.path}?${writeQuery({ ...query, page: last }).toString()}`);
  return { masters, master: chosen, content, message: '' };
}

/** How many pieces of each article may be sold, what every channel offers and shows, and why. */
export default function StockPage() {
  const { masters, master, content, message } = useLoaderData<typeof loader>();
  const [address, setAddress] = useSearchParams();
  const query = readQuery(address);
  const { revalidate } = useRevalidator();
  const requested = readQuery(useAskedAddress());
  const goTo = (changed: Partial<StockQuery>) =>
    setAddress(writeQuery({ ...requested, page: 0, ...changed }), { preventScrollReset: true });
  const known = useKnownContent(master?.masterid, content);
  useReloadEvery(1000, known?.list.state.computing === true);
  return (
    <div className={classes.page}>
      <PageHeader
        title="Bestand"
        lead="Was vorhanden, reserviert und verfügbar ist, und was jeder Kanal davon anbietet."
        actions={
          master && (
            <>
              <HistoryLink subject="stock" scope={`master:${master.masterid}`} />
              <Button
                component="a"
                href={callAddress(api.stockCsv, { params: { masterid: master.masterid } })}
                download
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                Als CSV exportieren
              </Button>
            </>
          )
        }
      />
      {masters.length > 1 && (
        <NativeSelect
          label="Katalog"
          maw={380}
          value={master?.masterid}
          onChange={({ currentTarget }) => goTo({ master: currentTarget.value, search: '' })}
          data={masters.map(({ masterid, name }) => ({ value: masterid, label: name }))}
        />
      )}
      {master === undefined && (
        <EmptyState icon={IconPackages} title="Noch kein Katalog">
          <p>Legen Sie auf der Übersicht einen Katalog an; sein Bestandsfeld ist die Grundlage aller Zahlen hier.</p>
        </EmptyState>
      )}
      <ErrorNotice
        failure={master !== undefined && content === null ? { title: 'Fehler beim Laden', message } : null}
        onRetry={() => void revalidate()}
      />
      {master !== undefined && known !== null && (
        <Loaded
          key={master.masterid}
          masterid={master.masterid}
          content={known}
          failed={content === null}
          query={query}
          onQuery={goTo}
        />
      )}
    </div>
  );
}

/** Returns the content loaded last for a catalogue: its settings may be being edited when loading anew fails. */
function useKnownContent(masterid: string | undefined, content: Content | null): Content | null {
  const [known, setKnown] = useState({ masterid, content });
  const isNewer = known.masterid !== masterid || (content !== null && known.content !== content);
  if (isNewer) setKnown({ masterid, content });
  return isNewer ? content : known.content;
}

type LoadedProps = {
  masterid: string;
  content: Content;
  /** The numbers could not be loaded anew: old ones are not shown. */
  failed: boolean;
  query: StockQuery;
  onQuery: (changed: Partial<StockQuery>) => void;
};

function Loaded({ masterid, content: { list, settings }, failed, query, onQuery }: LoadedProps) {
  const { masters } = useLoaderData<typeof loader>();
  const { state, rows, channels, total } = list;
  const { revalidate } = useRevalidator();
  const busy = useNavigation().state === 'loading';
  const mayEdit = useMay('edit');
  const [item, setItem] = useState<string | null>(null);
  const requested = readQuery(useAskedAddress());
  const anew = () => void revalidate();
  return (
    <>
      {!failed && <HeldNotice masterid={masterid} state={state} mayRelease={mayEdit} onReleased={anew} />}
      <div role="status">{!failed && state.computing && <p>Die Bestände werden gerade berechnet …</p>}</div>
      {!failed && state.configured && (
        <>
          <nav className={pills.pills} aria-label="Filter">
            {stockFilters.map((filter) => (
              <Link
                key={filter}
                to={`${pages.stock.path}?${writeQuery({ ...requested, filter, page: 0 }).toString()}`}
                preventScrollReset
                className={pills.pill}
                aria-current={filter === query.filter ? 'page' : undefined}
              >
                {filterLabels[filter]}
              </Link>
            ))}
          </nav>
          <div className={classes.tools}>
            <div className={classes.search}>
              <SearchField label="Artikelnummer" search={query.search} onSearch={(search) => onQuery({ search })} />
            </div>
            <StockViews query={query} />
            {state.source_at !== null && (
              <span className="k-muted k-small">Quelle vom {formatTime(state.source_at)}</span>
            )}
          </div>
          {rows.length > 0 && (
            <>
              <StockTable rows={rows} channels={channels} busy={busy} onAsk={setItem} />
              <Pager
                page={query.page}
                size={query.size}
                total={total}
                sizes={pageSizes}
                noun="Artikeln"
                onPage={(page) => onQuery({ page })}
                onSize={(size) => onQuery({ size })}
              />
            </>
          )}
          {rows.length === 0 && !state.computing && (
            <EmptyState icon={IconPackages} title="Kein Artikel gefunden">
              <p>Unter „{filterLabels[query.filter]}“ steht kein Artikel, der zu Ihrer Suche passt.</p>
            </EmptyState>
          )}
        </>
      )}
      {!state.configured && (
        <EmptyState icon={IconPackages} title="Noch kein Bestandsfeld">
          <p>
            Sagen Sie unten, in welchem Feld des Katalogs der Bestand steht. Kontor zieht offene Bestellungen ab und
            rechnet aus, was jeder Kanal anbieten darf.
          </p>
        </EmptyState>
      )}
      <SettingsForm
        masterid={masterid}
        loaded={settings}
        mayEdit={mayEdit}
        leftBy={(search) => masterOf(masters, readQuery(search))?.masterid !== masterid}
        onSaved={anew}
      />
      <ReasonDialog masterid={masterid} item={item} channels={channels} onClose={() => setItem(null)} />
    </>
  );
}

/** The list's saved views; each names its catalogue. */
function StockViews({ query }: { query: StockQuery }) {
  const { masters, master } = useLoaderData<typeof loader>();
  const [address, setAddress] = useSearchParams();
  return (
    <SavedViews
      table="stock"
      query={viewQuery({ ...query, master: master?.masterid ?? '' })}
      opened={query.savedView}
      untouched={address.size === 0}
      fit={(stored) => {
        const view = readQuery(stored);
        const known = masters.some(({ masterid }) => masterid === view.master);
        const shown = { ...view, master: known ? view.master : (master?.masterid ?? '') };
        return { query: viewQuery(shown), gone: known ? [] : ['der Katalog'] };
      }}
      onOpen={(view, savedView, replace) =>
        setAddress(writeQuery(openedQuery(view, savedView, master?.masterid ?? '')), {
          preventScrollReset: true,
          replace,
        })
      }
    />
  );
}
