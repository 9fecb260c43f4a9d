import type { FastifyInstance } from 'fastify';
import { KontorError, notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { addEvents } from '#orders/model/events.ts';
import { lockOrders } from '#orders/model/load-orders.ts';
import { channelOf } from './channel-support.ts';
import type { ActionDeps } from './routes.ts';
import { finishAction, lockAction, refuseAction } from './settle-action.ts';

/** Registers the routes by which people decide about actions that wait or whose result is unclear. */
export function resolveRoutes(app: FastifyInstance, { database, clock, ids }: ActionDeps): void {
  const ended = () =>
    new KontorError(
      409,
      'ended',
      'Diese Aktion ist inzwischen beendet oder unterwegs. Es wurde nichts geändert; bitte laden Sie die Seite neu.',
    );
  const nothing = { reference: '', issues: [] };

  route(app, api.withdrawAction, async ({ principal, params }) => {
    const ref = { company: principal.company, id: params.id };
    await database.company(principal.company, async (trx) => {
      await requireAction(trx, ref);
      const locked = await lockAction(trx, ref);
      // One sent without an answer waits to be sent again: released, its pieces could be shipped or refunded twice.
      if (locked?.row.state !== 'new' || locked.row.sends > 0) throw ended();
      const by = { source: 'user' as const, author: principal.name };
      await refuseAction(
        trx,
        ref,
        { ...nothing, message: 'Zurückgezogen, bevor etwas gesendet wurde.' },
        clock.now(),
        by,
      );
    });
    return { ok: true as const };
  });

  route(app, api.resolveAction, async ({ principal, params, body }) => {
    const ref = { company: principal.company, id: params.id };
    await database.company(principal.company, async (trx) => {
      await requireAction(trx, ref);
      const locked = await lockAction(trx, ref);
      if (locked?.row.state !== 'unclear') throw ended();
      const by = { source: 'user' as const, author: principal.name, resolution: body.reason };
      const outcome = {
        ...nothing,
        message: body.outcome === 'done' ? 'Geklärt: es ist geschehen.' : 'Geklärt: es ist nicht geschehen.',
      };
      if (body.outcome === 'done') await finishAction(trx, ids, ref, outcome, clock.now(), by);
      else await refuseAction(trx, ref, outcome, clock.now(), by);
    });
    return { ok: true as const };
  });
}

/** Registers the route that declines the buyer's cancellation request, so that the order may be shipped. */
export function declineRoute(app: FastifyInstance, { database, clock }: ActionDeps): void {
  route(app, api.declineCancellation, async ({ principal, params, query }) => {
    const { company } = principal;
    await database.company(company, async (trx) => {
      const channel = await channelOf(trx, company, params.orderid, query.channel);
      const record = (await lockOrders(trx, company, channel, [params.orderid])).get(params.orderid);
      if (record?.order.hold !== 'cancel_requested')
        throw new KontorError(
          409,
          'not_possible',
          'Zu dieser Bestellung gibt es keinen Stornowunsch. Es wurde nichts geändert.',
        );
      const now = clock.now();
      await trx
        .updateTable('orders')
        .set({ wish_declined_at: now })
        .where((eb) => eb.and({ company, channel, order_id: params.orderid }))
        .execute();
      const event = { kind: 'wish_declined' as const, details: {} };
      await addEvents(trx, [{ order: record.order, event }], { source: 'user', author: principal.name, at: now });
    });
    return { ok: true as const };
  });
}

/** Checks that the action exists. @throws KontorError 404 if the company does not have it */
async function requireAction(
  trx: Parameters<typeof lockAction>[0],
  { company, id }: { company: string; id: string },
): Promise<void> {
  const found = await trx
    .selectFrom('order_actions')
    .select('id')
    .where((eb) => eb.and({ company, id }))
    .executeTakeFirst();
  if (found === undefined) throw notFound('Diese Aktion');
}
