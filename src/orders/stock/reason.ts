import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { StockChannelName, StockOffer, StockReason, StockRow } from '#shared/stock/schema.ts';
import { newStockChannel, type StockSettings } from '#shared/stock/settings.ts';
import { integerText } from '#shared/values/integer-text.ts';
import type { StockPlace } from './compute.ts';
import { findStockItem, stockChannels, stockState } from './find-stock.ts';
import { reservingLines } from './reserved.ts';
import { loadStockSettings } from './settings.ts';

/** Orders that are listed; of the others only the number is given. */
const NAMED = 50;
const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' });
const pieces = (count: number) => `${integerText(count)} Stück`;

type Reserving = StockReason['orders'][number];
type ReasonInput = { row: StockRow; settings: StockSettings; sourceAt: Date | null; orders: readonly Reserving[] };

/** Returns how the number of an article was computed; undefined if there is no such article. */
export async function stockReason(trx: Trx, place: StockPlace, item: string): Promise<StockReason | undefined> {
  const row = await findStockItem(trx, place, item);
  if (row === undefined) return undefined;
  const { settings } = await loadStockSettings(trx, place.company, place.master);
  const state = await stockState(trx, place);
  const sourceAt = state.source_at === null ? null : new Date(state.source_at);
  const orders = sourceAt === null ? [] : await reservingOrders(trx, place, { settings, sourceAt, item });
  const channels = await stockChannels(trx, place);
  return {
    row,
    steps: numberSteps({ row, settings, sourceAt, orders }),
    orders: orders.slice(0, NAMED),
    more_orders: Math.max(0, orders.length - NAMED),
    channels: row.offers.map((offer) => ({
      channel: offer.channel,
      name: nameOf(offer, channels),
      sentences: offerSteps(row.available, offer, settings, channels, state.held !== ''),
    })),
  };
}

async function reservingOrders(
  trx: Trx,
  { company, master }: StockPlace,
  { settings, sourceAt, item }: { settings: StockSettings; sourceAt: Date; item: string },
): Promise<Reserving[]> {
  const containsOpenOrders = settings.contains_open_orders;
  const lines = reservingLines({ company, master, sourceAt, containsOpenOrders, items: [item] });
  // Raw SQL: it reuses the query of the reserving lines.
  const { rows } = await pg<Omit<Reserving, 'placed_at'> & { placed_at: Date }>`
    select r.order_id as orderid, r.channel, o.channel_name, o.placed_at, o.pending, sum(r.open)::int as open,
      sum(r."left")::int as "left"
    from (${lines}) r join orders o on o.company = ${company} and o.channel = r.channel and o.order_id = r.order_id
    group by r.order_id, r.channel, o.channel_name, o.placed_at, o.pending
    order by o.placed_at, r.channel, r.order_id`.execute(trx);
  return rows.map((row) => ({ ...row, placed_at: new Date(row.placed_at).toISOString() }));
}

const sources = {
  ok: '',
  unreadable: ' Dort steht keine Zahl; Kontor rechnet mit 0.',
  missing: ' Der Artikel steht nicht mehr im Katalog; Kontor rechnet mit 0.',
} as const;

/** Returns the steps from the stock on hand to the available pieces, as sentences. */
export function numberSteps({ row, settings, sourceAt, orders }: ReasonInput): string[] {
  const at = sourceAt === null ? '' : ` vom ${time.format(sourceAt)}`;
  const sum = (of: 'open' | 'left') => orders.reduce((total, order) => total + order[of], 0);
  const [open, left] = [sum('open'), sum('left')];
  const pending = orders.filter((order) => order.pending).reduce((total, order) => total + order.open, 0);
  const steps = [
    `Im Feld „${settings.field}“ des Katalogs${at} ${row.on_hand === 1 ? 'steht' : 'stehen'} ${pieces(row.on_hand)}.${sources[row.source]}`,
  ];
  steps.push(
    settings.contains_open_orders
      ? 'Diese Zahl enthält die offenen Bestellungen schon: abgezogen werden nur Bestellungen, die danach kamen.'
      : 'Diese Zahl enthält die offenen Bestellungen nicht: alle offenen Bestellungen werden abgezogen.',
  );
  const waiting = pending > 0 ? ` (davon ${pieces(pending)} noch nicht freigegeben)` : '';
  steps.push(
    open === 0
      ? 'Offene Bestellungen reservieren nichts.'
      : `Offene Bestellungen reservieren ${pieces(open)}${waiting}.`,
  );
  if (left > 0)
    steps.push(
      `Seit diesem Zeitpunkt ${left === 1 ? 'wurde' : 'wurden'} ${pieces(left)} versandt; ${left === 1 ? 'es wird' : 'sie werden'} bis zur nächsten Datei auch abgezogen.`,
    );
  if (row.buffer > 0)
    steps.push(
      `Als Puffer ${row.buffer === 1 ? 'bleibt' : 'bleiben'} ${pieces(row.buffer)} zurück (${pieces(settings.buffer_pieces)} und ${settings.buffer_percent} % des Bestands).`,
    );
  const rest = row.on_hand - row.reserved - row.buffer;
  const sentence = `Verfügbar: ${integerText(row.on_hand)} − ${integerText(row.reserved)} − ${integerText(row.buffer)} = ${integerText(rest)}`;
  steps.push(
    rest < 0 ? `${sentence}, also 0: es ist mehr bestellt oder zurückgehalten, als da ist.` : `${sentence} Stück.`,
  );
  return steps;
}

const states = {
  new: '',
  accepted: '',
  refused: 'Der Kanal hat die Zahl abgelehnt',
  unknown: 'Ob der Kanal die Zahl hat, ist nicht bekannt; Kontor sendet sie noch einmal',
} as const;

const nameOf = ({ channel }: StockOffer, channels: readonly StockChannelName[]): string =>
  channels.find(({ id }) => id === channel)?.name ?? 'gelöschter Kanal';

/** Returns the steps from the available pieces to a channel's offer and its result there. */
function offerSteps(
  available: number,
  offer: StockOffer,
  settings: StockSettings,
  channels: readonly StockChannelName[],
  held: boolean,
): string[] {
  const { floor, cap, share } =
    settings.channels.find(({ id }) => id === offer.channel) ?? newStockChannel(offer.channel);
  const name = nameOf(offer, channels);
  const shared = Math.floor((available * share) / 100);
  const steps: string[] = [];
  if (available <= floor)
    steps.push(
      floor === 0
        ? `„${name}“ bietet 0 an, weil nichts verfügbar ist.`
        : `„${name}“ bietet 0 an: ab ${pieces(floor)} und darunter gilt der Artikel dort als ausverkauft.`,
    );
  else {
    steps.push(`„${name}“ erhält ${share} % von ${integerText(available)}, das sind ${pieces(shared)}.`);
    if (cap !== null && cap < shared) steps.push(`Höchstens werden dort ${pieces(cap)} angeboten.`);
  }
  if (!offer.account) return [...steps, 'Dieser Kanal wird über seine Datei versorgt.'];
  if (offer.shown === null) steps.push('Was der Kanal selbst zeigt, ist noch nicht bekannt.');
  else if (offer.shown === offer.offered) steps.push(`Der Kanal zeigt ${pieces(offer.shown)}.`);
  else
    steps.push(
      held
        ? `Der Kanal zeigt ${pieces(offer.shown)}. Die neue Zahl wartet auf Ihre Freigabe.`
        : `Der Kanal zeigt ${pieces(offer.shown)}. ${offer.offered < offer.shown ? 'Die niedrigere Zahl wird gleich gesendet.' : 'Eine höhere Zahl wird einige Minuten später gesendet, wenn die neuesten Bestellungen bekannt sind.'}`,
    );
  if (states[offer.state] !== '')
    steps.push(`${states[offer.state]}${offer.message === '' ? '' : `: ${offer.message}`}.`);
  return steps;
}
