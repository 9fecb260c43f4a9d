import type { FastifyInstance } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { anyOf } from '#platform/db/pg.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { fileHeaders } from '#catalogue/spreadsheet-csv.ts';
import { api } from '#shared/http/api.ts';
import { Person, type OrderPersons, type readingPurposes } from '#shared/orders/persons.ts';
import { lockOrders } from '#orders/model/load-orders.ts';
import { channelOf } from '#orders/actions/channel-support.ts';
import { erase } from './erase-persons.ts';
import { personPlace } from './save-persons.ts';
import { personReport } from './person-report.ts';

export type PersonDeps = { database: Database; vault: Vault; clock: Clock };

/**
 * Registers the routes of buyers' personal data: they need a permission of their own, and each reading is recorded before it is
 * answered.
 */
export function personRoutes(app: FastifyInstance, deps: PersonDeps): void {
  const { database, vault, clock } = deps;
  const read = (principal: Principal, orders: readonly OrderRef[], purpose: (typeof readingPurposes)[number]) =>
    database.company(principal.company, async (trx) => {
      const known = await knownOrders(trx, principal.company, orders);
      if (known.length === 0) throw notFound('Diese Bestellung');
      await noteReadings(trx, principal, known, purpose, clock.now());
      return openPersons(trx, vault, principal.company, known);
    });

  route(app, api.orderPersons, async ({ principal, body }) => ({
    persons: await read(principal, body.orders, body.purpose),
  }));

  // People who pack see the delivery address, and no other data of the buyer.
  route(app, api.slipAddresses, async ({ principal, body }) => {
    const persons = await read(principal, body.orders, 'packing_slip');
    return {
      addresses: persons.map(({ orderid, channel, delivery, buyer }) => {
        const receiver = delivery ?? buyer;
        return { orderid, channel, receiver: receiver === undefined ? null : { ...receiver, email: '', phone: '' } };
      }),
    };
  });

  personOfOrderRoutes(app, deps);
}

/** Registers the routes for one order: erase the data, export it, and list who read it. */
function personOfOrderRoutes(app: FastifyInstance, { database, vault, clock }: PersonDeps): void {
  route(app, api.erasePersons, async ({ principal, params, query, audit }) => {
    const { company, name } = principal;
    await database.company(company, async (trx) => {
      const channel = await channelOf(trx, company, params.orderid, query.channel);
      // An intake that brings a new address locks the order too: it ends first, or sees that its data was erased.
      await lockOrders(trx, company, channel, [params.orderid]);
      await erase(trx, [{ company, channel, order_id: params.orderid }], {
        source: 'user',
        author: name,
        at: clock.now(),
      });
      await audit.within(trx);
    });
    return { ok: true as const };
  });

  route(app, api.reportPersons, async ({ principal, params, query, reply }) => {
    const { company } = principal;
    const now = clock.now();
    const report = await database.company(company, async (trx) => {
      const channel = await channelOf(trx, company, params.orderid, query.channel);
      const order = await trx
        .selectFrom('orders')
        .selectAll()
        .where((eb) => eb.and({ company, channel, order_id: params.orderid }))
        .executeTakeFirstOrThrow();
      await noteReadings(trx, principal, [{ channel, orderid: params.orderid }], 'export', now);
      return personReport(trx, vault, order, now);
    });
    fileHeaders(reply, 'application/json; charset=utf-8', `Auskunft ${params.orderid}.json`);
    return reply.send(`${JSON.stringify(report, null, 2)}\n`);
  });

  route(app, api.personReadings, async ({ principal, params, query }) => {
    const { company } = principal;
    const rows = await database.company(company, async (trx) => {
      const channel = await channelOf(trx, company, params.orderid, query.channel);
      return trx
        .selectFrom('person_readings')
        .select(['at', 'reader', 'purpose'])
        .where((eb) => eb.and({ company, channel, order_id: params.orderid }))
        .orderBy('id', 'desc')
        .limit(500)
        .execute();
    });
    return { readings: rows.map((row) => ({ ...row, at: row.at.toISOString() })) };
  });
}

/** Returns a user's name and address as colleagues know it; of an API token its name. */
const readerOf = ({ name, email, by }: Principal): string => (by === 'token' ? name : `${name} (${email})`);

type OrderRef = { channel: string; orderid: string };

async function noteReadings(
  trx: Trx,
  principal: Principal,
  orders: readonly OrderRef[],
  purpose: (typeof readingPurposes)[number],
  at: Date,
): Promise<void> {
  const { company } = principal;
  const reader = readerOf(principal);
  await trx
    .insertInto('person_readings')
    .values(orders.map(({ channel, orderid }) => ({ company, at, reader, channel, order_id: orderid, purpose })))
    .execute();
}

/** Returns those of these orders that the company has: a reading is recorded only for existing orders. */
async function knownOrders(trx: Trx, company: string, orders: readonly OrderRef[]): Promise<OrderRef[]> {
  const found = await trx
    .selectFrom('orders')
    .select(['channel', 'order_id'])
    .where('company', '=', company)
    .where('order_id', '=', anyOf(orders.map(({ orderid }) => orderid)))
    .execute();
  const keys = new Set(found.map(({ channel, order_id }) => `${channel}\n${order_id}`));
  return orders.filter(({ channel, orderid }) => keys.has(`${channel}\n${orderid}`));
}

async function openPersons(
  trx: Trx,
  vault: Vault,
  company: string,
  orders: readonly OrderRef[],
): Promise<OrderPersons[]> {
  const rows = await trx
    .selectFrom('order_persons')
    .select(['channel', 'order_id', 'role', 'version', 'sealed', 'erase_after'])
    .where('company', '=', company)
    .where('channel', '=', anyOf([...new Set(orders.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf(orders.map(({ orderid }) => orderid)))
    .orderBy('version')
    .execute();
  const rowsOf = Map.groupBy(rows, (row) => `${row.channel}\n${row.order_id}`);
  return orders.map(({ channel, orderid }) => {
    const own = rowsOf.get(`${channel}\n${orderid}`) ?? [];
    const persons: OrderPersons = {
      orderid,
      channel,
      changed: own.some(({ version, role }) => version > 1 && role === 'delivery'),
      erase_after: own[0]?.erase_after.toISOString() ?? null,
    };
    // In the order of the versions: the latest one wins.
    for (const row of own)
      persons[row.role] = Person.parse(JSON.parse(vault.open(company, personPlace(row, row.role), row.sealed)));
    return persons;
  });
}
