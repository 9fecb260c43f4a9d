import type { FastifyInstance } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { anyOf } from '#platform/db/pg.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { Person, type OrderPersons } from '#shared/orders/persons.ts';
import { channelOf } from '#orders/actions/channel-support.ts';
import { erase } from './erase-persons.ts';
import { personPlace } from './keep-persons.ts';

export type PersonDeps = { database: Database; vault: Vault; clock: Clock };

/** Personal data of buyers: a right of its own, and every reading is a row before anything is shown. */
export function personRoutes(app: FastifyInstance, { database, vault, clock }: PersonDeps): void {
  route(app, api.orderPersons, async ({ principal, body }) => {
    const { company } = principal;
    const persons = await database.company(company, async (trx) => {
      const known = await knownOrders(trx, company, body.orders);
      if (known.length === 0) throw notFound('Diese Bestellung');
      await trx
        .insertInto('person_readings')
        .values(
          known.map(({ channel, orderid }) => ({
            company,
            at: clock.now(),
            reader: readerOf(principal),
            channel,
            order_id: orderid,
            purpose: body.purpose,
          })),
        )
        .execute();
      return openPersons(trx, vault, company, known);
    });
    return { persons };
  });

  route(app, api.erasePersons, async ({ principal, params, query }) => {
    const { company, name } = principal;
    await database.company(company, async (trx) => {
      const channel = await channelOf(trx, company, params.orderid, query.channel);
      await erase(trx, [{ company, channel, order_id: params.orderid }], {
        source: 'user',
        author: name,
        at: clock.now(),
      });
    });
    return { ok: true as const };
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

/** Our own people, by the name that their colleagues know. */
const readerOf = ({ name, email, by }: Principal): string => (by === 'token' ? name : `${name} (${email})`);

type OrderRef = { channel: string; orderid: string };

/** Those of these orders that the company has: nobody reads what is not there, so no reading of it is noted. */
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
    // In the order of their versions: the last one stays.
    for (const row of own)
      persons[row.role] = Person.parse(JSON.parse(vault.open(company, personPlace(row, row.role), row.sealed)));
    return persons;
  });
}
