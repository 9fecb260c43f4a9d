import type { Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { neededTables } from '#feed/stages/assignments/demand.ts';
import { loadRows } from '#feed/stages/assignments/store.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { loadAttributes } from '#feed/stages/attributes/store.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import { constructionReads } from './demand.ts';

type Place = { company: string; id: string; table: ExportTable };

/** Whether a field of the export reads a result of this table, directly or by way of a later table. */
export async function isTableUsed(trx: Trx, { company, id, table }: Place): Promise<boolean> {
  const { rows: construction } = await loadConstruction(trx, company, id);
  const { values: attributes } = await loadAttributes(trx, company, id);
  const reads = constructionReads({ construction, attributes });
  const direct = neededTables(noTables, reads);
  if (direct.length === 0 || direct.includes(table)) return direct.length > 0;
  const brands = await rowsReadingTables(trx, { company, id, table: 'brands' });
  const colors = await rowsReadingTables(trx, { company, id, table: 'colors' });
  return neededTables({ ...noTables, brands, colors }, reads).includes(table);
}

/** The rows of a table of which some read results of tables, else none: parsing many thousand rows takes a second. */
async function rowsReadingTables(trx: Trx, { company, id, table }: Place & { table: 'brands' | 'colors' }) {
  const { body } = await loadDocument(trx, company, table, `export:${id}`);
  return body?.includes('"_intern"') === true ? (await loadRows(trx, company, id, table)).rows : [];
}
