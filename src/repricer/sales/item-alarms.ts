import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { anyFound, anyOf, pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { enqueue } from '#repricer/queue/queue.ts';

/** An offer of ours: an item of a catalogue in a marketplace. */
export type OfferPlace = { marketplace: string; item: string };

/** An item that is held until a user releases it. `price`: the price in force then. */
export type ItemAlarm = OfferPlace & { id: string; price: number; details: string; trippedAt: Date };

/** How many alarms are listed; beyond that only their number is shown. */
const SHOWN = 100;

export const offerKey = ({ marketplace, item }: OfferPlace): string => `${marketplace}\n${item}`;

/** Returns the open alarms of a catalogue, the newest first, and their total. */
export async function openAlarms(
  trx: Trx,
  { company, masterid }: CatalogueRef,
): Promise<{ alarms: ItemAlarm[]; total: number }> {
  const rows = await trx
    .selectFrom('item_alarms')
    .select(['id', 'marketplace', 'item', 'price_cents', 'details', 'tripped_at'])
    .select((eb) => eb.fn.countAll<number>().over().as('total'))
    .where((eb) => eb.and({ company, master: masterid, released_at: null }))
    .orderBy('tripped_at', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute();
  const alarms = rows.map(({ id, marketplace, item, price_cents, details, tripped_at }) => ({
    id,
    marketplace,
    item,
    details,
    price: price_cents,
    trippedAt: tripped_at,
  }));
  return { alarms, total: rows[0]?.total ?? 0 };
}

/** Returns which of some items are held, as `offerKey`s. */
export async function heldItems(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  items: readonly string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('item_alarms')
    .select(['marketplace', 'item'])
    .where((eb) => eb.and({ company, master: masterid, released_at: null }))
    .where('item', '=', anyOf(items))
    .execute();
  return new Set(rows.map(offerKey));
}

/** Returns the latest alarm of an item: open, or released at that price. */
export async function lastAlarm(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  { marketplace, item }: OfferPlace,
): Promise<{ price: number; releasedAt: Date | null } | undefined> {
  return trx
    .selectFrom('item_alarms')
    .select(['price_cents as price', 'released_at as releasedAt'])
    .where((eb) => eb.and({ company, master: masterid, marketplace, item }))
    .orderBy('released_at', (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
}

/** Holds items and their waiting prices. Returns those that were not held before. */
export async function holdItems(
  trx: Trx,
  ref: CatalogueRef,
  alarms: readonly ItemAlarm[],
  now: Date,
): Promise<ItemAlarm[]> {
  const made: ItemAlarm[] = [];
  for (const alarm of alarms) if (await addAlarm(trx, ref, alarm)) made.push(alarm);
  if (made.length === 0) return made;
  const { company, masterid } = ref;
  // Locked rows are skipped, as for breakers (control/breakers.ts): the sender checks alarms again.
  const waiting = trx
    .selectFrom('price_submissions')
    .select('id')
    .where((eb) => eb.and({ company, master: masterid, state: 'new' }))
    .where('item', '=', anyOf(made.map(({ item }) => item)))
    // Concatenated texts, so that the pairs are one parameter.
    .where(pg<string>`marketplace || chr(10) || item`, '=', anyOf(made.map(offerKey)))
    .forUpdate()
    .skipLocked();
  await trx
    .updateTable('price_submissions')
    .set({ state: 'held', held: 'SALES_ALARM', ended_at: now })
    .where((eb) => eb.and({ company, state: 'new' }))
    .where('id', '=', anyFound(waiting))
    .execute();
  // A decision is recorded, so that the item's price history shows why it is held.
  for (const item of made) await enqueue(trx, ref, { cause: 'sales', now, item });
  return made;
}

/** Stores an alarm; false if the item is held already. */
async function addAlarm(trx: Trx, { company, masterid }: CatalogueRef, alarm: ItemAlarm): Promise<boolean> {
  const { id, marketplace, item, price, details, trippedAt } = alarm;
  const made = await trx
    .insertInto('item_alarms')
    .values({ company, id, master: masterid, marketplace, item, price_cents: price, details, tripped_at: trippedAt })
    .onConflict((conflict) =>
      conflict.columns(['company', 'master', 'marketplace', 'item']).where('released_at', 'is', null).doNothing(),
    )
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n;
}

/** Releases items and returns them. `ids` undefined: all of the catalogue. @throws 404 if none of the named ones is held */
export async function releaseItems(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  ids: readonly string[] | undefined,
  { by, reason, now }: { by: string; reason: string; now: Date },
): Promise<OfferPlace[]> {
  const released = await trx
    .updateTable('item_alarms')
    .set({ released_at: now, released_by: by, reason })
    .where((eb) => eb.and({ company, master: masterid, released_at: null }))
    .where((eb) => (ids === undefined ? eb.lit(true) : eb('id', '=', anyOf(ids))))
    .returning(['marketplace', 'item'])
    .execute();
  if (ids !== undefined && released.length === 0) throw notFound('Diesen Alarm');
  for (const item of released) await enqueue(trx, { company, masterid }, { cause: 'release', now, item });
  return released;
}
