import type { Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import { jobsPause, outgoingHold } from '#platform/installation-facts.ts';
import type { HeaderCount } from '#shared/live/components.ts';
import { pages } from '#shared/pages.ts';

/** Returns, for administrators, whether the restored installation still holds back what it sends, or starts no jobs. */
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
