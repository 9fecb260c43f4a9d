import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { FieldsProvider } from '#client/fields/values/fields-context.tsx';
import { asking } from '#client/loading.ts';
import { ConstructionEditor } from './construction-editor.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const id = args.params['id'] ?? '';
  const [shown, construction, selectable] = await Promise.all([
    ask(api.export, { params: { id } }),
    ask(api.construction, { params: { id } }),
    ask(api.mappingFields, { params: { id } }),
  ]);
  return {
    id,
    masterid: shown.masterid,
    name: shown.settings.name,
    construction,
    fields: selectable.filter(({ type }) => type === '_field'),
    extra: selectable.filter(({ type }) => type !== '_field'),
  };
}

/** Another view or tab of the same export needs no reload. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const sameExport = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return sameExport ? false : defaultShouldRevalidate;
}

/** Keyed by the export: edits of one never reach another. */
export default function ConstructionPage() {
  const { fields, extra, ...loaded } = useLoaderData<typeof loader>();
  return (
    <FieldsProvider key={loaded.id} fields={fields} extra={extra}>
      <ConstructionEditor {...loaded} />
    </FieldsProvider>
  );
}
