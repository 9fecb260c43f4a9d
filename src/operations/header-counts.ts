import type { Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import { jobsPause, outgoingHold } from '#platform/installation-facts.ts';
import type { HeaderCount } from '#shared/live/components.ts';
import { pages } from '#shared/pages.ts';

/** That a restored system still sends nothing, or that no job is begun, for those who can ask for it. */
export async function holdHeaderCounts(
  trx: Trx,
  { permissions }: Pick<Principal, 'permissions'>,
): Promise<HeaderCount[]> {
  if (!permissions.includes('admin')) return [];
  const place = { count: 1, more: false, path: pages.operations.path };
  return [
    ...((await outgoingHold(trx)) === undefined ? [] : [{ label: 'Versand angehalten', ...place }]),
    ...((await jobsPause(trx)) === undefined ? [] : [{ label: 'Läufe angehalten', ...place }]),
  ];
}
