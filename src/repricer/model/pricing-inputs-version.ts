import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { FieldsBasis } from '#catalogue/materialised-fields.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

/** All that limits come from: the live snapshot, and the revisions of the repricer's rules, the master's rules and its mappings. */
export type Limits = { snapshot: number | undefined; repricer: number; rules: number; mappings: number };

/** '' before the first import: under that nothing can be sent. */
export const versionOf = ({ snapshot, repricer, rules, mappings }: Limits): string =>
  snapshot === undefined ? '' : `${snapshot}:${repricer}:${rules}:${mappings}`;

/** The revisions of the master's rules and mappings in a version; those of times without them had none. */
export function revisionsIn(version: string): { masterRules: number; mappings: number } {
  const [, , rules = '0', mappings = '0'] = version.split(':');
  return { masterRules: Number(rules), mappings: Number(mappings) };
}

const newest = (subject: string) => pg`(select max(revision) from documents d where d.company = m.company
  and d.subject = ${subject} and d.scope = 'master:' || m.id)`;
type Row = { live: number | null; repricer: number | null; rules: number | null; mappings: number | null };
const columns = pg`m.live_snapshot as live, ${newest('repricer')} as repricer, ${newest('rules')} as rules,
  ${newest('mappings')} as mappings`;
const toLimits = (row: Row | undefined): Limits => ({
  snapshot: row?.live ?? undefined,
  repricer: row?.repricer ?? 0,
  rules: row?.rules ?? 0,
  mappings: row?.mappings ?? 0,
});

export async function limitsNow(trx: Trx, { company, masterid }: CatalogueRef, lock = pg``): Promise<Limits> {
  const { rows } = await pg<Row>`select ${columns} from masters m
    where m.company = ${company} and m.id = ${masterid} ${lock}`.execute(trx);
  return toLimits(rows[0]);
}

/** Of every master that sells something. In a system transaction. */
export async function limitsOfAll(trx: Trx): Promise<{ place: CatalogueRef; limits: Limits }[]> {
  const { rows } = await pg<Row & { company: string; id: string }>`select m.company, m.id, ${columns} from masters m
    where exists (select 1 from listings l where l.company = m.company and l.master = m.id)`.execute(trx);
  return rows.map((row) => ({ place: { company: row.company, masterid: row.id }, limits: toLimits(row) }));
}

/** The version of limits that holds now; the master's row stays locked, so that it holds until the end of the transaction. */
export const versionNow = async (trx: Trx, place: CatalogueRef): Promise<string> =>
  versionOf(await limitsNow(trx, place, pg`for share of m`));

/** What fields depend on; undefined before the first import. */
export const basisOf = ({ snapshot, rules, mappings }: Limits): FieldsBasis | undefined =>
  snapshot === undefined ? undefined : { snapshot, rules, mappings };
