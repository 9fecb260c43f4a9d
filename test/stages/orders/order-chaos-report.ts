import { shippedPieces } from '#marketplaces/sandbox/order-book/order.ts';
import type { Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { orderDifferences } from '#orders/audit/check-orders.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { strayedColumns, strayedLines } from './person-watch.ts';

/** The results of some days: what the sandbox counted, and what the program recorded. */
export type OrderChaosReport = {
  kills: number;
  /** Counted at the sandbox. */
  orders: number;
  messages: number;
  messagesLost: number;
  calls: Record<string, number>;
  overRate: number;
  shipments: number;
  edits: number;
  late: number;
  cancelled: number;
  refunds: number;
  shippedTwice: number;
  cancelledTwice: number;
  refundedTwice: number;
  personsSent: number;
  /** Answers to the merchant, and the actions, by kind and state. */
  answers: Record<string, number>;
  actions: Record<string, number>;
  /** Actions with an unknown outcome that no user was told of. */
  unresolved: number;
  /** Actions listed under 'Klärung', by the reason shown. */
  unclear: Record<string, number>;
  /** Orders of the sandbox that the program lacks. */
  lost: string[];
  /** Orders whose pieces differ from the sandbox, although no user was asked about them. */
  different: string[];
  /** Shown as shipped here, although the marketplace, which accepted the parcel, never did it. */
  swallowed: string[];
  /** Contradictions within the program's own records. */
  differences: string[];
  /** Columns, and lines of the program's output, that contain a person unencrypted. */
  persons: string[];
};
type Ran = Pick<OrderChaosReport, 'kills' | 'answers'> & { output: string };

/** Returns the work still in progress, in words; '' if none. */
export async function isSettled(database: Database, company: string, now: Date): Promise<string> {
  return database.company(company, async (trx) => {
    const { rows } = await pg<{ name: string; n: number }>`
      select kind || ' ' || state as name, count(*) as n from order_actions where state in ('new', 'sending', 'submitted', 'unknown') group by 1
      union all select 'gemerkt', count(*) from order_hints having count(*) > 0
      union all select 'Abgleich', count(*) from order_polls
        where cursor is not null or failed_since is not null or reconciled_on is null or polled_at < ${now}::timestamptz - interval '1 hour' having count(*) > 0`.execute(
      trx,
    );
    return rows.map(({ name, n }) => `${name}: ${n}`).join(', ');
  });
}

export async function reportOf(
  database: Database,
  company: string,
  sandbox: Sandbox,
  { kills, output, answers }: Ran,
): Promise<OrderChaosReport> {
  const { counters } = sandbox;
  const persons = [...(await strayedColumns(database)), ...strayedLines(output)];
  return database.company(company, async (trx) => {
    type Count = { name: string; n: number };
    const tally = (rows: readonly Count[]) => Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
    const actions =
      await pg<Count>`select kind || ' ' || state as name, count(*) as n from order_actions group by 1 order by 1`.execute(
        trx,
      );
    const unclear =
      await pg<Count>`select kind || ': ' || message as name, count(*) as n from order_actions where state = 'unclear' group by 1`.execute(
        trx,
      );
    const open =
      await pg<Count>`select count(*) as n from order_actions where state in ('new', 'sending', 'submitted', 'unknown')`.execute(
        trx,
      );
    return {
      kills,
      orders: counters.orders,
      messages: counters.messages,
      messagesLost: counters.lost,
      calls: counters.calls,
      overRate: counters.overRate,
      shipments: counters.shipments,
      edits: counters.edits,
      late: counters.late,
      cancelled: counters.cancelled,
      refunds: counters.refunds,
      shippedTwice: counters.shippedTwice,
      cancelledTwice: counters.cancelledTwice,
      refundedTwice: counters.refundedTwice,
      personsSent: counters.personsSent,
      answers,
      actions: tally(actions.rows),
      unresolved: Number(open.rows[0]?.n ?? 0),
      unclear: tally(unclear.rows),
      ...(await compare(trx, sandbox)),
      differences: [...(await orderDifferences(trx, company, new Date()))].map(
        ([what, found]) => `${what}: ${found.map(({ order_id }) => order_id).join(', ')}`,
      ),
      persons,
    };
  });
}

/** Compares the pieces of every order in the sandbox and in the program. */
async function compare(
  trx: Trx,
  { book }: Sandbox,
): Promise<Pick<OrderChaosReport, 'lost' | 'different' | 'swallowed'>> {
  const lines = await trx
    .selectFrom('order_lines')
    .select(['order_id', 'line_id', 'ordered', 'shipped', 'cancelled'])
    .execute();
  const asked = await trx.selectFrom('orders').select('order_id').where('unclear', '>', 0).execute();
  const hereOf = Map.groupBy(lines, ({ order_id }) => order_id);
  const excused = new Set(asked.map(({ order_id }) => order_id));
  const found: Pick<OrderChaosReport, 'lost' | 'different' | 'swallowed'> = { lost: [], different: [], swallowed: [] };
  for (const order of book.orders.values()) {
    const here = hereOf.get(order.id);
    if (here === undefined) found.lost.push(order.id);
    if (here === undefined || excused.has(order.id)) continue;
    const pairs = order.lines.map((line) => {
      const ours = here.find(({ line_id }) => line_id === line.id);
      return {
        ours,
        there: { ordered: line.ordered, shipped: shippedPieces(order, line.id), cancelled: line.cancelled },
      };
    });
    const wrong = pairs.filter(
      ({ ours, there }) =>
        ours?.ordered !== there.ordered || ours.shipped !== there.shipped || ours.cancelled !== there.cancelled,
    );
    if (wrong.length === 0) continue;
    const text = `${order.id}${order.byAmazon ? ' (vom Marktplatz versandt)' : ''}: ${wrong.map(({ ours, there }) => `versandt ${ours?.shipped}/${there.shipped}, storniert ${ours?.cancelled}/${there.cancelled}`).join('; ')}`;
    const isSwallowed = wrong.every(
      ({ ours, there }) => ours !== undefined && ours.cancelled === there.cancelled && ours.shipped > there.shipped,
    );
    found[isSwallowed ? 'swallowed' : 'different'].push(text);
  }
  return found;
}
