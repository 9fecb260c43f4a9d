import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { FieldsBasis } from '#catalogue/materialised-fields.ts';
import type { InferResult } from 'kysely';
import type { Trx } from '#platform/db/database.ts';

/** All that limits come from: the live snapshot, and the revisions of the repricer's rules, the master's rules and its mappings. */
export type Limits = { snapshot: number | undefined; repricer: number; rules: number; mappings: number };

/** '' before the first import: under that nothing can be sent. */
export const versionOf = ({ snapshot, repricer, rules, mappings }: Limits): string =>
  snapshot === undefined ? '' : `${snapshot}:${repricer}:${rules}:${mappings}`;

/** The limits of a version, as far as they stand in it. */
export function limitsIn(version: string): Limits {
  const [snapshot = '', repricer = '0', rules = '0', mappings = '0'] = version.split(':');
  return {
    snapshot: snapshot === '' ? undefined : Number(snapshot),
    repricer: Number(repricer),
    rules: Number(rules),
    mappings: Number(mappings),
  };
}

/** The revisions of the master's rules and mappings in a version; those of times without them had none. */
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

/** Of every master that sells something. In a system transaction. */
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

/** The version of limits that holds now; the master's row stays locked, so that it holds until the end of the transaction. */
export const versionNow = async (trx: Trx, ref: CatalogueRef): Promise<string> =>
  versionOf(await limitsNow(trx, ref, true));

/** What fields depend on; undefined before the first import. */
export const basisOf = ({ snapshot, rules, mappings }: Limits): FieldsBasis | undefined =>
  snapshot === undefined ? undefined : { snapshot, rules, mappings };
