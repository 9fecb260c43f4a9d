import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { FieldsBasis } from '#catalogue/materialised-fields.ts';
import type { InferResult } from 'kysely';
import type { Trx } from '#platform/db/database.ts';

/**
 * Everything that limits come from: the live snapshot, and the revisions of the repricer's rules, the master's rules and its
 * mappings.
 */
export type Limits = { snapshot: number | undefined; repricer: number; rules: number; mappings: number };

/** Returns the version text; '' before the first import: nothing can be sent under it. */
export const versionOf = ({ snapshot, repricer, rules, mappings }: Limits): string =>
  snapshot === undefined ? '' : `${snapshot}:${repricer}:${rules}:${mappings}`;

/** Parses a version text; a missing snapshot is undefined, other missing parts are 0. */
export function limitsIn(version: string): Limits {
  const [snapshot = '', repricer = '0', rules = '0', mappings = '0'] = version.split(':');
  return {
    snapshot: snapshot === '' ? undefined : Number(snapshot),
    repricer: Number(repricer),
    rules: Number(rules),
    mappings: Number(mappings),
  };
}

/** Returns the revisions of the master's rules and mappings in a version; 0 in versions from before they were included. */
export function revisionsIn(version: string): { masterRules: number; mappings: number } {
  const { rules, mappings } = limitsIn(version);
  return { masterRules: rules, mappings };
}

const limitRows = (trx: Trx) =>
  trx.selectFrom('masters as m').select((eb) => {
    const newest = (subject: string) =>
      eb
        .selectFrom('documents as d')
        .select(({ fn }) => fn.max<number | null>('d.revision').as('newest'))
        .whereRef('d.company', '=', 'm.company')
        .where('d.subject', '=', subject)
        .where('d.scope', '=', eb(eb.val('master:'), '||', eb.ref('m.id')));
    return [
      'm.live_snapshot as live',
      newest('repricer').as('repricer'),
      newest('rules').as('rules'),
      newest('mappings').as('mappings'),
    ];
  });
type Row = InferResult<ReturnType<typeof limitRows>>[number];
const toLimits = (row: Row | undefined): Limits => ({
  snapshot: row?.live ?? undefined,
  repricer: row?.repricer ?? 0,
  rules: row?.rules ?? 0,
  mappings: row?.mappings ?? 0,
});

export async function limitsNow(trx: Trx, { company, masterid }: CatalogueRef, lock = false): Promise<Limits> {
  const row = await limitRows(trx)
    .where((eb) => eb.and({ 'm.company': company, 'm.id': masterid }))
    .$if(lock, (rows) => rows.forShare('m'))
    .executeTakeFirst();
  return toLimits(row);
}

/** Returns the limits of every master that sells something. Runs in a system transaction. */
export async function limitsOfAll(trx: Trx): Promise<{ ref: CatalogueRef; limits: Limits }[]> {
  const rows = await limitRows(trx)
    .select(['m.company', 'm.id'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('listings as l')
          .select('l.item')
          .whereRef('l.company', '=', 'm.company')
          .whereRef('l.master', '=', 'm.id'),
      ),
    )
    .execute();
  return rows.map((row) => ({ ref: { company: row.company, masterid: row.id }, limits: toLimits(row) }));
}

/** Returns the current version of the limits; the master's row stays locked, so that it is valid until the transaction ends. */
export const versionNow = async (trx: Trx, ref: CatalogueRef): Promise<string> =>
  versionOf(await limitsNow(trx, ref, true));

/** Returns what fields depend on; undefined before the first import. */
export const basisOf = ({ snapshot, rules, mappings }: Limits): FieldsBasis | undefined =>
  snapshot === undefined ? undefined : { snapshot, rules, mappings };
