import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { RowsPage } from '#client/fields/assignments/rows-page.tsx';
import { loadExportTable } from '#client/fields/assignments/lines/table-loading.ts';
import { useMay } from '#client/shell/session.ts';

export function loader(args: LoaderFunctionArgs) {
  return loadExportTable(args, 'colors');
}

/** Keyed by the export: edits of one never reach another. */
export default function ColorsPage() {
  const loaded = useLoaderData<typeof loader>();
  const mayEdit = useMay('edit');
  return <RowsPage key={loaded.id} table="colors" mayEdit={mayEdit} {...loaded} />;
}
