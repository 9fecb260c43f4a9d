import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';

export const now = new Date('2026-11-02T10:00:00Z');
export const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

/**
 * Creates 200 items at 10 € with five in stock; the prices of the first `sent` fell from 10 € to `to` cents `ago` minutes ago.
 */
export const fallenPrices = (
  database: Database,
  company: string,
  {
    sent,
    to,
    ago = 5,
    reached = false,
    stock = 5,
  }: { sent: number; to: number; ago?: number; reached?: boolean; stock?: number },
) =>
  database.company(company, async (trx) => {
    await pg`insert into listings (company, master, marketplace, item, account, sku, product_id, price_cents, stock)
      select ${company}, 'm', 'M1', n::text, 'k', n::text, n::text, 1000, 5 from generate_series(1, 200) n`.execute(
      trx,
    );
    await pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version, currency,
        from_cents, price_cents, min_cents, max_cents, state, reached_min, stock, created_at)
      select ${company}, n::text, 'm', 'M1', n::text, 'k', n::text, n, 'r', '1:1', 'EUR', 1000, ${to}::int, 1, 9999, 'new', ${reached},
        ${stock}::int, ${before(ago)}::timestamptz from generate_series(1, ${sent}::int) n`.execute(trx);
  });
