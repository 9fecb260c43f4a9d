import { Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import type { StockChannelName, StockOffer, StockRow } from '#shared/stock/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './stock.module.css';

type StockTableProps = {
  rows: readonly StockRow[];
  channels: readonly StockChannelName[];
  busy: boolean;
  /** Opens the dialog „Warum diese Zahl?“. */
  onAsk: (item: string) => void;
};

/** A row per article; a channel that offers none of the shown articles has no column. */
export function StockTable({ rows, channels, busy, onAsk }: StockTableProps) {
  const offering = channels.filter(({ id }) => rows.some(({ offers }) => offers.some(({ channel }) => channel === id)));
  return (
    <div className="k-renewing" aria-busy={busy}>
      <ScrollRegion label="Bestände">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Artikel</th>
              {['Bestand', 'Reserviert', 'Puffer', 'Verfügbar'].map((title) => (
                <th key={title} scope="col" className={classes.number}>
                  {title}
                </th>
              ))}
              {offering.map(({ id, name }) => (
                <th key={id} scope="col" className={classes.number}>
                  {name}
                </th>
              ))}
              <th scope="col" className="k-screen">
                Erklärung
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.item}>
                <th scope="row">{row.item}</th>
                <td className={classes.number}>
                  {formatInteger(row.on_hand)}
                  {row.source !== 'ok' && (
                    <span className={classes.second}>
                      {row.source === 'missing' ? 'nicht mehr im Katalog' : 'keine Zahl in der Quelle'}
                    </span>
                  )}
                </td>
                <td className={classes.number}>{formatInteger(row.reserved)}</td>
                <td className={classes.number}>{formatInteger(row.buffer)}</td>
                <td className={classes.number}>
                  {row.available === 0 ? <Badge tone="red">0, ausverkauft</Badge> : formatInteger(row.available)}
                </td>
                {offering.map(({ id }) => (
                  <td key={id} className={classes.number}>
                    <Offer offer={row.offers.find(({ channel }) => channel === id)} />
                  </td>
                ))}
                <td className="k-screen">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Warum diese Zahl? Artikel ${row.item}`}
                    onClick={() => onAsk(row.item)}
                  >
                    Warum?
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

/** The quantity we offer at the channel, and the one it shows if that differs. */
function Offer({ offer }: { offer: StockOffer | undefined }) {
  if (offer === undefined) return <span className="k-muted">–</span>;
  const { offered, shown, account, state } = offer;
  const trouble = state === 'refused' ? 'abgelehnt' : state === 'unknown' ? 'ungeklärt' : '';
  return (
    <>
      {formatInteger(offered)}
      {account && shown !== offered && (
        <span className={classes.second}>
          {shown === null ? 'noch nicht gemeldet' : `zeigt ${formatInteger(shown)}`}
        </span>
      )}
      {trouble !== '' && (
        <Badge tone="yellow" icon={IconAlertTriangle}>
          {trouble}
        </Badge>
      )}
    </>
  );
}
