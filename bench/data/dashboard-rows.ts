import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { RIVAL_MARK } from '#repricer/model/offer-rank.ts';

const MARKETPLACE = 'A1PA6795UKMFR9';
const DAYS = 30;
/** Articles with a record of every hour, for the history of prices. */
const WATCHED = 100;

type Rows = { company: string; master: string; account: string; seller: string; articles: number };

/** Inserts a month of repricing for the dashboards: offers, messages, hourly ranks, decisions, stock. */
export async function makeDashboardRows(database: Database, rows: Rows): Promise<void> {
  const { company, master, account, seller, articles } = rows;
  const at = pg`${company}, ${master}, ${MARKETPLACE}`;
  await database.company(company, async (trx) => {
    await pg`insert into listings (company, master, marketplace, item, account, sku, product_id, price_cents, live_cents, own_rank, own_box,
        rival, rival_cents, rival_rank, rival_box, rivals, messages, offers_at, stock)
      select ${at}, 'A-' || n, ${account}, 'A-' || n, 'B0' || lpad(n::text, 8, '0'), 1500 + n % 900, 1500 + n % 900, n % 12, n % 3 = 0,
        'K' || n % 400, 1400 + n % 900, case when n % 12 = 1 then 2 else 1 end, n % 3 = 1,
        '1K' || n % 400 || ${RIVAL_MARK} || '0K' || (n + 7) % 400 || ${RIVAL_MARK} || '0K' || (n + 31) % 400,
        1 + n % 40, now() - n % 30 * interval '1 minute', 5
      from generate_series(1, ${articles}::int) n`.execute(trx);
    await pg`insert into repricer_counters (company, master, marketplace, day, kind, n)
      select ${at}, current_date - d, kind, 100 + d * 7
      from generate_series(0, ${DAYS - 1}::int) d,
        unnest(array['COMPETE_LOWEST', 'BELOW_MIN_TO_MIN', 'ABOVE_MAX_TO_MAX', 'UNCHANGED', 'NO_COMPETITOR']) kind`.execute(
      trx,
    );
    await pg`insert into rank_history (company, master, seller, hour, rank_1, rank_2, rank_3, box, observed, observed_box)
      select ${company}, ${master}, ${seller}, date_trunc('hour', now()) - h * interval '1 hour', ${articles}::int / 3, ${articles}::int / 4,
        ${articles}::int / 5, ${articles}::int / 3 + h, ${articles}::int, ${articles}::int / 3
      from generate_series(0, ${DAYS * 24 - 1}::int) h`.execute(trx);
    await pg`insert into price_decisions (company, master, marketplace, item, product_id, decided_at, cause, rule, rule_revision, snapshot,
        limits_version, min_cents, max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict)
      select ${at}, 'A-' || n, 'B0' || lpad(n::text, 8, '0'), now() - n % ${DAYS} * interval '1 day', 'offers', 'Messung001', 1, 1, '',
        1000, 9000, 2000, 1500, 1500 + n % 900, 5, case when n % 9 = 0 then 'BELOW_MIN_TO_MIN' else 'COMPETE_LOWEST' end, 'K1', '{}',
        case when n % 200 = 0 then 'hold' else 'submit' end
      from generate_series(1, ${articles}::int) n`.execute(trx);
    await pg`insert into offer_minutes (company, master, marketplace, product_id, condition, minute, sellers)
      select ${at}, 'B0' || lpad(n::text, 8, '0'), 'new', date_trunc('hour', now()) - h * interval '1 hour',
        jsonb_build_object(${seller}::text, jsonb_build_array(1500 + h % 90, 1, 1), 'K1', jsonb_build_array(1480 + h % 70, 0, 0),
          'K2', jsonb_build_array(1600 + h % 50, 0, 0))
      from generate_series(1, ${WATCHED}::int) n, generate_series(0, ${DAYS * 24 - 1}::int) h`.execute(trx);
    await pg`insert into stock_items (company, master, item, on_hand, source, available)
      select ${company}, ${master}, 'A-' || n, n % 50, 'ok', n % 50 from generate_series(1, ${articles}::int) n
      on conflict do nothing`.execute(trx);
  });
  await pg`analyze`.execute(database.kysely);
}
