import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';

/** Rows per statement: longer ones would exceed the program's statement timeout. */
const CHUNK = 50_000;
/** Three channels, two years. */
const CHANNELS = 3;
const DAYS = 730;

/**
 * Inserts orders of the last two years, with 2.5 lines each and a parcel if shipped; those of the last two days are open. Some
 * articles sell far more often than others. Written by set-based statements in the database itself.
 */
export async function makeOrders(database: Database, company: string, orders: number): Promise<void> {
  for (let first = 0; first < orders; first += CHUNK) {
    const last = Math.min(first + CHUNK, orders) - 1;
    await database.company(company, async (trx) => {
      await pg`insert into orders (company, channel, order_id, channel_name, source, placed_at, changed_at, seen_at, raw_state, pending, hold,
          ship_by, shipped_at, currency, country, buyer_order_number, state, open_pieces, returned_pieces, total_cents, line_count, unclear,
          alarmed_at, parcels, day)
        select ${company}, 'k' || n % ${CHANNELS}, ${number('n')}, 'Kanal ' || n % ${CHANNELS}, 'marketplace', at, at, at, '', pending,
          case when open and n % 97 = 0 then 'cancel_requested' else 'none' end, at + interval '2 days',
          case when open or cancelled then null else at + interval '1 day' end, 'EUR', 'DE', case when n % 20 = 0 then 'BE-' || n else '' end,
          case when pending then 'pending' when open then 'open' when cancelled then 'cancelled' when returned then 'returned' else 'shipped' end,
          case when open then 1 + n % 4 else 0 end, case when returned then 1 + n % 4 else 0 end, 1500 * (1 + n % 4), 1 + n % 4,
          case when n % 50000 = 7 then 1 else 0 end, at, 1, (at at time zone 'Europe/Berlin')::date
        from (${some(first, last, orders)}) o`.execute(trx);
      await pg`insert into order_lines (company, channel, order_id, line_id, placed_at, position, sku, title, ordered, shipped, cancelled, returned, unit_cents, tax_rate)
        select ${company}, 'k' || n % ${CHANNELS}, ${number('n')}, n || '-' || p, at, p, 'S' || (((n::bigint * 7919 + p * 104729) % 20000) ^ 2 / 20000)::int, 'Akku-Bohrschrauber',
          1, case when open or cancelled then 0 else 1 end, case when cancelled then 1 else 0 end, case when returned then 1 else 0 end, 1500, 1900
        from (${some(first, last, orders)}) o cross join lateral generate_series(0, n % 4) p`.execute(trx);
      await pg`insert into shipments (company, id, channel, order_id, reference, carrier, tracking, shipped_at, source, state)
        select ${company}, 'p' || n, 'k' || n % ${CHANNELS}, ${number('n')}, '1', 'DHL', 'JJD' || n, at + interval '1 day', 'us', 'shipped'
        from (${some(first, last, orders)}) o where not open and not cancelled`.execute(trx);
    });
  }
  await database.company(company, (trx) =>
    pg`insert into order_days (company, day, channel, currency, orders, pieces, revenue_cents, cancelled, returned, unpriced)
      select company, day, channel, currency, count(*), sum(case when state = 'cancelled' then 0 else line_count end),
        sum(case when state = 'cancelled' then 0 else total_cents end), sum(case when state = 'cancelled' then line_count else 0 end), sum(returned_pieces), 0
      from orders where company = ${company} group by 1, 2, 3, 4`.execute(trx),
  );
}

const number = (n: 'n') =>
  pg.raw(`lpad(((${n}::bigint * 7919) % 1000)::text, 3, '0') || '-' || lpad(${n}::text, 7, '0')`);

/** Returns the orders with these numbers; 0 is the oldest. */
const some = (first: number, last: number, orders: number) =>
  pg`select n, at, open, open and n % 20 = 0 as pending, not open and n % 20 = 3 as cancelled, not open and n % 20 = 5 as returned from (
    select n, now() - (${orders} - n) * interval '1 day' * (${DAYS}::float / ${orders}) as at,
      (${orders} - n) * ${DAYS}::float / ${orders} < 2 as open
    from generate_series(${first}::int, ${last}::int) n) x`;
