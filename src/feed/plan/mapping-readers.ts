import { type ExportRecord, listExports } from '#catalogue/exports.ts';
import { limitFields } from '#catalogue/limits-review.ts';
import { referenceKey } from '#engine/ir/source-key.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadMappings, loadTables } from '#feed/stages/assignments/store.ts';
import { rowKeys, type TableRow } from '#feed/stages/assignments/rows.ts';
import { mappingKey, runningMappings } from '#feed/stages/assignments/tables.ts';
import { loadAttributes } from '#feed/stages/attributes/store.ts';
import { attributeCases } from '#feed/stages/attributes/values.ts';
import { exportFields, rowReads } from '#feed/stages/construction/fields.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import { namedInRules } from '#feed/stages/rules/demand.ts';
import { loadRules } from '#feed/stages/rules/store.ts';
import { exportTableNames, exportTables, type Mapping, type MappingReader } from '#shared/assignments/schema.ts';
import { quoted, ruleName } from '#shared/rules/sentences.ts';

const tablePaths = { categories: 'kategorien', brands: 'marken', colors: 'farben' } as const;

/**
 * Returns what reads these mappings and would get no value if they were renamed, paused or deleted: they are read by name. If
 * another active mapping has the same name, its value is read then.
 */
export async function mappingReaders(
  trx: Trx,
  ref: { company: string; masterid: string },
  ids: readonly string[],
): Promise<MappingReader[]> {
  const { mappings } = await loadMappings(trx, ref.company, ref.masterid);
  const rest = runningMappings(mappings.filter(({ id }) => !ids.includes(id)));
  const kept = new Set(rest.map(mappingKey));
  const running = runningMappings(mappings).filter(({ id }) => ids.includes(id));
  const lost = new Set(running.map(mappingKey).filter((key) => !kept.has(key)));
  if (lost.size === 0) return [];
  const readers = rest.filter(({ data }) => readsAny(data, lost)).map((one) => mappingReader(ref.masterid, one));
  if ([...(await limitFields(trx, ref))].some((field) => lost.has(referenceKey(field))))
    readers.push({ text: 'Preise der Repricing-Regeln', path: `/repricer/${ref.masterid}` });
  for (const record of await listExports(trx, ref.company, ref.masterid))
    readers.push(...(await readersInExport(trx, ref.company, record, lost)));
  return readers;
}

const readsAny = (rows: readonly TableRow[], keys: ReadonlySet<string>): boolean =>
  rowKeys(rows.filter(({ active }) => active)).some((key) => keys.has(key));

const mappingReader = (masterid: string, { id, kind, name }: Mapping): MappingReader => ({
  text: `Mapping ${quoted(name)}`,
  path: `/master/${masterid}/${kind === 'shop' ? 'shop-mappings' : 'mappings'}/${id}`,
});

async function readersInExport(
  trx: Trx,
  company: string,
  { id, settings }: ExportRecord,
  keys: ReadonlySet<string>,
): Promise<MappingReader[]> {
  const reader = (what: string, page: string): MappingReader => ({
    text: `${what} im Export ${quoted(settings.name)}`,
    path: `/exports/${id}/${page}`,
  });
  const { rules } = await loadRules(trx, company, `export:${id}`);
  const { tables } = await loadTables(trx, company, id);
  const { rows } = await loadConstruction(trx, company, id);
  const { values } = await loadAttributes(trx, company, id);
  const readsKey = (read: readonly string[]) => read.some((key) => keys.has(key));
  const fields = exportFields(rows, attributeCases(values));
  return [
    ...rules
      .filter((rule) => readsKey(namedInRules([rule])))
      .map((rule) => reader(ruleName(rule), `regeln/${rule.id}`)),
    ...exportTableNames
      .filter((table) => readsAny(tables[table], keys))
      .map((table) => reader(exportTables[table].title, tablePaths[table])),
    ...fields
      .filter(({ row }) => readsKey(rowReads(row)))
      .map(({ row }) => reader(`Ausgabefeld ${quoted(row.exportfield)}`, 'feldaufbau')),
    ...fields
      .filter(({ cases }) => cases.some((one) => readsKey(rowReads(one.row))))
      .map(({ row }) => reader(`Attribut ${quoted(row.exportfield)}`, 'attribute')),
  ];
}
