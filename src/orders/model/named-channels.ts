import { ExportSettings } from '#shared/exports/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { anyOf } from '#platform/db/pg.ts';

/** A channel as it is called today. */
export type NamedChannel = { id: string; name: string; createdAt: Date };

/** Accounts at marketplaces and exports; those that are gone are left out. */
export async function namedChannels(
  trx: Trx,
  company: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedChannel>> {
  const accounts = await trx
    .selectFrom('marketplace_accounts')
    .select(['id', 'name', 'created_at'])
    .where('company', '=', company)
    .where('id', '=', anyOf(ids))
    .execute();
  const exports = await trx
    .selectFrom('exports')
    .select(['id', 'created_at'])
    .where('company', '=', company)
    .where('id', '=', anyOf(ids))
    .execute();
  const found = accounts.map(({ id, name, created_at: createdAt }): NamedChannel => ({ id, name, createdAt }));
  for (const { id, created_at: createdAt } of exports) {
    const { body } = await loadDocument(trx, company, 'settings', `export:${id}`);
    found.push({ id, name: ExportSettings.parse(JSON.parse(body ?? '{}')).name, createdAt });
  }
  return new Map(found.map((channel) => [channel.id, channel]));
}
