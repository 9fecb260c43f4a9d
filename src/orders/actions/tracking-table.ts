import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { unprocessable } from '#platform/errors.ts';
import type { BulkParcel, TrackingRow } from '#shared/orders/tracking.ts';
import { bareTracking } from '#shared/orders/tracking-number.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { readActionBody } from '#orders/model/action-body.ts';
import { carrierName } from '#orders/model/carrier-name.ts';
import { inFlight } from '#orders/model/load-orders.ts';
import { openPieces, type StoredLine, type StoredOrder } from '#orders/model/order-record.ts';
import { lineRefusal, type ChannelSupport } from '#orders/model/possible.ts';
import { orderChannels, type ChannelDeps, type OrderChannel } from './channel-support.ts';
import { readAmount } from '#orders/files/amounts/amounts.ts';
import { cutNumber, tableRows } from '#orders/files/table-records.ts';

/** Column titles in tables of parcels, by meaning. */
const titles = {
  order:
    /^(?:bestell(?:ung|[ -]?(?:nummer|nr\.?|id))?|auftrags?(?:[ -]?(?:nummer|nr\.?))?|order[ _-]?(?:id|number|nr\.?|no\.?)?|amazon-order-id)$/i,
  tracking:
    /^(?:sendungs?[ -]?(?:nummer|nr\.?|id|verfolgung(?:s-?(?:nummer|nr\.?))?)|tracking[ _-]?(?:nummer|number|id|code|nr\.?|no\.?)?|paket[ -]?(?:nummer|nr\.?)|shipment[ _-]?(?:id|number))$/i,
  carrier: /^(?:versanddienst(?:leister)?|paketdienst|spedition|carrier(?:[ _-]?(?:code|name))?|dienst)$/i,
  article:
    /^(?:artikel(?:[ -]?(?:nummer|nr\.?))?|sku|position(?:s-?(?:nummer|nr\.?))?|line[ _-]?(?:id)?|order-item-id|productid)$/i,
  quantity: /^(?:menge|anzahl|stück(?:zahl)?|quantity|qty)$/i,
  returntracking: /^(?:retouren?(?:nummer|sendungsnummer|tracking)|return[ _-]?tracking(?:[ _-]?(?:number|code))?)$/i,
} as const;
type Role = keyof typeof titles;
const roles: readonly Role[] = ['order', 'tracking', 'carrier', 'article', 'quantity', 'returntracking'];
const MOST_ROWS = 5000;

/** `typed`: the tracking number as it stands in the table. */
type Entry = { line: number; typed: string } & Record<Role, string>;
type Checked = { row: TrackingRow; parcel: BulkParcel | undefined };

/**
 * Reads pasted or uploaded tracking numbers and reports for each row what would happen; changes nothing. Without a header the
 * columns are order, tracking number, carrier, article, quantity, return tracking. `parcels` holds the valid rows, those of one
 * parcel combined.
 */
export async function readTracking(
  deps: ChannelDeps,
  company: string,
  { text, carrier }: { text: string; carrier: string },
): Promise<{ rows: TrackingRow[]; parcels: BulkParcel[] }> {
  const entries = entriesOf(text);
  const found = await deps.database.company(company, (trx) => ordersOf(trx, company, entries));
  const channels = await orderChannels(deps, company, [...new Set(found.orders.map((order) => order.channel))]);
  // Pieces already taken by rows above.
  const used = new Map<string, number>();
  const checked = entries.map((entry) =>
    check({ ...entry, carrier: entry.carrier === '' ? carrier : entry.carrier }, found, channels, used),
  );
  return { rows: checked.map(({ row }) => row), parcels: parcelsOf(checked) };
}

function entriesOf(text: string): Entry[] {
  const table = tableRows(
    text,
    'Die Tabelle ist nicht lesbar. Erwartet wird je Zeile: Bestellnummer, Sendungsnummer, Versanddienst.',
  );
  const head = table[0]?.record ?? [];
  const named = roles.map((role) => head.findIndex((title) => titles[role].test(title)));
  const hasHeader = named[0] !== -1 && named[1] !== -1;
  const columns = hasHeader ? named : roles.map((_, index) => index);
  const rows = hasHeader ? table.slice(1) : table;
  if (rows.length === 0) throw unprocessable('empty', 'Die Tabelle enthält keine Zeile mit einer Sendungsnummer.');
  if (rows.length > MOST_ROWS)
    throw unprocessable(
      'too_many',
      `Höchstens ${integerText(MOST_ROWS)} Zeilen auf einmal. Bitte teilen Sie die Tabelle.`,
    );
  return rows.map(({ row, record }) => {
    const cell = (role: Role): string => {
      const column = columns[roles.indexOf(role)] ?? -1;
      return column === -1 ? '' : (record[column] ?? '').slice(0, 200);
    };
    return {
      line: row,
      order: cell('order'),
      tracking: bareTracking(cell('tracking')),
      typed: cell('tracking'),
      carrier: cell('carrier'),
      article: cell('article'),
      quantity: cell('quantity'),
      returntracking: bareTracking(cell('returntracking')),
    };
  });
}

type Found = { orders: StoredOrder[]; lines: Map<string, StoredLine[]>; trackings: Map<string, string> };

async function ordersOf(trx: Trx, company: string, entries: readonly Entry[]): Promise<Found> {
  const ids = [...new Set(entries.map(({ order }) => order))];
  const orders = await trx
    .selectFrom('orders')
    .selectAll()
    .where('company', '=', company)
    .where('order_id', '=', anyOf(ids))
    .execute();
  const lines = await trx
    .selectFrom('order_lines')
    .selectAll()
    .where('company', '=', company)
    .where('channel', '=', anyOf([...new Set(orders.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf(ids))
    .orderBy('position')
    .execute();
  // As typed too: numbers that were stored earlier may have blanks.
  const numbers = new Set(entries.flatMap(({ tracking, typed }) => [tracking.toUpperCase(), typed.toUpperCase()]));
  const shipments = await trx
    .selectFrom('shipments')
    .select(['order_id', 'tracking'])
    .where('company', '=', company)
    .where('tracking_key', '=', anyOf([...numbers]))
    .where('tracking_key', '<>', '')
    .execute();
  return {
    orders,
    lines: Map.groupBy(lines, (line) => `${line.channel}\n${line.order_id}`),
    trackings: new Map(
      [...shipments, ...(await onTheirWay(trx, company, orders))].map(({ tracking, order_id }) => [
        bareTracking(tracking).toUpperCase(),
        order_id,
      ]),
    ),
  };
}

/**
 * Returns tracking numbers that were reported for these orders but that their channel does not show yet: a table is easily read
 * in twice.
 */
async function onTheirWay(trx: Trx, company: string, orders: readonly StoredOrder[]) {
  const actions = await trx
    .selectFrom('order_actions')
    .select(['order_id', 'body'])
    .where((eb) => eb.and({ company, kind: 'ship' }))
    .where('channel', '=', anyOf([...new Set(orders.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf(orders.map(({ order_id }) => order_id)))
    .where('state', 'in', inFlight)
    .execute();
  return actions.flatMap(({ order_id, body }) => {
    const action = readActionBody(body);
    return action.kind === 'ship' ? [{ order_id, tracking: action.tracking }] : [];
  });
}

/** Checks one row and returns what would happen. `used` counts the pieces of the rows above it. */
function check(
  entry: Entry,
  found: Found,
  channels: ReadonlyMap<string, OrderChannel>,
  used: Map<string, number>,
): Checked {
  const chosen = choose(entry, found, channels);
  const { order: orderid, tracking, returntracking, line } = entry;
  const row = { line, orderid, channel: '', productid: '', quantity: null, tracking, returntracking };
  if ('message' in chosen)
    return { row: { ...row, carrier: entry.carrier, ...chosen, state: 'error' }, parcel: undefined };
  const { channel, carrier } = chosen;
  const pieces = piecesOf(entry, chosen, used);
  if (typeof pieces === 'string')
    return { row: { ...row, channel, carrier, state: 'error', message: pieces }, parcel: undefined };
  const quantity = pieces.reduce((sum, piece) => sum + piece.quantity, 0);
  const [only, another] = pieces;
  const productid = another === undefined ? (only?.productid ?? '') : '';
  const parcel = { orderid, channel, lines: pieces, carrier, tracking, returntracking };
  return { row: { ...row, channel, carrier, quantity, productid, ...verdict(entry, found, quantity) }, parcel };
}

function verdict(
  { order, tracking }: Entry,
  { trackings }: Found,
  quantity: number,
): Pick<TrackingRow, 'state' | 'message'> {
  const known = trackings.get(tracking.toUpperCase());
  if (known === order) return { state: 'warning', message: 'Diese Sendungsnummer steht schon bei dieser Bestellung.' };
  if (known !== undefined)
    return { state: 'warning', message: `Diese Sendungsnummer steht schon bei Bestellung ${known}.` };
  const message =
    quantity === 1 ? 'Ein Stück wird als versandt gemeldet.' : `${quantity} Stück werden als versandt gemeldet.`;
  return { state: 'ready', message };
}

type Chosen = {
  channel: string;
  carrier: string;
  order: StoredOrder;
  support: ChannelSupport | undefined;
  lines: StoredLine[];
};

/** Returns the order of a row and the lines concerned, or what is wrong with the row. */
function choose(
  entry: Entry,
  found: Found,
  channels: ReadonlyMap<string, OrderChannel>,
): Chosen | { message: string; channel?: string } {
  if (entry.order === '') return { message: 'Die Bestellnummer fehlt.' };
  if (entry.tracking === '') return { message: 'Die Sendungsnummer fehlt.' };
  const cut = cutNumber(entry.order, 'Bestellnummer') ?? cutNumber(entry.tracking, 'Sendungsnummer');
  if (cut !== undefined) return { message: cut };
  if (entry.carrier === '')
    return { message: 'Der Versanddienst fehlt. Wählen Sie einen für alle Zeilen ohne Angabe.' };
  const [order, another] = found.orders.filter(({ order_id }) => order_id === entry.order);
  if (order === undefined) return { message: 'Diese Bestellung gibt es hier nicht.' };
  if (another !== undefined) return { message: 'Mehrere Kanäle haben eine Bestellung mit dieser Nummer.' };
  const { channel } = order;
  const support = channels.get(channel)?.support;
  const carrier = carrierName(entry.carrier, support);
  if (support !== undefined && !support.otherCarriers && !support.carriers.includes(carrier))
    return { channel, message: `Der Kanal kennt „${entry.carrier}“ nicht. Er nimmt: ${support.carriers.join(', ')}.` };
  const all = found.lines.get(`${channel}\n${entry.order}`) ?? [];
  const { article } = entry;
  const lines = article === '' ? all : all.filter(({ sku, line_id }) => sku === article || line_id === article);
  if (lines.length === 0) return { channel, message: `Die Bestellung hat keine Position „${article}“.` };
  return { channel, order, support, carrier, lines };
}

/** Returns the pieces that a row ships and adds them to `used`; or a text saying why it ships none. */
function piecesOf(
  entry: Entry,
  { order, support, lines }: Chosen,
  used: Map<string, number>,
): { productid: string; quantity: number }[] | string {
  const key = (line: StoredLine) => `${line.channel}\n${line.order_id}\n${line.line_id}`;
  const left = (line: StoredLine) => openPieces(line) - (used.get(key(line)) ?? 0);
  const refusal = (line: StoredLine) => lineRefusal('ship', order, line, support);
  const open = lines.filter((line) => left(line) > 0 && refusal(line) === undefined);
  const [first] = open;
  if (first === undefined)
    return lines.map(refusal).find((one) => one !== undefined) ?? 'Zeilen darüber versenden schon alle offenen Stücke.';
  const wanted = entry.quantity === '' ? undefined : Number(entry.quantity.replace(',', '.'));
  if (wanted !== undefined) {
    if (readAmount(entry.quantity, 'EUR').unclear)
      return `Die Menge „${entry.quantity}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`;
    if (!Number.isInteger(wanted) || wanted < 1) return 'Die Menge ist keine ganze Zahl ab 1.';
    if (open.length > 1) return 'Eine Menge braucht die Artikelnummer dazu: die Bestellung hat mehrere Positionen.';
    if (wanted > left(first)) return `Nur noch ${left(first)} offen.`;
  }
  return open.map((line) => {
    const quantity = wanted ?? left(line);
    used.set(key(line), (used.get(key(line)) ?? 0) + quantity);
    return { productid: line.line_id, quantity };
  });
}

/** Returns one parcel for the rows of an order with the same tracking number; rows of the same line in it are added up. */
function parcelsOf(checked: readonly Checked[]): BulkParcel[] {
  const rowsOf = Map.groupBy(
    checked.flatMap(({ parcel }) => parcel ?? []),
    ({ channel, orderid, tracking }) => `${channel}\n${orderid}\n${tracking}`,
  );
  return [...rowsOf.values()].flatMap((rows) => {
    const pieces = new Map<string, number>();
    for (const { productid, quantity } of rows.flatMap(({ lines = [] }) => lines))
      pieces.set(productid, (pieces.get(productid) ?? 0) + quantity);
    const lines = [...pieces].map(([productid, quantity]) => ({ productid, quantity }));
    return rows.slice(0, 1).map((first) => ({ ...first, lines }));
  });
}
