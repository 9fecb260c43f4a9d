import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import type { StockOffer, StockReason } from '#shared/stock/schema.ts';
import { call } from '#client/call.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { PageCard } from './page-card.tsx';
import classes from './stock-card.module.css';
import pageClasses from './page.module.css';

type Item = { masterid: string; itemid: string };

/** Stock of the item, reservations by orders, and what each channel offers. */
export function StockCard({ masterid, itemid }: Item) {
  const search = new URLSearchParams({ katalog: masterid, suche: itemid });
  return (
    <PageCard
      anchor="bestand"
      title="Bestand"
      more={
        <Link className="k-small" to={`${pages.stock.path}?${search.toString()}`}>
          Im Bestand ansehen
        </Link>
      }
      ask={(signal) => askStock({ masterid, itemid }, signal)}
    >
      {({ configured, reason }) =>
        reason === null ? <NoStock masterid={masterid} configured={configured} /> : <StockSentences reason={reason} />
      }
    </PageCard>
  );
}

type Stock = { configured: boolean; reason: StockReason | null };

/** Loads the stock. Its explanation is requested only if there is one: nothing is counted before a stock field is chosen. */
async function askStock({ masterid, itemid }: Item, signal: AbortSignal): Promise<Stock> {
  const query = { search: itemid, limit: 100 };
  const { state, rows, total } = await call(api.stock, { params: { masterid }, query, signal });
  // The search also matches parts of numbers, so the item itself may be on a later page.
  const counted = rows.some(({ item }) => item === itemid) || total > rows.length;
  const reason = counted ? await call(api.stockReason, { params: { masterid, itemid }, signal }) : null;
  return { configured: state.configured, reason };
}

function NoStock({ masterid, configured }: { masterid: string; configured: boolean }) {
  if (configured) return <p className="k-muted">Für diesen Artikel ist noch kein Bestand berechnet.</p>;
  return (
    <p className="k-muted">
      Der Bestand wird noch nicht berechnet. In welchem Feld er steht, sagen Sie unter{' '}
      <Link to={`${pages.stock.path}?${new URLSearchParams({ katalog: masterid }).toString()}`}>Bestand</Link>.
    </p>
  );
}

function StockSentences({ reason: { row, steps, channels } }: { reason: StockReason }) {
  const figures = [
    ['vorhanden', row.on_hand],
    ['reserviert', row.reserved],
    ...(row.buffer > 0 ? [['Puffer', row.buffer] as const] : []),
    ['verfügbar', row.available],
  ] as const;
  return (
    <>
      <dl className={classes.figures}>
        {figures.map(([word, count]) => (
          <div key={word} data-none={(word === 'verfügbar' && count === 0) || undefined}>
            <dt>{word}</dt>
            <dd>{formatInteger(count)}</dd>
          </div>
        ))}
      </dl>
      <details className={classes.why}>
        <summary>Warum diese Zahl?</summary>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </details>
      {row.offers.length === 0 && <p className="k-muted k-small">Kein Kanal bietet diesen Artikel an.</p>}
      <ul className={pageClasses.plain} aria-label="Angebot je Kanal">
        {channels.map(({ channel, name, sentences }) => (
          <li key={channel} className={classes.offer}>
            <Offer name={name} offer={row.offers.find((one) => one.channel === channel)} />
            <p className="k-muted k-small">{sentences.join(' ')}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Offer({ name, offer }: { name: string; offer: StockOffer | undefined }) {
  const trouble = offer?.state === 'refused' ? 'abgelehnt' : offer?.state === 'unknown' ? 'ungeklärt' : '';
  return (
    <div className={classes.offerHead}>
      <strong>{name}</strong>
      {trouble !== '' && (
        <Badge tone="yellow" icon={IconAlertTriangle}>
          {trouble}
        </Badge>
      )}
      <span className={pageClasses.amount}>
        {offer === undefined
          ? '–'
          : offer.offered === 0
            ? '0, ausverkauft'
            : `${formatInteger(offer.offered)}\u00a0angeboten`}
      </span>
    </div>
  );
}
