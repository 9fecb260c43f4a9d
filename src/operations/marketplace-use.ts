import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { InstallationUse } from '#shared/operations/installation-use.ts';

const Use = z.object({
  connector: z.string(),
  accounts: z.number(),
  companies: z.number(),
  prices: z.number(),
  oldestPrice: z.date().nullable(),
  actions: z.number(),
  oldestAction: z.date().nullable(),
  unclear: z.number(),
});

/** Returns what is on its way to each kind of marketplace, over all companies: prices and actions on orders. */
export async function marketplaceUse(trx: Trx): Promise<Omit<InstallationUse['marketplaces'][number], 'name'>[]> {
  const { rows } = await pg`with prices as (
      select company, account, count(*) as n, min(created_at) as oldest from price_submissions
      where state in ('new', 'sending', 'accepted', 'unknown') group by company, account),
    actions as (
      select company, channel as account, count(*) filter (where state <> 'unclear') as n, count(*) filter (where state = 'unclear') as unclear,
        min(created_at) filter (where state <> 'unclear') as oldest from order_actions
      where state in ('new', 'sending', 'submitted', 'unknown', 'unclear') group by company, channel)
    select a.connector, count(*)::int as accounts, count(distinct a.company)::int as companies,
      coalesce(sum(p.n), 0)::int as prices, min(p.oldest) as "oldestPrice",
      coalesce(sum(o.n), 0)::int as actions, min(o.oldest) as "oldestAction", coalesce(sum(o.unclear), 0)::int as unclear
    from marketplace_accounts a
    left join prices p on p.company = a.company and p.account = a.id
    left join actions o on o.company = a.company and o.account = a.id
    where a.active group by a.connector order by a.connector`.execute(trx);
  return Use.array()
    .parse(rows)
    .map(({ oldestPrice, oldestAction, ...use }) => ({
      ...use,
      oldestPrice: oldestPrice?.toISOString() ?? null,
      oldestAction: oldestAction?.toISOString() ?? null,
    }));
}
