import { insertRows } from '#platform/db/insert-rows.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import { putRows } from '#platform/db/put-rows.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { Merge } from '#orders/model/merge-order.ts';
import type { EventSource, OrderRecord } from '#orders/model/order-record.ts';
import { addEvents } from '#orders/model/events.ts';
import { countDays } from '#orders/model/count-days.ts';

export type StoredMerge = { stored: OrderRecord; merge: Merge };
type Origin = { by: EventSource; author: string; now: Date };

/** Stores the merged orders, which must be locked. */
export async function storeMerges(
  trx: Trx,
  ids: Ids,
  company: string,
  merges: readonly StoredMerge[],
  origin: Origin,
): Promise<void> {
  if (merges.length === 0) return;
  await putRows(
    trx,
    'orders',
    ['company', 'channel', 'order_id'],
    merges.map(({ merge }) => merge.order),
  );
  await putRows(
    trx,
    'order_lines',
    ['company', 'channel', 'order_id', 'line_id'],
    merges.flatMap(({ merge }) => merge.lines),
  );
  await storeNamed(trx, company, merges);
  await storeParcels(trx, ids, company, merges);
  await storeCancellations(trx, ids, company, merges, origin.now);
  await endSuperseded(trx, company, merges, origin.now);
  await addEvents(
    trx,
    merges.flatMap(({ merge: { order, events } }) => events.map((event) => ({ order, event }))),
    { source: origin.by, author: origin.author, at: origin.now },
  );
  await countDays(
    trx,
    merges.map(({ stored, merge }) => ({
      was: stored.order,
      order: merge.order,
      before: stored.isNew ? [] : stored.lines,
      after: merge.lines,
    })),
  );
}

/**
 * Moves pieces that now have a parcel out of the shipment that counted them without one; the shipment is deleted with the last.
 */
async function storeNamed(trx: Trx, company: string, merges: readonly StoredMerge[]): Promise<void> {
  const named = merges.flatMap(({ merge }) => merge.named);
  if (named.length === 0) return;
  const taken = pg`(select shipment, line, sum(quantity)::int as quantity
    from json_to_recordset(${JSON.stringify(named)}::json) as r(shipment text, line text, quantity int) group by 1, 2)`;
  const same = pg`s.company = ${company} and s.shipment = r.shipment and s.line_id = r.line`;
  await pg`delete from shipment_lines s using ${taken} r where ${same} and s.quantity <= r.quantity`.execute(trx);
  await pg`update shipment_lines s set quantity = s.quantity - r.quantity from ${taken} r
    where ${same} and s.quantity > r.quantity`.execute(trx);
  await pg`delete from shipments s where s.company = ${company} and s.id = any(${named.map(({ shipment }) => shipment)}::text[])
    and not exists (select 1 from shipment_lines l where l.company = s.company and l.shipment = s.id)`.execute(trx);
}

async function storeParcels(trx: Trx, ids: Ids, company: string, merges: readonly StoredMerge[]): Promise<void> {
  const parcels = merges.flatMap(({ merge: { order, shipments } }) =>
    shipments.map((parcel) => ({ id: ids.id(), order, parcel })),
  );
  if (parcels.length > 0) {
    await insertRows(
      trx,
      'shipments',
      parcels.map(({ id, order, parcel }) => ({
        company,
        id,
        channel: order.channel,
        order_id: order.order_id,
        reference: parcel.reference,
        carrier: parcel.carrier,
        tracking: parcel.tracking,
        return_tracking: '',
        shipped_at: parcel.shippedAt.toISOString(),
        source: 'channel' as const,
        state: parcel.state,
        action: null,
      })),
    ).execute();
    await insertRows(
      trx,
      'shipment_lines',
      parcels.flatMap(({ id, parcel }) =>
        parcel.lines.map(({ line, quantity }) => ({ company, shipment: id, line_id: line, quantity })),
      ),
    )
      .onConflict((conflict) =>
        conflict
          .columns(['company', 'shipment', 'line_id'])
          .doUpdateSet((eb) => ({ quantity: eb('shipment_lines.quantity', '+', eb.ref('excluded.quantity')) })),
      )
      .execute();
  }
  await storeNumbers(trx, company, merges);
  for (const [state, changed] of Map.groupBy(
    merges.flatMap(({ merge }) => merge.shipmentStates),
    (one) => one.state,
  ))
    await trx
      .updateTable('shipments')
      .set({ state })
      .where('company', '=', company)
      .where('id', '=', anyOf(changed.map(({ id }) => id)))
      .execute();
}

/** Stores tracking numbers that were corrected at the channel. */
async function storeNumbers(trx: Trx, company: string, merges: readonly StoredMerge[]): Promise<void> {
  for (const { id, reference, carrier, tracking } of merges.flatMap(({ merge }) => merge.corrected))
    await trx
      .updateTable('shipments')
      .set({ reference, carrier, tracking })
      .where((eb) => eb.and({ company, id }))
      .execute();
}

async function storeCancellations(
  trx: Trx,
  ids: Ids,
  company: string,
  merges: readonly StoredMerge[],
  now: Date,
): Promise<void> {
  const rows = merges.flatMap(({ merge: { order, cancellations } }) =>
    cancellations.map(({ line, quantity, by, reason }) => ({
      company,
      id: ids.id(),
      channel: order.channel,
      order_id: order.order_id,
      line_id: line,
      quantity,
      by_party: by,
      reason,
      at: now.toISOString(),
      action: null,
    })),
  );
  if (rows.length > 0) await insertRows(trx, 'cancellations', rows).execute();
}

/** Ends unsent actions whose work was done at the channel. */
async function endSuperseded(trx: Trx, company: string, merges: readonly StoredMerge[], now: Date): Promise<void> {
  const ids = merges.flatMap(({ merge }) => merge.superseded.map(({ id }) => id));
  if (ids.length === 0) return;
  await trx
    .updateTable('order_actions')
    .set({
      state: 'superseded',
      ended_at: now,
      message: 'Überholt: beim Marktplatz ist es schon geschehen. Es wurde nichts gesendet.',
    })
    .where('company', '=', company)
    .where('state', '=', 'new')
    .where('id', '=', anyOf(ids))
    .execute();
}
