import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { addNotification } from '#notifications/notifications.ts';
import type { Clock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { ORDER_DAYS_KEPT } from '#shared/orders/statistic.ts';
import { dayOf } from '#orders/model/order-state.ts';

type Deps = { database: Database; clock: Clock; log: Log };
/** Days for which an over-refund is reported: it cannot be taken back, and a channel may lower a price later. */
const TOLD_DAYS = 3;
const Found = z.object({ channel: z.string(), order_id: z.string() });
type Found = z.infer<typeof Found>;

/** Number of differences listed per check. */
const NAMED = 5;

/**
 * SQL checks by what they compare; each returns the orders that do not agree. A line's counters are sums of its rows; reserved
 * pieces are those of actions that have not ended; an order's state follows from its lines.
 */
function checksOf(company: string): Record<string, RawBuilder<unknown>> {
  const lines = (counter: string, sums: RawBuilder<unknown>) => linesUnlike(company, counter, sums);
  const rows = (table: 'cancellations' | 'returns') => pg`select channel, order_id, line_id, sum(quantity) as n
    from ${pg.table(table)} where company = ${company} group by 1, 2, 3`;
  return {
    'versandte Stücke': lines(
      'shipped',
      pg`select s.channel, s.order_id, c.line_id, sum(c.quantity) as n from shipments s
        join shipment_lines c on c.company = s.company and c.shipment = s.id where s.company = ${company} group by 1, 2, 3`,
    ),
    'stornierte Stücke': lines('cancelled', rows('cancellations')),
    'zurückgenommene Stücke': lines('returned', rows('returns')),
    'zugesagte Stücke': lines(
      'ship_waiting',
      pg`select a.channel, a.order_id, p.line as line_id, sum(p.quantity) as n from order_actions a
        cross join lateral json_to_recordset(a.body::json -> 'lines') as p(line text, quantity int)
        where a.company = ${company} and a.kind = 'ship' and a.state in ('new', 'sending', 'submitted', 'unknown', 'unclear')
        group by 1, 2, 3`,
    ),
    'offene Stücke': pg`select o.channel, o.order_id from orders o
      join (select channel, order_id, sum(ordered - shipped - cancelled) as n from order_lines where company = ${company} group by 1, 2) x
        on x.channel = o.channel and x.order_id = o.order_id
      where o.company = ${company} and o.open_pieces <> x.n limit ${NAMED}`,
    Klärungen: pg`select o.channel, o.order_id from orders o
      left join (select channel, order_id, count(*) as n from order_actions where company = ${company} and state = 'unclear' group by 1, 2) x
        on x.channel = o.channel and x.order_id = o.order_id
      where o.company = ${company} and o.unclear <> coalesce(x.n, 0) limit ${NAMED}`,
    // A day's counters, computed as in model/order-state.ts (dayCounts).
    Tageszahlen: pg`select coalesce(d.channel, x.channel) as channel, coalesce(d.day, x.day)::text as order_id
      from (select * from order_days where company = ${company}) d
      full join (select o.day, o.channel, o.currency, (count(*) filter (where l.pieces > 0)) as orders, sum(l.pieces) as pieces,
          sum(l.cents) as revenue_cents, sum(l.cancelled) as cancelled, sum(l.returned) as returned, sum(l.unpriced) as unpriced
          from orders o join (select channel, order_id, sum(ordered - cancelled) as pieces, sum(cancelled) as cancelled,
              sum(returned) as returned, sum(case when unit_cents is null then ordered - cancelled else 0 end) as unpriced,
              sum(case when unit_cents is null or ordered = 0 then 0 else greatest(0, unit_cents * (ordered - cancelled)
                - round(discount_cents::numeric * (ordered - cancelled) / ordered)) end) as cents
            from order_lines where company = ${company} group by 1, 2) l on l.channel = o.channel and l.order_id = o.order_id
          where o.company = ${company} group by 1, 2, 3) x
        on x.day = d.day and x.channel = d.channel and x.currency = d.currency
      where coalesce(d.day, x.day) > (now() at time zone 'UTC')::date - ${ORDER_DAYS_KEPT - 1}::int and (coalesce(d.orders, 0), coalesce(d.pieces, 0), coalesce(d.revenue_cents, 0), coalesce(d.cancelled, 0), coalesce(d.returned, 0),
          coalesce(d.unpriced, 0))
        <> (coalesce(x.orders, 0), coalesce(x.pieces, 0), coalesce(x.revenue_cents, 0), coalesce(x.cancelled, 0), coalesce(x.returned, 0),
          coalesce(x.unpriced, 0)) limit ${NAMED}`,
  };
}

/** Selects lines whose counter differs from the sum of its rows (`n`). */
const linesUnlike = (company: string, counter: string, sums: RawBuilder<unknown>) =>
  pg`select l.channel, l.order_id from order_lines l
    left join (${sums}) x on x.channel = l.channel and x.order_id = l.order_id and x.line_id = l.line_id
    where l.company = ${company} and ${pg.ref(`l.${counter}`)} <> coalesce(x.n, 0) limit ${NAMED}`;

/** Returns the checks of money: nothing is refunded that was not paid (`model/refundable.ts`). */
function moneyChecks(company: string, now: Date): Record<string, RawBuilder<unknown>> {
  return {
    'erstattete Beträge': linesUnlike(
      company,
      'refunded_cents',
      pg`select channel, order_id, line_id, sum(cents) as n from refunds where company = ${company} group by 1, 2, 3`,
    ),
    'mehr zurückgezahlt als bezahlt': pg`select l.channel, l.order_id from order_lines l
      join (select channel, order_id, body::json ->> 'line' as line_id, sum((body::json ->> 'cents')::bigint) as cents,
          coalesce(sum((body::json ->> 'quantity')::int) filter (where kind = 'cancel' and state = 'done'), 0) as cancelled,
          max(coalesce(ended_at, ${now})) as latest
        from order_actions where company = ${company} and kind <> 'ship' and state not in ('refused', 'superseded') group by 1, 2, 3) a
        on a.channel = l.channel and a.order_id = l.order_id and a.line_id = l.line_id
      where l.company = ${company} and l.unit_cents is not null and l.ordered > 0
        and a.latest > ${now}::timestamptz - make_interval(days => ${TOLD_DAYS})
        and a.cents > l.unit_cents * (l.ordered - l.cancelled + a.cancelled)
          - round(l.discount_cents::numeric * (l.ordered - l.cancelled + a.cancelled) / l.ordered) + l.shipping_cents limit ${NAMED}`,
  };
}

/** Returns the orders that fail a check, by check; empty in a healthy company. */
export async function orderDifferences(trx: Trx, company: string, now: Date): Promise<Map<string, Found[]>> {
  const differences = new Map<string, Found[]>();
  for (const [what, check] of Object.entries({ ...checksOf(company), ...moneyChecks(company, now) })) {
    const { rows } = await check.execute(trx);
    if (rows.length > 0)
      differences.set(
        what,
        rows.map((row) => Found.parse(row)),
      );
  }
  return differences;
}

/** Nightly: notifies people and logs which orders are inconsistent. Changes nothing. */
export async function checkOrders({ database, clock, log }: Deps, company: string): Promise<void> {
  const now = clock.now();
  const differences = await database.company(company, (trx) => orderDifferences(trx, company, now));
  if (differences.size === 0) return;
  const named = [...differences].map(
    ([what, found]) => `${what} (${found.map(({ order_id }) => order_id).join(', ')})`,
  );
  log.error({ company, differences: named }, 'inconsistent orders found');
  await database.company(company, (trx) =>
    addNotification(trx, company, {
      id: `orders-check-${dayOf(now)}`,
      event: 'failed',
      title: 'Prüfung der Bestellungen: etwas stimmt nicht überein',
      text: `Betroffen: ${named.join('; ')}. Es wurde nichts geändert; bitte melden Sie es dem Betreiber.`,
      path: '/bestellungen?filter=alle',
    }),
  );
}
