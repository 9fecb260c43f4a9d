import { z } from 'zod';
import type { Account } from '#marketplaces/accounts/accounts.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DueOffer } from './due-offers.ts';

const Numbers = z.array(z.object({ item: z.string(), sku: z.string(), quantity: z.number().int() }));
export type FedNumber = z.infer<typeof Numbers>[number];

/** A submission of many numbers whose result is not known yet. */
export type StockSubmission = { reference: string; sentAt: Date; lookAt: Date; numbers: readonly FedNumber[] };

export async function findSubmission(trx: Trx, { company, id }: Account): Promise<StockSubmission | undefined> {
  const row = await trx
    .selectFrom('stock_feeds')
    .select(['reference', 'sent_at', 'look_at', 'numbers'])
    .where((eb) => eb.and({ company, channel: id }))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const numbers = Numbers.parse(JSON.parse(row.numbers));
  return { reference: row.reference, sentAt: row.sent_at, lookAt: row.look_at, numbers };
}

/** Records what is about to be submitted; numbers that another worker has taken are left out. Empty: nothing is to be sent. */
export async function beginSubmission(
  trx: Trx,
  { company, id, masterid }: Account,
  offers: readonly DueOffer[],
  { now, lookAt }: { now: Date; lookAt: Date },
): Promise<FedNumber[]> {
  const inserted = await trx
    .insertInto('stock_feeds')
    .values({ company, channel: id, master: masterid, sent_at: now, look_at: lookAt, numbers: '[]' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('channel')
    .executeTakeFirst();
  if (inserted === undefined) return [];
  // Raw SQL: one parameter for all numbers, however many.
  const { rows } = await pg<{ item: string }>`update stock_offers o set fed = r.offered
    from json_to_recordset(${JSON.stringify(offers)}::json) as r(item text, offered int)
    where o.company = ${company} and o.master = ${masterid} and o.channel = ${id} and o.item = r.item
      and o.fed is null and o.offered = r.offered and o.not_before <= ${now.toISOString()}::timestamptz
    returning o.item`.execute(trx);
  const leased = new Set(rows.map(({ item }) => item));
  const numbers = offers.flatMap(({ item, sku, offered }) =>
    leased.has(item) ? [{ item, sku, quantity: offered }] : [],
  );
  if (numbers.length === 0) await forgetSubmission(trx, company, id);
  else
    await trx
      .updateTable('stock_feeds')
      .set({ numbers: JSON.stringify(numbers) })
      .where((eb) => eb.and({ company, channel: id }))
      .execute();
  return numbers;
}

/** Stores the reference of a submission, or that its answer is unknown. */
export async function noteSubmission(
  trx: Trx,
  { company, id }: Account,
  change: { state: 'submitted' | 'unknown'; reference: string; look_at: Date },
): Promise<void> {
  await trx
    .updateTable('stock_feeds')
    .set(change)
    .where((eb) => eb.and({ company, channel: id }))
    .execute();
}

export async function pollLater(trx: Trx, { company, id }: Account, lookAt: Date): Promise<void> {
  await trx
    .updateTable('stock_feeds')
    .set({ look_at: lookAt })
    .where((eb) => eb.and({ company, channel: id }))
    .execute();
}

const forgetSubmission = (trx: Trx, company: string, channel: string) =>
  trx
    .deleteFrom('stock_feeds')
    .where((eb) => eb.and({ company, channel }))
    .execute();

/** Ends a submission: its numbers may be sent individually again. */
export async function endSubmission(trx: Trx, { company, id, masterid }: Account): Promise<void> {
  await forgetSubmission(trx, company, id);
  await trx
    .updateTable('stock_offers')
    .set({ fed: null })
    .where((eb) => eb.and({ company, master: masterid, channel: id }))
    .where('fed', 'is not', null)
    .execute();
}
