import type { Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import type { HeaderCount } from '#shared/live/components.ts';
import { pages } from '#shared/pages.ts';

/** That a restored system still sends nothing, for those who can ask for its release. */
export async function holdHeaderCounts(
  trx: Trx,
  { permissions }: Pick<Principal, 'permissions'>,
): Promise<HeaderCount[]> {
  if (!permissions.includes('admin') || (await outgoingHold(trx)) === undefined) return [];
  return [{ label: 'Versand angehalten', count: 1, more: false, path: pages.operations.path }];
}
