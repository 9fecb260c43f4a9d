import { ExportSettings } from '#shared/exports/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { anyOf } from '#platform/db/pg.ts';

/** A channel with its current name. */
export type NamedChannel = { id: string; name: string; createdAt: Date };

/** Returns the marketplace accounts and exports with these ids; deleted ones are left out. */
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
