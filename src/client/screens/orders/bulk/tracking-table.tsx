import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconCheck from 'virtual:icons/check';
import IconX from 'virtual:icons/x';
import type { TrackingRow } from '#shared/orders/tracking.ts';
import { orderKey } from '#client/screens/orders/list/order-words.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './bulk.module.css';
import { ResultBadge } from './result-badge.tsx';
import type { ParcelResult } from './use-shipping.ts';

const states = {
  ready: { tone: 'green', text: 'bereit', icon: IconCheck },
  warning: { tone: 'yellow', text: 'auffällig', icon: IconAlertTriangle },
  error: { tone: 'red', text: 'geht nicht', icon: IconX },
} as const;

type TrackingTableProps = { rows: readonly TrackingRow[]; results: ReadonlyMap<string, ParcelResult> };

/** Shows the preview of each row, and after sending its result. */
export function TrackingTable({ rows, results }: TrackingTableProps) {
  const count = (state: TrackingRow['state']) => rows.filter((row) => row.state === state).length;
  return (
    <div>
      <p role="status" className="k-small" style={{ marginBottom: 6 }}>
        {rows.length} {rows.length === 1 ? 'Zeile' : 'Zeilen'}: {count('ready')} bereit, {count('warning')} auffällig,{' '}
        {count('error')} nicht möglich.
      </p>
      <ScrollRegion label="Prüfung der Sendungsnummern" className={classes.scroll ?? ''}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col" className="k-number">
                Zeile
              </th>
              <th scope="col">Bestellung</th>
              <th scope="col">Sendung</th>
              <th scope="col">Prüfung</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <CheckedRow
                key={row.line}
                row={row}
                result={row.state === 'error' ? undefined : results.get(orderKey(row))}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

function CheckedRow({ row, result }: { row: TrackingRow; result: ParcelResult | undefined }) {
  const { tone, text, icon } = states[row.state];
  return (
    <tr>
      <td className="k-number">{row.line}</td>
      <td className={classes.order}>{row.orderid === '' ? '–' : row.orderid}</td>
      <td>
        {[row.carrier, row.tracking].filter((part) => part !== '').join(' ')}
        {row.returntracking !== '' && <span className={classes.second}>Retoure {row.returntracking}</span>}
      </td>
      <td className={classes.result}>
        {result === undefined ? (
          <>
            <Badge tone={tone} icon={icon}>
              {text}
            </Badge>{' '}
            {row.message}
          </>
        ) : (
          <ResultBadge result={result} />
        )}
      </td>
    </tr>
  );
}
