import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, offset, Ok } from '#shared/http/call-parts.ts';
import { DayRange } from '#shared/values/day-range.ts';
import { EuroRate, ExchangeRates, ForeignCurrency } from './exchange-rates.ts';
import { IntakeCounts, NewOrder, OrderFileCounts } from './intake.ts';
import { OrderPersons, Person, readingPurposes } from './persons.ts';
import {
  ActionTaken,
  channelId,
  ItemPayload,
  OrderCounters,
  OrderDetails,
  orderFilters,
  OrderRow,
  pieces,
  ShipmentPayload,
} from './schema.ts';
import { StatisticRow } from './statistic.ts';
import { BulkParcel, BulkResult, TrackingRow } from './tracking.ts';

const orderid = z.object({ orderid: channelId });
const line = z.object({ orderid: channelId, productid: channelId });
/** Two channels may use the same order number; absent: an order that only one channel has is found by its number alone. */
const ofChannel = z.object({ channel: z.string().min(1).max(40).optional() });

/** OIM: actions on one line of an order. With a form's `Idempotency-Key` a second click returns the state of the first. */
const itemCalls = {
  fulfillItem: {
    method: 'POST',
    ownKey: true,
    path: '/apis/order/{orderid}/{productid}/fulfill/',
    summary: 'Stücke einer Bestellposition als versandt melden (höchstens einmal beim Marktplatz)',
    access: 'ship',
    params: line,
    query: ofChannel,
    body: ShipmentPayload,
    response: ActionTaken,
  },
  cancelItem: {
    method: 'POST',
    ownKey: true,
    path: '/apis/order/{orderid}/{productid}/cancel/{quantity}/{reason}',
    summary: 'Stücke einer Bestellposition stornieren',
    access: 'orders',
    params: line.extend({ quantity: z.coerce.number().pipe(pieces), reason: z.string().max(100) }),
    query: ofChannel,
    body: ItemPayload,
    response: ActionTaken,
  },
  returnItem: {
    method: 'POST',
    ownKey: true,
    path: '/apis/order/{orderid}/{productid}/return/{quantity}/{reason}',
    summary: 'Retoure von Stücken einer Bestellposition annehmen',
    access: 'orders',
    params: line.extend({ quantity: z.coerce.number().pipe(pieces), reason: z.string().max(100) }),
    query: ofChannel,
    body: ItemPayload,
    response: ActionTaken,
  },
  refundItem: {
    method: 'POST',
    ownKey: true,
    path: '/api/orders/{orderid}/{productid}/refund',
    summary: 'Einen Teil des Preises einer Bestellposition erstatten, wo der Kanal es kann',
    access: 'orders',
    params: line,
    query: ofChannel,
    body: z.object({ cents: z.number().int().min(1), reason: z.string().trim().min(1).max(200) }),
    response: ActionTaken,
  },
} as const satisfies Record<string, Call>;

/** Calls for many parcels at once, and for actions that wait or are unclear. */
const actionCalls = {
  checkTracking: {
    method: 'POST',
    path: '/api/orders/tracking/check',
    summary: 'Sendungsnummern aus einer Tabelle prüfen, ohne etwas zu senden',
    access: 'ship',
    body: z.object({ text: z.string().max(1_000_000), carrier: z.string().max(50).default('') }),
    response: z.object({ rows: z.array(TrackingRow), parcels: z.array(BulkParcel) }),
    bodyLimit: 2 * 1024 * 1024,
  },
  shipOrders: {
    method: 'POST',
    ownKey: true,
    path: '/api/orders/ship',
    summary: 'Mehrere Sendungen melden; jede für sich, mit ihrem Ergebnis',
    access: 'ship',
    body: z.object({ parcels: z.array(BulkParcel).min(1).max(2000) }),
    response: z.object({ results: z.array(BulkResult) }),
    bodyLimit: 2 * 1024 * 1024,
  },
  withdrawAction: {
    method: 'POST',
    path: '/api/orders/actions/{id}/withdraw',
    summary: 'Eine Aktion zurückziehen, die noch nicht gesendet wurde',
    access: 'orders',
    params: z.object({ id }),
    response: Ok,
  },
  declineCancellation: {
    method: 'POST',
    path: '/api/orders/{orderid}/decline-cancellation',
    summary: 'Trotz Stornowunsch versenden: die Sperre der Bestellung aufheben',
    access: 'orders',
    params: orderid,
    query: ofChannel,
    response: Ok,
  },
  resolveAction: {
    method: 'POST',
    path: '/api/orders/actions/{id}/resolve',
    summary: 'Eine ungeklärte Aktion klären: sie ist dort geschehen oder nicht',
    access: 'orders',
    params: z.object({ id }),
    body: z.object({
      outcome: z.enum(['done', 'not_done']),
      reason: z.string().trim().min(3, 'Bitte sagen Sie, woher Sie es wissen.').max(500),
    }),
    response: Ok,
  },
} as const satisfies Record<string, Call>;

const orderRefs = z
  .array(z.object({ orderid: channelId, channel: z.string().min(1).max(40) }))
  .min(1)
  .max(200);

/** Calls for personal data: a permission of its own, every reading is recorded. */
const personCalls = {
  orderPersons: {
    security: 'persons',
    method: 'POST',
    path: '/api/orders/persons',
    summary: 'Personendaten von Bestellungen lesen; jedes Lesen wird vermerkt',
    access: 'persons',
    body: z.object({
      purpose: z.enum(readingPurposes),
      orders: orderRefs,
    }),
    response: z.object({ persons: z.array(OrderPersons) }),
  },
  slipAddresses: {
    security: 'persons',
    method: 'POST',
    path: '/api/orders/slips/addresses',
    summary: 'Lieferadressen für Lieferscheine lesen; jedes Lesen wird vermerkt',
    access: 'ship',
    body: z.object({ orders: orderRefs }),
    response: z.object({
      addresses: z.array(z.object({ orderid: channelId, channel: z.string(), receiver: Person.nullable() })),
    }),
  },
  erasePersons: {
    security: 'persons',
    method: 'POST',
    path: '/api/orders/{orderid}/persons/erase',
    summary: 'Personendaten einer Bestellung sofort löschen',
    access: 'persons',
    params: orderid,
    query: ofChannel,
    response: Ok,
  },
  reportPersons: {
    security: 'persons',
    method: 'POST',
    path: '/api/orders/{orderid}/persons/report',
    summary:
      'Alles, was zur Person einer Bestellung gespeichert ist, als Datei (Art. 15 DSGVO); das Lesen wird vermerkt',
    access: 'persons',
    params: orderid,
    query: ofChannel,
    mediaType: 'application/json',
  },
  personReadings: {
    method: 'GET',
    path: '/api/orders/{orderid}/persons/readings',
    summary: 'Wer die Personendaten einer Bestellung wann gelesen hat',
    access: 'persons',
    params: orderid,
    query: ofChannel,
    response: z.object({ readings: z.array(z.object({ at: z.string(), reader: z.string(), purpose: z.string() })) }),
  },
} as const satisfies Record<string, Call>;

const selection = {
  filter: z.enum(orderFilters).default('offen'),
  /** Order number, article number or tracking number. */
  search: z.string().trim().max(200).default(''),
  channel: z.string().max(40).optional(),
  /** Orders that contain this item of a catalogue, as the stock counts them: also if the line has another article number. */
  masterid: z.string().max(40).optional(),
  item: z.string().min(1).max(2000).optional(),
} as const;
const namesItem = ({ masterid, item }: { masterid?: string | undefined; item?: string | undefined }) =>
  (masterid === undefined) === (item === undefined);
const itemError = { path: ['item'], error: '„masterid“ und „item“ gehören zusammen: der Artikel eines Katalogs.' };

export const orderCalls = {
  orders: {
    method: 'GET',
    path: '/api/orders',
    summary: 'Bestellungen, gefiltert und gesucht; ohne Personendaten',
    access: 'ship',
    query: z
      .object({ ...selection, offset, limit: z.coerce.number().int().min(1).max(100).default(50) })
      .refine(namesItem, itemError),
    response: z.object({
      rows: z.array(OrderRow),
      /** At most `total_most`: more are not counted. */
      total: z.number().int(),
      total_most: z.number().int(),
      counters: OrderCounters,
      channels: z.array(z.object({ id: z.string(), name: z.string() })),
      as_of: z.string(),
    }),
    question: 'records',
  },
  ordersCsv: {
    security: 'download',
    method: 'GET',
    path: '/api/orders/csv',
    summary:
      'Die Positionen der gefilterten Bestellungen als CSV-Datei, höchstens 10.000 Bestellungen; ohne Personendaten',
    access: 'ship',
    query: z.object(selection).refine(namesItem, itemError),
    mediaType: 'text/csv',
    question: 'file',
  },
  orderCounters: {
    method: 'GET',
    path: '/api/orders/counters',
    summary: 'Wie viele Bestellungen auf jemanden warten',
    access: 'ship',
    response: OrderCounters,
    question: 'records',
  },
  createOrders: {
    method: 'POST',
    path: '/api/orders',
    summary: 'Bestellungen eines Kanals übergeben; dieselbe noch einmal ändert nichts',
    access: 'orders',
    body: z.object({ channel: z.string().min(1).max(40), orders: z.array(NewOrder).min(1).max(500) }),
    response: IntakeCounts,
    bodyLimit: 8 * 1024 * 1024,
  },
  importOrders: {
    method: 'POST',
    path: '/api/orders/import',
    summary:
      'Bestellungen aus einer Datei einlesen: CSV oder Arbeitsmappe (.xlsx, .xls, .ods) mit Kopfzeile, openTRANS oder Afterbuy (XML), idealo, OTTO oder Kaufland (JSON); multipart mit file, oder JSON {text}',
    access: 'orders',
    query: z.object({ channel: z.string().min(1).max(40) }),
    upload: { form: z.object({ file: z.file() }), json: z.object({ text: z.string().max(20_000_000) }) },
    response: OrderFileCounts,
  },
  order: {
    method: 'GET',
    path: '/api/orders/{orderid}',
    summary: 'Eine Bestellung mit allem, was mit ihr geschah; ohne Personendaten',
    access: 'ship',
    params: orderid,
    query: ofChannel,
    response: OrderDetails,
  },
  orderStatistic: {
    method: 'POST',
    path: '/dashboard/orders/statistic',
    summary: 'Umsatz und Menge je Tag und Kanal',
    access: 'orders',
    body: DayRange,
    response: z.array(StatisticRow),
    form: true,
    question: 'records',
  },
  exchangeRates: {
    method: 'GET',
    path: '/api/exchange-rates',
    summary: 'Stand der Wechselkurse, nach denen die Auswertung andere Währungen in Euro sagt',
    access: 'orders',
    response: ExchangeRates,
  },
  setExchangeRate: {
    method: 'POST',
    path: '/api/exchange-rates',
    summary: 'Eigenen Kurs einer Währung setzen, der gilt, wo kein Referenzkurs bekannt ist; null entfernt ihn',
    access: 'orders',
    body: z.object({ currency: ForeignCurrency, rate: EuroRate.nullable() }),
    response: ExchangeRates,
  },
  ...itemCalls,
  ...actionCalls,
  ...personCalls,
} as const satisfies Record<string, Call>;
