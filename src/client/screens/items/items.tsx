import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { useEffect } from 'react';
import {
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useNavigation,
  useParams,
  useRevalidator,
  useSearchParams,
} from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ItemPage } from '#shared/items/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { addressOf, askOver, CallError } from '#client/call.ts';
import { sameValue } from '#client/editor/same-value.ts';
import { logFailure } from '#client/failure.ts';
import { toPage } from '#client/loading.ts';
import { usePreference } from '#client/preferences.ts';
import { servicesContext } from '#client/server-context.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { ItemDrawer } from '#client/screens/items/card/item-drawer.tsx';
import { BesideFacets } from './facets/beside-facets.tsx';
import { FacetButton } from './facets/facet-button.tsx';
import facetClasses from './facets/item-facets.module.css';
import { RuleLink } from './facets/rule-link.tsx';
import classes from './items.module.css';
import { ItemsGrid } from './items-grid.tsx';
import { columnsOf, type ItemsQuery, lastPage, pageSizes, readQuery, selectionOf, writeQuery } from './items-query.ts';
import { ItemViews } from './item-views.tsx';
import { LoadAll } from './all-items/load-all.tsx';
import { isAnsweredLocally, isReloadDue } from './all-items/local-answers.ts';
import { useFreshItems } from './all-items/use-fresh-items.ts';
import { Blank, NoMatches } from './no-items.tsx';
import { FilterChips, Toolbar } from './toolbar.tsx';
import { useItemsQuery } from './use-items-query.ts';
import { useOpenCard } from '#client/screens/items/card/use-open-card.ts';
import { imageFilterWords } from './use-image-filter.ts';
import { useShownRows } from './use-shown-rows.ts';

type Loaded = { page: ItemPage | null; message: string };

/** If the grid cannot be loaded, the page still shows a red alert and no rows (ITE-06). */
export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Loaded | Response> {
  const search = new URL(request.url).searchParams;
  const query = readQuery(search);
  const masterid = params['masterid'] ?? '';
  try {
    const page = await askOver(context.get(servicesContext).fetchApi)(api.items, {
      query: {
        ...selectionOf(masterid, query),
        ...columnsOf(query),
        offset: query.page * query.size,
        limit: query.size,
        pictures: 'true',
      },
    });
    const last = lastPage(page.total, query.size);
    // A page beyond the end, for example after an import of fewer items, redirects to the last one.
    if (query.page > last) return redirect(pageAddress(masterid, search, { ...query, page: last }));
    return { page, message: '' };
  } catch (error) {
    if (!(error instanceof CallError) || [401, 403, 404].includes(error.status)) throw toPage(error, request);
    return { page: null, message: error.message };
  }
}

/** Returns the address of a page of the grid; an open card stays open. */
function pageAddress(masterid: string, search: URLSearchParams, query: ItemsQuery): string {
  const next = writeQuery(query);
  const card = search.get('artikel');
  if (card !== null) next.set('artikel', card);
  const text = next.toString();
  return pathTo(pages.items, { masterid }) + (text === '' ? '' : `?${text}`);
}

/**
 * Opening an item's card or a facet changes the URL but not the page of items, and loaded items need no request, also when the
 * user goes back.
 */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const otherQuery = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  if (!otherQuery || !defaultShouldRevalidate) return defaultShouldRevalidate;
  const of = (url: URL) => writeQuery({ ...readQuery(url.searchParams), facets: null }).toString();
  if (of(currentUrl) === of(nextUrl)) return isReloadDue();
  return !isAnsweredLocally(readQuery(nextUrl.searchParams));
}

/** Keyed by the catalogue: loaded items, columns and filters belong to one. */
export default function ItemsPage() {
  const { masterid = '' } = useParams();
  return <Items key={masterid} masterid={masterid} />;
}

/** Logs why a page of items could not be loaded. */
function useFailureLog(page: unknown, message: string) {
  useEffect(() => {
    if (page === null) logFailure('Fehler beim Laden', message);
  }, [page, message]);
}

function Items({ masterid }: { masterid: string }) {
  const { page, message } = useLoaderData<typeof loader>();
  const address = useSearchParams();
  const card = useOpenCard(address);
  const { query, asked, all, rows, goTo, reset, reload, viewKnown } = useItemsQuery(masterid, address, page);
  useFreshItems(masterid, reload);
  const [density, setDensity] = usePreference('density');
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const mayEdit = useMay('edit');
  useFailureLog(page, message);
  const failure = page === null ? { title: 'Fehler beim Laden', message } : all.failure;
  const shown = useShownRows({ page, all: rows, query, failed: failure !== null });
  const { columns, images, total, counted } = shown;

  const fields = page?.fields ?? [];
  const selected = query.search !== '' || query.filters.length > 0;
  // ITE-01 writes the text with a plain space.
  const title = formatCount(counted, 'Datensatz', 'Datensätze').replace('\u00a0', ' ');
  if (page !== null && total === 0 && !selected) return <Blank title={title} masterid={masterid} html={page.message} />;

  return (
    <div className={classes.page}>
      <PageHeader
        title={title}
        badge={all.progress !== null && <LoadingBar progress={all.progress} />}
        lead={
          imageFilterWords(images, shown.onPage, total) ??
          (selected ? 'passen zu Suche und Filter' : 'Alle Artikel des Katalogs')
        }
        actions={
          <>
            <LoadAll all={all} items={page?.items ?? 0} />
            <CsvLink masterid={masterid} query={query} />
            <FacetButton
              fields={fields}
              facets={query.facets}
              onFacets={(facets) => goTo({ facets, page: asked.page })}
            />
          </>
        }
      />
      <ErrorNotice
        failure={failure}
        onRetry={() => void (page === null ? revalidate() : all.load())}
        onClose={all.failure === null ? undefined : all.dismiss}
      >
        {page === null && address[0].size > 0 && <WithoutSelection onReset={() => void reset()} />}
      </ErrorNotice>
      <Toolbar
        density={density === 'compact' ? density : 'normal'}
        onDensity={(chosen) => setDensity(chosen === 'compact' ? chosen : '')}
        search={query.search}
        onSearch={(text) => goTo({ search: text })}
      >
        <ColumnChooser
          key={JSON.stringify([page?.fields.map(({ show }) => show), query.columns])}
          masterid={masterid}
          fields={fields}
          mayEdit={mayEdit}
          chosen={query.columns}
          onChoose={(columns) => goTo({ columns, page: asked.page })}
          onApplied={() => void reset()}
        />
        <ItemViews
          masterid={masterid}
          query={query}
          fields={fields}
          untouched={address[0].size === 0}
          onOpen={goTo}
          onNone={viewKnown}
        />
      </Toolbar>
      <div className={facetClasses.tools}>
        <FilterChips
          filters={query.filters}
          pictures={images.column}
          titleOf={(field) =>
            columns.find(({ id }) => id === field)?.name ?? fields.find(({ id }) => id === field)?.name ?? field
          }
          onAllPictures={() => images.setColumn(null)}
          onRemove={(filter) => goTo({ filters: asked.filters.filter((other) => !sameValue(other, filter)) })}
        />
        {mayEdit && <RuleLink masterid={masterid} query={asked} fields={fields} />}
      </div>
      <BesideFacets masterid={masterid} fields={fields} query={asked} onQuery={goTo}>
        <ItemsGrid
          columns={columns}
          rows={images.rows}
          marks={all.marks ?? page?.pictures ?? {}}
          images={images}
          query={query}
          asked={asked}
          compact={density === 'compact'}
          busy={state === 'loading' || images.checking}
          onQuery={goTo}
          onOpen={card.open}
          empty={
            failure === null && (
              <NoMatches
                dropped={images.dropped}
                html={page?.message ?? ''}
                onReset={() => goTo({ search: '', filters: [] })}
                onAllPictures={() => images.setColumn(null)}
              />
            )
          }
        />
        {failure === null && <Foot shown={shown} query={query} onQuery={goTo} />}
      </BesideFacets>
      <ItemDrawer
        masterid={masterid}
        itemId={card.itemId}
        snapshot={page?.snapshot ?? null}
        query={query}
        inOrder={shown.inOrder}
        opener={card.opener}
        onOpen={card.open}
      />
    </div>
  );
}

/** The way out if a URL requests what the catalogue does not have: a retry would request the same. */
function WithoutSelection({ onReset }: { onReset: () => void }) {
  return (
    <div style={{ marginTop: 8 }}>
      <Button size="xs" variant="default" onClick={onReset}>
        Ohne Suche, Filter und Sortierung zeigen
      </Button>
    </div>
  );
}

type FootProps = {
  shown: ReturnType<typeof useShownRows>;
  query: ItemsQuery;
  onQuery: (changed: Partial<ItemsQuery>) => void;
};

/** Which of the rows are shown, and buttons for the other pages. */
function Foot({ shown, query, onQuery }: FootProps) {
  if (shown.total === 0) return null;
  return (
    <Pager
      page={query.page}
      size={query.size}
      total={shown.counted}
      note={shown.hidden > 0 ? `, davon ${formatInteger(shown.hidden)} ohne gültiges Bild ausgeblendet` : undefined}
      sizes={pageSizes}
      noun="Datensätzen"
      onPage={(next) => onQuery({ page: next })}
      onSize={(size) => onQuery({ size })}
    />
  );
}

/** Next to the heading, so that nothing moves when it disappears. */
function LoadingBar({ progress: { done, total } }: { progress: { done: number; total: number } }) {
  const words = `${formatInteger(done)} von ${formatInteger(total)}`;
  return (
    <div className={classes.loading}>
      <ProgressBar label="lade Daten" done={done} total={total} words={words} />
    </div>
  );
}

/** The download uses the filters and the order. */
function CsvLink({ masterid, query }: { masterid: string; query: ItemsQuery }) {
  const href = addressOf(api.itemsCsv, {
    query: { ...selectionOf(masterid, query), ...columnsOf(query) },
  });
  return (
    <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
      Als CSV exportieren
    </Button>
  );
}
