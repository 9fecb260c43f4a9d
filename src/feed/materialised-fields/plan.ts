import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { createHash } from 'node:crypto';
import { readRules } from '#engine/read/read-rules.ts';
import { column, ID, nextStep, ROW, snapshotRelation, withSteps, type Relation } from '#engine/duckdb/relation.ts';
import { affectsLaterRules } from '#engine/analysis/rule-preview.ts';
import { referenceKey } from '#engine/ir/source-key.ts';
import { fieldNotes } from '#catalogue/columns.ts';
import type { FieldsBasis, FieldSource } from '#catalogue/materialised-fields.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { snapshotAt } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DuckRow } from '#platform/duckdb/duckdb.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { join, name, ownNumber, ownText, duck, statement, type Statement, storedFile } from '#platform/duckdb/sql.ts';
import type { RepricerField } from '#shared/repricer/history.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { mappingKey, runningMappings } from '#feed/stages/assignments/tables.ts';
import { neededMappings } from '#feed/stages/assignments/demand.ts';
import { loadMappings } from '#feed/stages/assignments/store.ts';
import { masterDemand } from '#feed/plan/demand.ts';
import { buildMaster } from '#feed/plan/build.ts';
import type { MasterPlan } from '#feed/plan/export-plan.ts';
import { loadRules } from '#feed/stages/rules/store.ts';

/** Where fields are read; `write` returns the statements that make the file. undefined: the snapshot itself is read. */
export type PlannedFields = {
  readonly source: FieldSource;
  readonly write: ((target: string) => readonly Statement[]) | undefined;
};

/** Loads the master's part of the pipeline at the given revisions, regardless of later saves. */
export async function loadBasis(
  trx: Trx,
  storagePaths: StoragePaths,
  ref: CatalogueRef,
  basis: FieldsBasis,
): Promise<MasterPlan> {
  const { company, masterid } = ref;
  const snapshot = await snapshotAt(trx, company, masterid, basis.snapshot);
  if (snapshot === undefined) throw new Error(`snapshot ${basis.snapshot} no longer exists`);
  const rules = await loadRules(trx, company, `master:${masterid}`, basis.rules);
  const mappings = await loadMappings(trx, company, masterid, basis.mappings);
  // A missing revision would load as an empty document, which would yield the imported values.
  if (rules.revision !== basis.rules || mappings.revision !== basis.mappings)
    throw new Error('a revision no longer exists');
  const path = storagePaths.snapshot(company, masterid, basis.snapshot);
  return { snapshot, path, masterRules: rules.rules, mappings: mappings.mappings };
}

/**
 * Plans how the named fields are made after the master's rules and mappings. If these neither change them nor exclude an item,
 * the snapshot itself is read. Otherwise the file is named after the statements that make it, so it can never be out of date, and
 * a save that changes none of them costs nothing.
 */
export function planFields(
  plan: MasterPlan,
  names: ReadonlySet<string>,
  pathOf: (id: string) => string,
): PlannedFields {
  const wanted = [...names].filter((field) => field !== '').toSorted();
  const keys = new Set(wanted.map(referenceKey));
  const items = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  const mapped = neededMappings(plan.mappings, keys).length > 0;
  if (!mapped && !affectsLaterRules(items, readRules(plan.masterRules), keys)) {
    const fields = new Map(plan.snapshot.fields.map(({ id, name: field }) => [field, id]));
    const columns = wanted.flatMap((field) => [fields.get(field) ?? []].flat().map((id) => [field, id] as const));
    return { source: { path: plan.path, columns: new Map(columns), kept: undefined }, write: undefined };
  }
  const { statements, relation } = buildMaster(plan, masterDemand(plan, { live: keys, reads: keys }));
  const body = withSteps(relation, everyItem(plan, relation, wanted));
  const text = JSON.stringify([...statements, statement(body)], (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  const id = `${plan.snapshot.number}x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
  return {
    source: { path: pathOf(id), columns: new Map(wanted.map((field, at) => [field, `c${at}`])), kept: 'kept' },
    write: (target) => [...statements, statement(duck`COPY (${body}) TO ${ownText(target)} ${PARQUET}`)],
  };
}

/** Includes excluded items: the repricer must be able to say why they have no price. */
function everyItem(plan: MasterPlan, made: Relation, wanted: readonly string[]) {
  const values = wanted.map((field, at) => duck`${valueOf(made, referenceKey(field))} AS ${name(`c${at}`)}`);
  const isKept = duck`made.${ID} IS NOT NULL AS ${name('kept')}`;
  return duck`SELECT ${join([duck`every_item.${name('_id')}`, isKept, ...values], duck`, `)}
    FROM read_parquet(${storedFile(plan.path)}, file_row_number = true) AS every_item
    LEFT JOIN ${name(made.from)} AS made ON every_item.file_row_number = made.${ROW}`;
}

const valueOf = (made: Relation, key: string) =>
  made.columns.has(key) ? duck`made.${column(made, key)}` : column(made, key);

/** The number of first items that are searched for an example value. */
const SAMPLE = 1000;

/** The fields that can be read after the master's rules and mappings, without their computed examples. */
export async function offeredFields(trx: Trx, plan: MasterPlan): Promise<RepricerField[]> {
  const { fields } = plan.snapshot;
  const notes = await fieldNotes(trx, plan.snapshot);
  const written = writtenBy(plan);
  const imported = new Set(fields.map((field) => field.name));
  const made = [...written].filter((field) => !imported.has(field));
  return [
    ...fields.map(({ name: field, example }): RepricerField => ({
      type: '_field',
      name: field,
      value: field,
      origin: 'import',
      note: notes.get(field),
      ...(written.has(field) || example === undefined ? {} : { example }),
    })),
    ...made.map((field): RepricerField => ({ type: '_field', name: field, value: field, origin: '' })),
    ...runningMappings(plan.mappings).map((mapping): RepricerField => ({
      type: '_mapping',
      name: mapping.name,
      value: `_mapping:${mapping.name}`,
      origin: '',
    })),
  ];
}

/** Fields that active rules of the master write. */
const writtenBy = ({ masterRules }: MasterPlan): Set<string> =>
  new Set(
    masterRules
      .filter(({ active }) => active)
      .flatMap(({ actions }) => actions.map(({ field }) => field))
      .filter((field) => field !== '' && field !== ALL_FIELDS),
  );

/** Query for example values, from the first items, of the fields that rules or mappings make; undefined if there are none. */
export function examplesQuery(plan: MasterPlan) {
  const values = [...writtenBy(plan), ...runningMappings(plan.mappings).map((mapping) => `_mapping:${mapping.name}`)];
  if (values.length === 0) return undefined;
  const all = snapshotRelation({ path: plan.path, fields: plan.snapshot.fields });
  const list = join(
    [ID, ROW, ...new Set(all.columns.values())].map((one) => (typeof one === 'string' ? name(one) : one)),
    duck`, `,
  );
  const first = nextStep(
    all,
    duck`SELECT ${list} FROM ${name(all.from)} WHERE ${ROW} < ${ownNumber(SAMPLE)}`,
    all.columns,
  );
  const keys = new Set([...values.map(referenceKey), ...runningMappings(plan.mappings).map(mappingKey)]);
  const { statements, relation } = buildMaster(
    { ...plan, items: first },
    masterDemand(plan, { live: keys, reads: keys }),
  );
  const chosen = values.map(
    (value, at) => duck`any_value(${column(relation, referenceKey(value))}) AS ${name(`c${at}`)}`,
  );
  const query = statement(withSteps(relation, duck`SELECT ${join(chosen, duck`, `)} FROM ${name(relation.from)}`));
  const read = (row: DuckRow | undefined): Map<string, string> =>
    new Map(
      values.flatMap((value, at) => {
        const found = row?.[`c${at}`];
        return typeof found === 'string' ? [[value, found] as const] : [];
      }),
    );
  return { statements: [...statements, query], read };
}
