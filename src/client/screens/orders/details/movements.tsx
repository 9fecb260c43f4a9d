import { reasonWords } from '#shared/orders/reason-words.ts';
import type { OrderDetails } from '#shared/orders/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import classes from './details.module.css';

const shipmentStates = {
  shipped: { tone: 'blue', text: 'unterwegs' },
  delivered: { tone: 'green', text: 'zugestellt' },
  undeliverable: { tone: 'red', text: 'nicht zustellbar' },
  cancelled: { tone: 'gray', text: 'aufgehoben' },
} as const;
const parties = { us: 'von uns', buyer: 'vom Käufer', channel: 'vom Marktplatz' } as const;
const returnStates = {
  announced: 'angekündigt',
  arrived: 'eingetroffen',
  accepted: 'angenommen',
  rejected: 'abgelehnt',
} as const;

type Named = { nameOf: (productid: string) => string };

/** Parcels with their contents. */
export function Parcels({ shipments, nameOf }: Pick<OrderDetails, 'shipments'> & Named) {
  if (shipments.length === 0) return <p className="k-muted">Noch keine Sendung.</p>;
  return (
    <ul className={classes.list}>
      {shipments.map(({ id, carrier, tracking, returntracking, shipped_at: at, source, state, lines }) => (
        <li key={id} className={classes.entry}>
          <div className="k-between">
            <span className="k-strong">
              {carrier} <code>{tracking === '' ? 'ohne Sendungsnummer' : tracking}</code>
            </span>
            <Badge tone={shipmentStates[state].tone}>{shipmentStates[state].text}</Badge>
          </div>
          <p className="k-muted k-small">
            {formatTime(at)}, {source === 'us' ? 'von hier gemeldet' : 'beim Marktplatz gemeldet'}
            {returntracking !== '' && ` · Retoure ${returntracking}`}
          </p>
          <p className="k-small">{lines.map((line) => `${line.quantity} × ${nameOf(line.productid)}`).join(', ')}</p>
        </li>
      ))}
    </ul>
  );
}

type LossesProps = Pick<OrderDetails, 'cancellations' | 'returns' | 'refunds'> & Named;

/** Cancellations, returns and refunds; renders nothing if there are none. */
export function Losses({ cancellations, returns, refunds, nameOf }: LossesProps) {
  const entries = [
    ...cancellations.map(({ productid, quantity, by, reason, at }) => ({
      at,
      text: `${formatCount(quantity, 'Stück', 'Stück')} ${nameOf(productid)} ${parties[by]} storniert`,
      reason: reasonWords(reason),
    })),
    ...returns.map(({ productid, quantity, state, reason, at }) => ({
      at,
      text: `Retoure von ${formatCount(quantity, 'Stück', 'Stück')} ${nameOf(productid)} ${returnStates[state]}`,
      reason: reasonWords(reason),
    })),
    ...refunds.map(({ productid, cents, currency, reason, at }) => ({
      at,
      text: `${moneyText(cents, currency)} erstattet für ${nameOf(productid)}`,
      reason: reasonWords(reason),
    })),
  ];
  if (entries.length === 0) return null;
  return (
    <section className="k-card k-stack" aria-labelledby="storno">
      <h2 id="storno">Stornos, Retouren, Erstattungen</h2>
      <ul className={classes.list}>
        {entries.map(({ at, text, reason }, index) => (
          <li key={`${at} ${index}`} className={classes.entry}>
            <span>{text}</span>
            <p className="k-muted k-small">
              {formatTime(at)}
              {reason !== '' && ` · ${reason}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
