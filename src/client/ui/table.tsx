import type { ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.tsx';

export type TableColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** name: the cell names its row. number: aligned right. action: buttons on the right, with a head for screen readers only. */
  kind?: 'name' | 'number' | 'action';
};

type TableProps<Row> = {
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  caption?: string;
  /** In a narrow window each row becomes a list of its cells with their titles, instead of scrolling sideways. */
  stacks?: boolean;
};

/** A short table: all rows are drawn, nothing is sorted. */
export function Table<Row>({ label, columns, rows, rowId, caption, stacks = false }: TableProps<Row>) {
  return (
    <ScrollRegion label={label}>
      <table className={stacks ? 'k-table k-table-stacks' : 'k-table'}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th key={title} scope="col" className={kind === 'number' ? 'k-number' : undefined}>
                {kind === 'action' ? <span className="k-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)}>
              {columns.map(({ title, kind, cell }) =>
                kind === 'name' ? (
                  <th key={title} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={title}
                    className={kind === undefined ? undefined : 'k-number'}
                    data-title={kind === 'action' ? undefined : title}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
