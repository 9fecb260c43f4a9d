import type { ReactNode } from 'react';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';

/** What a run left behind; `state` says what became of it, or has the button that brings it back. */
type Kept = { number: number; createdAt: string; items: number; name: string; state: ReactNode };

type KeptTableProps = {
  id: string;
  title: string;
  /** Heading of the column of names. */
  names: string;
  rows: readonly Kept[];
};

/** What the runs of an import or an export have left behind, newest first. */
export function KeptTable({ id, title, names, rows }: KeptTableProps) {
  return (
    <section className="k-card k-stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ScrollRegion label={title}>
        <table className="k-table k-table-stacks">
          <thead>
            <tr>
              <th scope="col" className="k-number">
                Nummer
              </th>
              <th scope="col">Zeit</th>
              <th scope="col" className="k-number">
                Artikel
              </th>
              <th scope="col">{names}</th>
              <th scope="col">
                <span className="k-hidden">Zustand</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, createdAt, items, name, state }) => (
              <tr key={number}>
                <td className="k-number" data-title="Nummer">
                  {number}
                </td>
                <td style={{ whiteSpace: 'nowrap' }} data-title="Zeit">
                  {formatTime(createdAt)}
                </td>
                <td className="k-number" data-title="Artikel">
                  {formatInteger(items)}
                </td>
                <td style={{ minWidth: 180, overflowWrap: 'anywhere' }} data-title={names}>
                  {name}
                </td>
                <td>{state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
