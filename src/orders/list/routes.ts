import type { FastifyInstance } from 'fastify';
import { channelOf, orderChannels, type ChannelDeps, type OrderChannel } from '#orders/actions/channel-support.ts';
import { csvHeaders, spreadsheetCsvRows } from '#catalogue/spreadsheet-csv.ts';
import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { csvName } from '#shared/items/csv-name.ts';
import { orderFilterLabels } from '#shared/orders/state-labels.ts';
import type { StoredOrder } from '#orders/model/order-record.ts';
import { namedChannels } from '#orders/model/named-channels.ts';
import { endOfToday } from './end-of-today.ts';
import { countOrders, findOrders, MOST } from './find-orders.ts';
import { LIST_LINES, linesOfOrders, openBeyond, orderKey, toRow, type RowChannel } from './order-rows.ts';
import { orderCells } from './orders-csv.ts';
import { orderDetails } from './order-details.ts';
import { detailsWithoutPrices, rowWithoutPrices, seesPrices } from './without-prices.ts';

export type ListDeps = ChannelDeps & { clock: Clock };

/** Registers the routes of the order list, its counters, and one order. */
export function orderListRoutes(app: FastifyInstance, deps: ListDeps): void {
  const { database, clock } = deps;

  route(app, api.orders, async ({ principal, query }) => {
    const { company } = principal;
    if (query.offset > MOST)
      throw unprocessable('too_far', 'So weit hinten wird nicht geblättert. Bitte suchen oder filtern Sie.');
    const now = clock.now();
    const { orders, total, counters, channels, lines, open } = await database.company(company, async (trx) => {
      const page = await findOrders(trx, company, { ...query, channel: query.channel }, endOfToday(now));
      return {
        ...page,
        lines: await linesOfOrders(trx, company, page.orders, LIST_LINES),
        open: await openBeyond(trx, company, page.orders, LIST_LINES),
        counters: await countOrders(trx, company, now, endOfToday(now)),
        channels: await channelsWithOrders(trx, company),
      };
    });
    const known = await orderChannels(deps, company, [...new Set(orders.map(({ channel }) => channel))]);
    return {
      rows: orders
        .map((order) => {
          const key = orderKey(order);
          return toRow(order, lines.get(key) ?? [], rowChannel(known.get(order.channel)), open.get(key));
        })
        .map((row) => (seesPrices(principal.permissions) ? row : rowWithoutPrices(row))),
      total: Math.min(total, MOST),
      total_most: MOST,
      counters,
      channels,
      as_of: now.toISOString(),
    };
  });

  csvRoute(app, deps);

  route(app, api.orderCounters, ({ principal }) => {
    const now = clock.now();
    return database.company(principal.company, (trx) => countOrders(trx, principal.company, now, endOfToday(now)));
  });

  route(app, api.order, async ({ principal, params, query }) => {
    const { company } = principal;
    const id = await database.company(company, (trx) => channelOf(trx, company, params.orderid, query.channel));
    const known = await orderChannels(deps, company, [id]);
    const details = await database.company(company, async (trx) =>
      orderDetails(trx, await loadOrder(trx, company, id, params.orderid), rowChannel(known.get(id))),
    );
    return seesPrices(principal.permissions) ? details : detailsWithoutPrices(details);
  });
}

/** The list as a file: what it shows and in its order, a row for each line of an order. */
function csvRoute(app: FastifyInstance, { database, clock }: ListDeps): void {
  route(app, api.ordersCsv, async ({ principal, query, reply }) => {
    const { company } = principal;
    const wanted = { ...query, offset: 0, limit: MOST };
    const { orders, names } = await database.company(company, async (trx) => ({
      ...(await findOrders(trx, company, { ...wanted, channel: query.channel }, endOfToday(clock.now()))),
      names: new Map((await channelsWithOrders(trx, company)).map(({ id, name }) => [id, name])),
    }));
    const prices = seesPrices(principal.permissions);
    const { header, rows } = orderCells(database, company, orders, { prices, names });
    csvHeaders(reply, csvName('Bestellungen', orderFilterLabels[query.filter]));
    return spreadsheetCsvRows(header, rows);
  });
}

const rowChannel = (channel: OrderChannel | undefined): RowChannel | undefined =>
  channel && { name: channel.name, marketplace: channel.account?.marketplace ?? '', support: channel.support };

/** Loads an order. @throws KontorError 404 */
async function loadOrder(trx: Trx, company: string, channel: string, order_id: string): Promise<StoredOrder> {
  const order = await trx
    .selectFrom('orders')
    .selectAll()
    .where((eb) => eb.and({ company, channel, order_id }))
    .executeTakeFirst();
  if (order === undefined) throw notFound('Diese Bestellung');
  return order;
}

/**
 * Returns the channels with orders, from the day counters, which have few rows. With current names; a deleted channel has the
 * name stored with its orders.
 */
async function channelsWithOrders(trx: Trx, company: string): Promise<{ id: string; name: string }[]> {
  const rows = await trx
    .selectFrom('order_days as d')
    .select('d.channel as id')
    .distinct()
    .where('d.company', '=', company)
    .execute();
  const today = await namedChannels(
    trx,
    company,
    rows.map(({ id }) => id),
  );
  const names = await Promise.all(
    rows.map(async ({ id }) => {
      const known = today.get(id);
      if (known !== undefined) return { id, name: known.name };
      const newest = await trx
        .selectFrom('orders')
        .select('channel_name')
        .where((eb) => eb.and({ company, channel: id }))
        .orderBy('changed_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return { id, name: newest?.channel_name ?? id };
    }),
  );
  return names.toSorted((one, other) => one.name.localeCompare(other.name, 'de'));
}
