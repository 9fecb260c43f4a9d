import type { Trx } from '#platform/db/database.ts';
import type { Row } from '#platform/db/row.ts';

/** A file with old decisions of a company, always those of whole seals. */
export type Archive = Row<
  'decision_archives',
  'company' | 'from_seal' | 'to_seal' | 'from_id' | 'to_id' | 'decisions' | 'key' | 'sha256'
>;

export const archivesOf = (trx: Trx, company: string) =>
  trx
    .selectFrom('decision_archives')
    .select(['company', 'from_seal', 'to_seal', 'from_id', 'to_id', 'decisions', 'key', 'sha256'])
    .where('company', '=', company);

/** Returns the files with decisions before the id `before`, the newest first. */
export const archivesBefore = (trx: Trx, company: string, before: number | undefined): Promise<Archive[]> =>
  archivesOf(trx, company)
    .$if(before !== undefined, (query) => query.where('from_id', '<', (before ?? 0) - 1))
    .orderBy('from_seal', 'desc')
    .execute();

/** Returns the file that contains this seal. */
export const archiveWith = (trx: Trx, company: string, seal: number): Promise<Archive | undefined> =>
  archivesOf(trx, company).where('from_seal', '<=', seal).where('to_seal', '>=', seal).executeTakeFirst();

/** Subquery: the highest archived decision id; table rows up to it are copies. */
export const archivedUpTo = (trx: Trx, company: string) =>
  trx
    .selectFrom('decision_archives')
    .where('company', '=', company)
    .select((eb) => eb.fn.coalesce(eb.fn.max('to_id'), eb.cast<number>(eb.lit(0), 'bigint')).as('to_id'));

/** Subquery: the highest archived seal. */
export const archivedSeals = (trx: Trx, company: string) =>
  trx
    .selectFrom('decision_archives')
    .where('company', '=', company)
    .select((eb) => eb.fn.coalesce(eb.fn.max('to_seal'), eb.lit(0)).as('to_seal'));
