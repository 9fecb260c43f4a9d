import type { Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import type { HeaderCount } from '#shared/live/components.ts';
import { pages } from '#shared/pages.ts';

/**
 * Returns how many holds wait for a person: items held by an alarm, and holds of whole catalogues; and the catalogue with the
 * most.
 */
export async function waitingPrices(trx: Trx, company: string): Promise<{ count: number; masterid: string | null }> {
  const open = { company, released_at: null };
  const rows = await trx
    .selectFrom((eb) =>
      eb
        .selectFrom('item_alarms')
        .select('master')
        .where((one) => one.and(open))
        .unionAll(
          eb
            .selectFrom('price_breakers')
            .select('master')
            .where((one) => one.and(open)),
        )
        .as('held'),
    )
    .select((eb) => ['master', eb.fn.countAll<number>().as('n')])
    .groupBy('master')
    .orderBy('n', 'desc')
    .orderBy('master')
    .execute();
  return { count: rows.reduce((sum, { n }) => sum + n, 0), masterid: rows[0]?.master ?? null };
}

/** Returns that number for the header, linked to the catalogue with the most holds. */
export async function priceHeaderCounts(
  trx: Trx,
  { company, permissions }: Pick<Principal, 'company' | 'permissions'>,
): Promise<HeaderCount[]> {
  if (!permissions.includes('read')) return [];
  const { count, masterid } = await waitingPrices(trx, company);
  if (masterid === null) return [];
  const path = pages.repricer.path.replace(':masterid/:ruleid?', encodeURIComponent(masterid));
  return [{ label: 'Preisfreigaben', count, more: false, path }];
}
