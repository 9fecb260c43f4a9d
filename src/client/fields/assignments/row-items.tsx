import { Drawer, Loader } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { SourcePart } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { isFieldless } from '#client/fields/assignments/lines/fieldless.ts';
import { conditionsOf, type Line } from '#client/fields/assignments/lines/lines.ts';
import type { TableOf } from '#client/fields/assignments/lines/use-counts.ts';
import { FoundItems, type ItemsPage } from './found-items.tsx';
import { ItemsFailure } from './no-items-yet.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { useLive } from '#client/use-live.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';

type RowItemsProps = {
  table: TableOf;
  masterid: string;
  lines: readonly Line[];
  /** The row to inspect; null: none. */
  rowid: string | null;
  onClose: () => void;
};

/** CAT-04 'prüfen': lists the items that a row wins, with the row as it is in the form. */
export function RowItems({ rowid, ...props }: RowItemsProps) {
  const line = rowid === null ? undefined : props.lines.find(({ id }) => id === rowid);
  return line === undefined ? null : <ItemsDrawer {...props} line={line} />;
}

function ItemsDrawer({ table, masterid, lines, line, onClose }: Omit<RowItemsProps, 'rowid'> & { line: Line }) {
  useFocusBack();
  const [page, setPage] = useState<ItemsPage>({ at: 0, size: 25 });
  const source = conditionsOf(line)[0]?.input;
  const question = useMemo(() => ({ lines, page }), [lines, page]);
  const { answer, busy, failure, retry } = useLive(
    question,
    (signal) => {
      const { id, ...place } = table;
      const body = {
        ...place,
        rows: [...lines],
        row: line.id,
        ...readOf(source),
        offset: page.at * page.size,
        limit: page.size,
      };
      return call(api.openItems, { params: { id }, body, signal });
    },
    { delay: 0 },
  );
  const position = lines.findIndex(({ id }) => id === line.id) + 1;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(640px, 100vw)"
      title={<span className="k-strong">Artikel der Zeile {position}</span>}
      closeButtonProps={{ 'aria-label': 'Schließen' }}
    >
      <div className="k-stack" aria-busy={busy}>
        <ItemsFailure failure={failure} masterid={masterid} onRetry={retry} />
        {answer === null && failure === null && (
          <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />
        )}
        {answer !== null && (
          <>
            <p role="status">
              Zeile {position} trifft {formatCount(answer.matching, 'Artikel', 'Artikel')}.
              {isFieldless(line) && ' Sie hat noch kein Feld: Bitte wählen Sie, welches Feld sie prüft.'}
              {!line.active && ' Sie ist pausiert.'}
            </p>
            {answer.items.length > 0 && (
              <FoundItems
                masterid={masterid}
                label={`Artikel der Zeile ${position}`}
                items={answer.items}
                valueName={source === undefined || source.caption === '' ? 'Wert' : source.caption}
                total={answer.matching}
                page={page}
                onPage={setPage}
              />
            )}
          </>
        )}
      </div>
    </Drawer>
  );
}

/** Returns the field whose values are shown next to the items: the one that the row reads; empty for a fixed text. */
function readOf(source: SourcePart | undefined) {
  if (source === undefined || source.type === '_string' || source.type === '_default') return { field: '' };
  return { field: source.value, type: source.type };
}
