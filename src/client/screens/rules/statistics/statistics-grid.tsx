import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import IconX from 'virtual:icons/x';
import { useState } from 'react';
import type { Column, ItemRow } from '#shared/items/schema.ts';
import { DataGrid, type GridColumn } from '#client/ui/grid/data-grid.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import classes from '#client/screens/rules/rules.module.css';
import { pageOf, type Result } from './use-statistics.ts';

type StatisticsGridProps = {
  result: Result;
  busy: boolean;
  onPage: (page: number, size: number) => void;
  onClose: () => void;
  /** Exports all items, not only the loaded ones. */
  onExport: () => void;
  exporting: boolean;
};

const numeric = new Set<Column['guess']>(['number', 'price', 'integer']);

/** RUL-12: the items that match the conditions, as they are after the rule. */
export function StatisticsGrid({ result, busy, onPage, onClose, onExport, exporting }: StatisticsGridProps) {
  const [size, setSize] = useState(50);
  const [shownPage, setShownPage] = useState({ page: 0, question: result.question });
  // A new answer starts on its first page.
  const page = shownPage.question === result.question ? shownPage.page : 0;
  const go = (next: number, rows: number) => {
    setShownPage({ page: next, question: result.question });
    onPage(next, rows);
  };
  const rows = pageOf(result, page, size);
  return (
    <div className="k-stack" style={{ gap: 8 }}>
      <div className="k-between">
        <h3 className={classes.gridtitle}>Betroffene Artikel nach der Regel</h3>
        <div className="k-row">
          <Button
            size="xs"
            variant="default"
            loading={exporting}
            disabled={result.total === 0}
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={onExport}
          >
            Als CSV exportieren
          </Button>
          <Button size="xs" variant="default" leftSection={<IconX size={14} aria-hidden />} onClick={onClose}>
            Schließen
          </Button>
        </div>
      </div>
      <DataGrid
        label="Betroffene Artikel"
        columns={inReadingOrder(result).map(gridColumnOf)}
        rows={rows ?? []}
        rowId={(row) => row['_id'] ?? ''}
        rowHeight={30}
        height={result.total > 12 ? '440px' : 'auto'}
        busy={busy || rows === undefined}
        empty={<p>Auf keinen Artikel treffen die Bedingungen zu.</p>}
      />
      {result.total > 0 && (
        <Pager
          page={page}
          size={size}
          total={result.total}
          noun="Artikeln"
          onPage={(next) => go(next, size)}
          onSize={(next) => {
            setSize(next);
            go(0, next);
          }}
        />
      )}
    </div>
  );
}

/** Returns the item number, then the fields that the rule reads and writes, then the others. */
function inReadingOrder({ columns, question }: Result): Column[] {
  const rule = question.rules.find(({ id }) => id === question.rule);
  const concerned = new Set([...(rule?.querys ?? []), ...(rule?.actions ?? [])].map(({ field }) => field));
  const [first, ...rest] = columns;
  // The key is also a field and would appear twice.
  const others = rest.filter(({ name }) => name !== first?.name);
  const isConcerned = ({ name }: Column) => concerned.has(name);
  const sorted = [...others.filter(isConcerned), ...others.filter((column) => !isConcerned(column))];
  return first === undefined ? sorted : [first, ...sorted];
}

function gridColumnOf({ id, name, guess }: Column): GridColumn<ItemRow> {
  return {
    id,
    title: name,
    width: id === '_id' || numeric.has(guess) ? 120 : 180,
    numeric: numeric.has(guess),
    cell: (row) => row[id] ?? <span className="k-muted">–</span>,
  };
}
