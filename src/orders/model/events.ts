import { insertRows } from '#platform/db/insert-rows.ts';
import type { Trx } from '#platform/db/database.ts';
import type { EventSource, OrderEvent, StoredOrder } from './order-record.ts';

/** Appends events to the history of orders; they contain no personal data. */
export async function addEvents(
  trx: Trx,
  events: readonly { order: Pick<StoredOrder, 'company' | 'channel' | 'order_id'>; event: OrderEvent }[],
  { source, author, at }: { source: EventSource; author: string; at: Date },
): Promise<void> {
  if (events.length === 0) return;
  await insertRows(
    trx,
    'order_events',
    events.map(({ order: { company, channel, order_id }, event: { kind, details } }) => ({
      company,
      channel,
      order_id,
      at: at.toISOString(),
      kind,
      source,
      author,
      details: JSON.stringify(details),
    })),
  ).execute();
}
