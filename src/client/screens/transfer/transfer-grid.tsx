import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { transferPageSizes, transferStates, type TransferPage, type TransferRow } from '#shared/transfer/schema.ts';
import { addressOf } from '#client/call.ts';
import type { Failure } from '#client/failure.ts';
import { fixPath } from '#client/paths/fix-path.ts';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { DataGrid, type GridColumn } from '#client/ui/grid/data-grid.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { plainParagraphs } from '#client/ui/text/plain-text.ts';
import { ItemResult } from './item-result.tsx';
import { readQuery, type TransferQuery, viewQuery } from './transfer-query.ts';
import classes from './transfer.module.css';

/** `prices`: true for a marketplace account, to which prices were sent; else an export. */
export type Place = { id: string; masterid: string; prices?: boolean };
type TransferGridProps = {
  place: Place;
  query: TransferQuery;
  page: TransferPage | null;
  failure: Failure | null;
  busy: boolean;
  /** The standard view may be applied. */
  untouched: boolean;
  /** `replace`: not a step of the user, so it adds no entry to the browser's history. */
  onQuery: (changed: Partial<TransferQuery>, replace?: boolean) => void;
  onRetry: () => void;
};

const tones = { sent: 'gray', accepted: 'green', invalid: 'red' } as const;
const rowHeight = 25;

/** TRA-02, TRA-03: one view of the items, page by page. */
export function TransferGrid({ place, query, page, failure, busy, untouched, onQuery, onRetry }: TransferGridProps) {
  const [open, setOpen] = useState<TransferRow | null>(null);
  const opener = useRef<Element>(null);
  const total = page?.total ?? 0;
  const columns = page?.columns ?? [];
  return (
    <div className="k-stack">
      <div className="k-between">
        <h2>
          Datensätze <span className={classes.total}>{page === null ? '' : formatInteger(total)}</span>
        </h2>
        <Button
          component="a"
          href={addressOf(api.transferCsv, {
            params: { id: place.id },
            query: { view: query.view, search: query.search, reason: query.reason },
          })}
          download
          variant="default"
          data-disabled={total === 0 || undefined}
          aria-disabled={total === 0 || undefined}
          onClick={(event) => total === 0 && event.preventDefault()}
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Als CSV exportieren
        </Button>
      </div>
      {!(page?.total === 0 && query.search === '' && !busy) && (
        <div className="k-row">
          {/* Not before it is known whether there is a table at all. */}
          {page !== null && (
            <SavedViews
              table="transfer"
              query={viewQuery(query)}
              opened={query.savedView}
              untouched={untouched}
              fit={(stored) => ({ query: viewQuery(readQuery(stored)), gone: [] })}
              onOpen={(view, savedView, replace) => onQuery({ ...readQuery(view), savedView }, replace)}
            />
          )}
          <SearchField
            label="Artikelnummer suchen"
            search={query.search}
            onSearch={(search) => onQuery({ search, page: 0 })}
          />
        </div>
      )}
      <ErrorNotice failure={failure} onRetry={onRetry} />
      {(failure === null || busy) && (
        <DataGrid
          label="Datensätze"
          columns={[...columns.map(({ id, name }) => columnOf(id, name)), fixColumn(place)]}
          rows={page?.data ?? []}
          rowId={({ _id }) => _id}
          rowHeight={rowHeight}
          height="65vh"
          busy={busy}
          onOpen={(row) => {
            opener.current = document.activeElement;
            setOpen(row);
          }}
          empty={
            <div className={classes.empty}>
              {plainParagraphs(page?.message ?? '').map((text) => (
                <p key={text}>{text}</p>
              ))}
            </div>
          }
        />
      )}
      {total > 0 && (
        <Pager
          page={query.page}
          size={query.size}
          total={total}
          sizes={transferPageSizes}
          noun="Datensätzen"
          onPage={(next) => onQuery({ page: next })}
          onSize={(size) => onQuery({ size, page: 0 })}
        />
      )}
      <ItemResult place={place} row={open} opener={opener} onClose={() => setOpen(null)} />
    </div>
  );
}

const widths: Readonly<Record<string, number>> = { _id: 120, title: 190, state: 120, message: 320 };

function columnOf(id: string, name: string): GridColumn<TransferRow> {
  return {
    id,
    title: name,
    width: widths[id] ?? 180,
    cell: (row) => {
      if (id === '_id') return row._id;
      if (id === 'state') return <Badge tone={tones[row.state]}>{transferStates[row.state].label}</Badge>;
      const text = id === 'title' ? row.title : id === 'message' ? row.message : null;
      return text === null || text === '' ? <span className="k-muted">–</span> : <span title={text}>{text}</span>;
    },
  };
}

/** Links to the cause of the most severe problem; the item's card lists all of them. */
function fixColumn(place: Place): GridColumn<TransferRow> {
  return {
    id: 'fix',
    title: 'Beheben',
    width: 240,
    cell: ({ _id, problems }) => {
      const [first] = problems;
      if (first === undefined) return <span className="k-muted">–</span>;
      const { to, label } = fixPath(first.fix, place);
      return (
        <>
          <Link to={to} aria-label={`${label} (${_id})`}>
            {label}
          </Link>
          {problems.length > 1 && <span className="k-muted"> +{problems.length - 1}</span>}
        </>
      );
    },
  };
}
