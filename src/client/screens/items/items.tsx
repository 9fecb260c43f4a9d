import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useNavigation,
  useParams,
  useRevalidator,
  useSearchParams,
} from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Column, ItemPage } from '#shared/items/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { addressOf, askOver, CallError } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { toPage } from '#client/loading.ts';
import { servicesContext } from '#client/server-context.ts';
import { useMay } from '#client/shell/session.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { plainParagraphs } from '#client/ui/text/plain-text.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { ItemDrawer } from './item-drawer.tsx';
import classes from './items.module.css';
import { ItemsGrid } from './items-grid.tsx';
import { type ItemsQuery, pageSizes, readQuery, selectionOf, writeQuery } from './items-query.ts';
import { selectLocally } from './local-items.ts';
import { type Density, FilterChips, Toolbar } from './toolbar.tsx';
import { mostLocally, useAllItems } from './use-all-items.ts';

type Loaded = { page: ItemPage | null; message: string };

/** A grid that cannot be loaded is still a page: red alert, rows emptied (ITE-06). */
export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Loaded> {
  const query = readQuery(new URL(request.url).searchParams);
  const masterid = params['masterid'] ?? '';
  try {
    const page = await askOver(context.get(servicesContext).fetchApi)(api.items, {
      query: { ...selectionOf(masterid, query), offset: query.page * query.size, limit: query.size },
    });
    return { page, message: '' };
  } catch (error) {
    if (!(error instanceof CallError) || [401, 403, 404].includes(error.status)) throw toPage(error, request);
    return { page: null, message: error.message };
  }
}

/** Opening an item's card changes the address but not the page of items behind it. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search) return defaultShouldRevalidate;
  const of = (url: URL) => writeQuery(readQuery(url.searchParams)).toString();
  return of(currentUrl) !== of(nextUrl);
}

/** Keyed by the catalogue: loaded items, columns and filters belong to one. */
export default function ItemsPage() {
  const { masterid = '' } = useParams();
  return <Items key={masterid} masterid={masterid} />;
}

function Items({ masterid }: { masterid: string }) {
  const { page, message } = useLoaderData<typeof loader>();
  const [search, setSearch] = useSearchParams();
  const all = useAllItems(masterid);
  const [localQuery, setLocalQuery] = useState<ItemsQuery | null>(null);
  const [density, setDensity] = useState<Density>('normal');
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const mayEdit = useMay('edit');
  const opener = useRef<Element>(null);
  useEffect(() => {
    if (page === null) logFailure('Fehler beim Laden', message);
  }, [page, message]);

  const query = (all.rows === null ? null : localQuery) ?? readQuery(search);
  const itemId = search.get('artikel');
  const columns = withoutKeyTwice(page?.columns ?? []);
  const found = all.rows === null ? null : selectLocally(all.rows, columns, query);
  const total = found?.length ?? page?.total ?? 0;
  const failure = page === null ? { title: 'Fehler beim Laden', message } : all.failure;
  // ITE-06: after a failed load no rows are left that might pass for all of them.
  const onPage = found?.slice(query.page * query.size, (query.page + 1) * query.size) ?? page?.data ?? [];
  const rows = failure === null ? onPage : [];

  const goTo = (changed: Partial<ItemsQuery>) => {
    const next = { ...query, page: 0, ...changed };
    if (all.rows === null) setSearch(writeQuery(next), { preventScrollReset: true });
    else setLocalQuery(next);
  };
  const openItem = (id: string | null) => {
    if (itemId === null) opener.current = document.activeElement;
    setSearch(
      (now) => {
        if (id === null) now.delete('artikel');
        else now.set('artikel', id);
        return now;
      },
      { preventScrollReset: true },
    );
  };
  const reset = async () => {
    all.forget();
    setLocalQuery(null);
    setSearch({});
    await revalidate();
  };
  const selected = query.search !== '' || query.filters.length > 0;
  const busy = state === 'loading' || all.progress !== null;

  const title = formatCount(total, 'Datensatz', 'Datensätze');
  if (page !== null && total === 0 && !selected) return <Blank title={title} masterid={masterid} html={page.message} />;

  return (
    <div className={classes.page}>
      <PageHeader
        title={title}
        lead={selected ? 'passen zu Suche und Filter' : 'Alle Artikel des Katalogs'}
        actions={
          <>
            <LoadAll
              all={all}
              total={page?.total ?? 0}
              enough={total > query.size}
              onForget={() => setLocalQuery(null)}
            />
            <CsvLink masterid={masterid} query={query} />
          </>
        }
      />
      <ErrorNotice
        failure={failure}
        onRetry={() => void (page === null ? revalidate() : all.load())}
        onClose={all.failure === null ? undefined : all.forget}
      />
      <Toolbar
        density={density}
        onDensity={setDensity}
        search={query.search}
        onSearch={(text) => goTo({ search: text })}
      >
        <ColumnChooser
          key={JSON.stringify(page?.fields.map(({ show }) => show))}
          masterid={masterid}
          fields={page?.fields ?? []}
          mayEdit={mayEdit}
          onApplied={() => void reset()}
        />
      </Toolbar>
      <FilterChips
        filters={query.filters}
        titleOf={(field) =>
          columns.find(({ id }) => id === field)?.name ?? page?.fields.find(({ id }) => id === field)?.name ?? field
        }
        onRemove={(filter) => goTo({ filters: query.filters.filter((other) => other !== filter) })}
      />
      <LoadingBar busy={busy} progress={all.progress} />
      <ItemsGrid
        columns={columns}
        rows={rows}
        query={query}
        density={density}
        busy={state === 'loading'}
        onQuery={goTo}
        onOpen={openItem}
        empty={
          failure === null && (
            <NothingFound html={page?.message ?? ''} onReset={() => goTo({ search: '', filters: [] })} />
          )
        }
      />
      {total > 0 && failure === null && (
        <Pager
          page={query.page}
          size={query.size}
          total={total}
          sizes={pageSizes}
          noun="Datensätzen"
          onPage={(next) => goTo({ page: next })}
          onSize={(size) => goTo({ size })}
        />
      )}
      <ItemDrawer masterid={masterid} itemId={itemId} opener={opener} onOpen={openItem} />
    </div>
  );
}

/** The key field is the item number already; shown once more under its own name it would only take room. */
function withoutKeyTwice(columns: readonly Column[]): readonly Column[] {
  const key = columns.find(({ id }) => id === '_id');
  return columns.filter((column) => column === key || column.name !== key?.name);
}

type LoadingBarProps = { busy: boolean; progress: { done: number; total: number } | null };

function LoadingBar({ busy, progress }: LoadingBarProps) {
  const words = progress === null ? undefined : `${formatInteger(progress.done)} von ${formatInteger(progress.total)}`;
  return (
    <div className={classes.progress} data-busy={busy || undefined}>
      {busy && <ProgressBar label="lade Daten" done={progress?.done ?? 0} total={progress?.total ?? 0} words={words} />}
    </div>
  );
}

/** The download takes the filters and the order along. */
function CsvLink({ masterid, query }: { masterid: string; query: ItemsQuery }) {
  const href = addressOf(api.itemsCsv, { query: selectionOf(masterid, query) });
  return (
    <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
      Als CSV exportieren
    </Button>
  );
}

type LoadAllProps = { all: ReturnType<typeof useAllItems>; total: number; enough: boolean; onForget: () => void };

/** Loads the catalogue into the browser, where searching and sorting need no server; or gives it back. */
function LoadAll({ all, total, enough, onForget }: LoadAllProps) {
  if (all.rows !== null || all.progress !== null) {
    const forget = () => {
      all.forget();
      onForget();
    };
    return (
      <Button variant="default" onClick={forget}>
        {all.rows === null ? 'Laden abbrechen' : 'Geladene Artikel verwerfen'}
      </Button>
    );
  }
  if (!enough || total > mostLocally) return null;
  return (
    <Button
      variant="default"
      onClick={() => void all.load()}
      title="Danach suchen, filtern und sortieren Sie ohne Wartezeit"
    >
      Alle laden
    </Button>
  );
}

/** A catalogue without items: what the server says, as plain text, and the way on (ITE-06). */
function Blank({ title, masterid, html }: { title: string; masterid: string; html: string }) {
  return (
    <div className={classes.page}>
      <PageHeader title={title} />
      <ServerWords
        html={html}
        action={
          <Button component={Link} to={pathTo(pages.import, { masterid })}>
            Zum Import
          </Button>
        }
      />
    </div>
  );
}

/** A selection without items. */
function NothingFound({ html, onReset }: { html: string; onReset: () => void }) {
  return (
    <ServerWords
      html={html}
      action={
        <Button variant="default" onClick={onReset}>
          Suche und Filter zurücksetzen
        </Button>
      }
    />
  );
}

function ServerWords({ html, action }: { html: string; action: ReactNode }) {
  const [first = 'Keine Datensätze', ...more] = plainParagraphs(html);
  return (
    <EmptyState title={first} action={action}>
      {more.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </EmptyState>
  );
}
