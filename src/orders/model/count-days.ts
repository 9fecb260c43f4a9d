import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { dayCounts, noCounts, type DayCounts } from './order-state.ts';
import type { StoredLine, StoredOrder } from './order-record.ts';

type Place = Pick<StoredOrder, 'company' | 'day' | 'channel' | 'currency'>;
/** `was`: the order as it was counted so far; its currency may have been another. */
type Change = { was: Place; order: Place; before: readonly StoredLine[]; after: readonly StoredLine[] };

const counters = [
  'orders',
  'pieces',
  'revenue_cents',
  'cancelled',
  'returned',
  'unpriced',
] as const satisfies (keyof DayCounts)[];

/** Updates the day counters by the changes in the lines of orders, in the transaction that stores the lines. */
export async function countDays(trx: Trx, changes: readonly Change[]): Promise<void> {
  const moved = new Map<string, Place & DayCounts>();
  const add = ({ company, day, channel, currency }: Place, lines: readonly StoredLine[], sign: 1 | -1) => {
    const key = `${day}\n${channel}\n${currency}`;
    const row = moved.get(key) ?? { company, day, channel, currency, ...noCounts };
    const counts = dayCounts(lines);
    for (const counter of counters) row[counter] += sign * counts[counter];
    moved.set(key, row);
  };
  for (const { was, order, before, after } of changes) {
    add(was, before, -1);
    add(order, after, 1);
  }
  // Rows are locked in one fixed order and after all orders, so that transactions cannot deadlock.
  const rows = [...moved.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
    .filter((row) => counters.some((counter) => row[counter] !== 0));
  if (rows.length === 0) return;
  const sums = counters.map(
    (name) => pg`${pg.ref(name)} = ${pg.ref(`order_days.${name}`)} + ${pg.ref(`excluded.${name}`)}`,
  );
  await pg`insert into order_days select * from json_populate_recordset(null::order_days, ${JSON.stringify(rows)}::json)
    on conflict (company, day, channel, currency) do update set ${pg.join(sums)}`.execute(trx);
}
