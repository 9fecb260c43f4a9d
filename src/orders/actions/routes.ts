import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Ids } from '#platform/ids.ts';
import { anyOf } from '#platform/db/pg.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { requestKeyOf } from '#platform/http/request-keys.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import type { ActionTaken } from '#shared/orders/schema.ts';
import type { BulkParcel } from '#shared/orders/tracking.ts';
import { channelOf, orderChannels, type ChannelDeps, type OrderChannel } from './channel-support.ts';
import { requestAction, type RequestedAction, type WantedAction } from './request-action.ts';
import { declineRoute, resolveRoutes } from './resolve-routes.ts';
import { readTracking } from './tracking-table.ts';

export type ActionDeps = ChannelDeps & { clock: Clock; ids: Ids };

/** Registers the routes of actions on orders (OIM), for one line or for many orders at a time. */
export function orderActionRoutes(app: FastifyInstance, deps: ActionDeps): void {
  itemRoutes(app, deps);
  bulkRoutes(app, deps);
  resolveRoutes(app, deps);
  declineRoute(app, deps);
}

const noted = {
  ship: 'Der Versand ist vermerkt',
  cancel: 'Die Stornierung ist vermerkt',
  return: 'Die Retoure ist vermerkt',
  refund: 'Die Erstattung ist vermerkt',
} as const;

function taken(
  { id, state }: RequestedAction,
  kind: WantedAction['kind'],
  channel: OrderChannel | undefined,
): ActionTaken {
  const deletedChannelText = '. Der Kanal ist gelöscht und erfährt es nicht: bitte erledigen Sie es dort selbst.';
  const rest =
    channel?.support?.gone === true ? deletedChannelText : state === 'done' ? '.' : ' und wird dem Kanal gemeldet.';
  return { ok: true, success: `${noted[kind]}${rest}`, action: id, state };
}

type On = {
  principal: Principal;
  params: { orderid: string; productid: string };
  body: { orderid?: unknown; productid?: unknown };
  query: { channel?: string | undefined };
  request: FastifyRequest;
};

function itemRoutes(app: FastifyInstance, deps: ActionDeps): void {
  const act = async ({ principal, params, body, query, request }: On, wanted: WantedAction): Promise<ActionTaken> => {
    requireSame(params, body);
    const { company } = principal;
    const id = await deps.database.company(company, (trx) => channelOf(trx, company, params.orderid, query.channel));
    const channel = (await orderChannels(deps, company, [id])).get(id);
    return taken(
      await perform(deps, principal, { id, channel, order: params.orderid, formKey: requestKeyOf(request) }, wanted),
      wanted.kind,
      channel,
    );
  };
  route(app, api.fulfillItem, (input) => {
    const { quantity, carrier, tracking, returntracking } = input.body;
    const lines = [{ line: input.params.productid, quantity }];
    return act(input, { kind: 'ship', lines, carrier, tracking, returnTracking: returntracking });
  });
  route(app, api.cancelItem, (input) => {
    const { productid: line, quantity, reason } = input.params;
    return act(input, { kind: 'cancel', line, quantity, reason });
  });
  route(app, api.returnItem, (input) => {
    const { productid: line, quantity, reason } = input.params;
    return act(input, { kind: 'return', line, quantity, reason });
  });
  route(app, api.refundItem, (input) => {
    const { cents, reason } = input.body;
    return act({ ...input, body: {} }, { kind: 'refund', line: input.params.productid, cents, reason });
  });
}

const itemNames = { orderid: 'Bestellnummer', productid: 'Nummer der Position' } as const;

/** Refuses a body that names another order or line than the address: acting on one of the two might be the wrong one. */
function requireSame(params: On['params'], body: On['body']): void {
  for (const name of ['orderid', 'productid'] as const) {
    const [said, addressed] = [body[name], params[name]];
    if (typeof said !== 'string' && typeof said !== 'number') continue;
    // A data grid sends digits as a number, without their leading zeros.
    if (typeof said === 'number' ? said === Number(addressed) : said.trim() === addressed.trim()) continue;
    const message = `Die ${itemNames[name]} im Inhalt („${said}“) ist eine andere als die in der Adresse („${addressed}“): Es ist unklar, welche gemeint ist. Es wurde nichts geändert. Bitte nennen Sie in beiden dieselbe.`;
    throw unprocessable('invalid', message, [{ field: name, message }]);
  }
}

type Target = { id: string; channel: OrderChannel | undefined; order: string; formKey: string | undefined };

const perform = ({ database, clock, ids }: ActionDeps, principal: Principal, target: Target, wanted: WantedAction) =>
  database.company(principal.company, (trx) =>
    requestAction(
      trx,
      ids,
      {
        company: principal.company,
        channel: target.id,
        order: target.order,
        author: principal.name,
        formKey: target.formKey,
        support: target.channel?.support,
        remote: target.channel?.account !== undefined,
        now: clock.now(),
      },
      wanted,
    ),
  );

function bulkRoutes(app: FastifyInstance, deps: ActionDeps): void {
  route(app, api.checkTracking, ({ principal, body }) => readTracking(deps, principal.company, body));

  route(app, api.shipOrders, async ({ principal, body, request }) => {
    const channels = await orderChannels(deps, principal.company, [
      ...new Set(body.parcels.map(({ channel }) => channel)),
    ]);
    const key = requestKeyOf(request);
    const known = await knownOrders(deps, principal.company, body.parcels);
    const results = [];
    for (const [n, parcel] of body.parcels.entries()) {
      // Each parcel in its own transaction: a failed one does not stop the others, and a repeated form ships none twice.
      const formKey = key === undefined ? undefined : `${key}/${n}`;
      const { orderid, channel } = parcel;
      try {
        if (!known(parcel)) throw notFound('Diese Bestellung');
        await shipParcel(deps, principal, parcel, channels.get(channel), formKey);
        const gone = channels.get(channel)?.support?.gone === true;
        const message = gone ? 'Vermerkt. Der Kanal ist gelöscht und erfährt es nicht.' : 'Vermerkt.';
        results.push({ orderid, channel, ok: true, message });
      } catch (error) {
        if (!(error instanceof KontorError)) throw error;
        results.push({ orderid, channel, ok: false, message: error.message });
      }
    }
    return { results };
  });
}

/** Returns a test of which orders exist, by one query: a file of another shop is refused without a transaction for each row. */
async function knownOrders(
  { database }: ActionDeps,
  company: string,
  parcels: readonly BulkParcel[],
): Promise<(parcel: BulkParcel) => boolean> {
  const keyOf = (channel: string, order: string) => JSON.stringify([channel, order]);
  const rows = await database.company(company, (trx) =>
    trx
      .selectFrom('orders')
      .select(['channel', 'order_id'])
      .where('company', '=', company)
      .where('channel', '=', anyOf([...new Set(parcels.map(({ channel }) => channel))]))
      .where('order_id', '=', anyOf([...new Set(parcels.map(({ orderid }) => orderid))]))
      .execute(),
  );
  const known = new Set(rows.map(({ channel, order_id: order }) => keyOf(channel, order)));
  return ({ channel, orderid }) => known.has(keyOf(channel, orderid));
}

async function shipParcel(
  deps: ActionDeps,
  principal: Principal,
  parcel: BulkParcel,
  channel: OrderChannel | undefined,
  formKey: string | undefined,
): Promise<void> {
  const lines = parcel.lines?.map(({ productid, quantity }) => ({ line: productid, quantity })) ?? 'open';
  await perform(
    deps,
    principal,
    { id: parcel.channel, channel, order: parcel.orderid, formKey },
    { kind: 'ship', lines, carrier: parcel.carrier, tracking: parcel.tracking, returnTracking: parcel.returntracking },
  );
}
