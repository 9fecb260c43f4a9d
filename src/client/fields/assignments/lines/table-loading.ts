import type { LoaderFunctionArgs } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import { asking } from '#client/loading.ts';
import { firstRows } from './load-remaining.ts';

/** Loads the data that the editor of an export's table starts with. */
export async function loadExportTable(args: LoaderFunctionArgs, table: ExportTable) {
  const ask = asking(args);
  const id = args.params['id'] ?? '';
  const [shown, rows, fields, lists, masters] = await Promise.all([
    ask(api.export, { params: { id } }),
    ask(api.exportTable, { params: { id, table }, query: { rows: firstRows } }),
    ask(api.mappingFields, { params: { id } }),
    ask(api.targetLists, { params: { id } }),
    ask(api.masters),
  ]);
  const info = lists.find((list) => list.table === table);
  return { id, name: shown.settings.name, masterid: shown.masterid, ...rows, fields, info, masters };
}
export type LoadedTable = Awaited<ReturnType<typeof loadExportTable>>;
