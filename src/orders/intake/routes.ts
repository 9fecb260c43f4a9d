import type { FastifyInstance } from 'fastify';
import type { TitleDeps } from '#catalogue/titles/item-titles.ts';
import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import type { Clock } from '#platform/clock.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { readUploadedTable, type WorkbookDeps } from '#platform/http/bodies/workbook-upload.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { api } from '#shared/http/api.ts';
import type { IntakeCounts, NewOrder } from '#shared/orders/intake.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { orderChannels, type ChannelDeps } from '#orders/actions/channel-support.ts';
import { fileOf } from '#orders/files/receive-file.ts';
import { requestCancellation } from './cancel-request.ts';
import { contradiction } from './contradiction.ts';
import { missingTitles } from './catalogue-items.ts';
import { orderUpload } from './order-upload.ts';
import { takeOrders, type IntakeDeps } from './take-orders.ts';

export type IntakeRouteDeps = ChannelDeps & IntakeDeps & TitleDeps & WorkbookDeps & { clock: Clock; log: Log };

/** Registers the routes for orders of channels without a connector: sent by a program or as a file. */
export function orderIntakeRoutes(app: FastifyInstance, deps: IntakeRouteDeps): void {
  route(app, api.createOrders, ({ principal, body }) => takeNew(deps, principal, 'call', body.channel, body.orders));

  route(app, api.importOrders, async ({ principal, query, request, signal }) => {
    const file = await readUploadedTable(deps, orderUpload, await fileOf(request), principal, signal);
    const { orders, cancelRequests, rejected, ofPieces, notes } = file.read;
    const counts = await takeNew(deps, principal, 'file', query.channel, orders, ofPieces);
    counts.rejected.push(...rejected);
    for (const order of cancelRequests) {
      const isKnown = await requestCancellation(deps, principal, query.channel, order);
      if (isKnown) counts.changed += 1;
      else
        counts.rejected.push({ orderid: order, message: 'Stornowunsch zu einer Bestellung, die es hier nicht gibt.' });
    }
    return { ...counts, notes: [...file.notes, ...(notes ?? [])] };
  });
}

/**
 * Orders stored in one transaction. Others wait for it in the embedded database, and 40,000 orders take half a minute. If a later
 * one fails, the user learns how many are stored, and can read the file again: these are unchanged then.
 */
const PORTION = 500;

/** Stores new orders. @throws KontorError if the company has no such channel, or its marketplace delivers the orders itself */
export async function takeNew(
  deps: IntakeRouteDeps,
  principal: Principal,
  source: 'call' | 'file',
  channel: string,
  orders: readonly NewOrder[],
  ofPieces = false,
): Promise<IntakeCounts> {
  const { company, name: author } = principal;
  const found = (await orderChannels(deps, company, [channel])).get(channel);
  if (found === undefined || found.support?.gone === true)
    throw unprocessable('no_channel', 'Diesen Kanal gibt es nicht. Es wurde nichts gespeichert.', [
      { field: 'channel', message: 'Unbekannter Kanal' },
    ]);
  if (found.account !== undefined && found.support !== undefined)
    throw unprocessable(
      'own_orders',
      'Die Bestellungen dieses Kontos liest Kontor selbst beim Marktplatz. Es wurde nichts gespeichert.',
      [{ field: 'channel', message: 'Wird selbst gelesen' }],
    );
  const counts: IntakeCounts = { new: 0, changed: 0, unchanged: 0, old: 0, rejected: [] };
  const now = deps.clock.now();
  const good = orders.filter((order) => {
    const message = contradiction(order, now);
    if (message !== undefined) counts.rejected.push({ orderid: order.orderid, message });
    return message === undefined;
  });
  const titles = await missingTitles(deps, company, channel, good);
  const incoming = { channel, channelName: found.name, source, by: source, author, ofPieces, titles };
  // An order may occur twice, in two portions: the older state is stored first.
  const read = good
    .map((order) => toOrder(order, now))
    .sort((one, other) => one.changedAt.getTime() - other.changedAt.getTime());
  for (let from = 0; from < read.length; from += PORTION) {
    const orders = read.slice(from, from + PORTION);
    const results = await deps.database
      .company(company, (trx) => takeOrders(trx, deps, company, { ...incoming, orders }, now))
      .catch((error: unknown) => {
        throw from === 0 ? error : interrupted(from, read.length, error);
      });
    for (const [at, result] of results.entries()) {
      if (result === 'other_lines') counts.rejected.push({ orderid: orders[at]?.order ?? '', message: otherLines });
      else counts[result === 'same' ? 'unchanged' : result] += 1;
    }
  }
  return counts;
}

const interrupted = (stored: number, all: number, cause: unknown) =>
  new KontorError(
    503,
    'import_interrupted',
    `Erst ${integerText(stored)} von ${integerText(all)} Bestellungen sind gespeichert, dann gab es eine Störung. Bitte lesen Sie die Datei in einigen Minuten noch einmal ein: Was gespeichert ist, ändert sich dadurch nicht.`,
    { cause, retryAfter: 60 },
  );

const otherLines =
  'Die Bestellung ist hier schon gespeichert, aber mit anderen Kennungen ihrer Positionen. Sie wurde nicht noch einmal aufgenommen, damit niemand sie doppelt versendet. Bitte lesen Sie die Bestellungen eines Kanals immer aus demselben Exportprofil ein.';

function toOrder(order: NewOrder, now: Date): ChannelOrder {
  const date = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    order: order.orderid,
    placedAt: new Date(order.placed_at),
    changedAt: date(order.changed_at) ?? now,
    rawState: '',
    pending: order.pending,
    // The buyer's cancellation request is a separate document.
    hold: undefined,
    fulfilledBy: 'merchant',
    confirmable: true,
    shipBy: date(order.ship_by),
    deliverBy: date(order.deliver_by),
    currency: order.currency,
    country: order.country,
    taxScheme: '',
    programs: [],
    buyerOrderNumber: order.buyer_order_number,
    replaces: '',
    complete: true,
    lines: order.lines.map((line) => ({
      line: line.productid,
      sku: line.sku,
      title: line.title,
      productId: '',
      ordered: line.ordered,
      shipped: line.shipped,
      cancelled: line.cancelled,
      unitCents: line.unit_cents,
      discountCents: line.discount_cents,
      shippingCents: line.shipping_cents,
      taxRate: line.tax_rate,
    })),
    persons: order.persons,
  };
}
