import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { addEvents } from '#orders/model/events.ts';
import type { EventSource } from '#orders/model/order-record.ts';

/** How long records of reading personal data are kept. */
const READINGS_MS = 366 * 24 * 60 * 60_000;
const LIMIT = 1000;

const OfOrder = z.object({ company: z.string(), channel: z.string(), order_id: z.string() });
type OfOrder = z.infer<typeof OfOrder>;

/** Erases expired personal data in all versions and records it with the order. Returns the number of orders. */
export async function erasePersons({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const now = clock.now();
  return database.system(async (trx) => {
    await trx
      .deleteFrom('person_readings')
      .where('at', '<', new Date(now.getTime() - READINGS_MS))
      .execute();
    const due = await trx
      .selectFrom('order_persons')
      .select(['company', 'channel', 'order_id'])
      .distinct()
      .where('erase_after', '<=', now)
      .limit(LIMIT)
      .execute();
    await erase(trx, due, { source: 'action', author: '', at: now });
    return due.length;
  });
}

/**
 * Erases the personal data of these orders, whatever its age. If none is stored, nothing is recorded: an address may still
 * arrive.
 */
export async function erase(
  trx: Trx,
  orders: readonly OfOrder[],
  origin: { source: EventSource; author: string; at: Date },
): Promise<void> {
  if (orders.length === 0) return;
  const { rows } = await pg`with gone as (delete from order_persons p
      using json_to_recordset(${JSON.stringify(orders)}::json) as o(company text, channel text, order_id text)
      where p.company = o.company and p.channel = o.channel and p.order_id = o.order_id
      returning p.company, p.channel, p.order_id)
    select distinct company, channel, order_id from gone order by company, channel, order_id`.execute(trx);
  await addEvents(
    trx,
    OfOrder.array()
      .parse(rows)
      .map((order) => ({ order, event: { kind: 'persons_erased', details: {} } })),
    origin,
  );
}
