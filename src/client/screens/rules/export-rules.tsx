import {
  Link,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking } from '#client/loading.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { writtenFields } from './rule-changes.ts';
import { RuleManager } from './rule-manager.tsx';
import { documentOf, rulePath, type RuleScope } from './rule-scope.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const id = args.params['id'] ?? '';
  const scope: RuleScope = { kind: 'export', id };
  // First the revision, then the rules: a save in between is detected at the next save (409), never overwritten.
  const { revision } = await ask(api.revision, { params: { ...documentOf(scope), revision: 'latest' } });
  const [rules, fields, shown, masterRules, selectable] = await Promise.all([
    ask(api.rules, { params: { masterid: id } }),
    ask(api.fieldData, { query: { id } }),
    ask(api.export, { params: { id } }),
    // With an export's id these are the rules of its catalogue.
    ask(api.masterRules, { params: { id } }),
    ask(api.mappingFields, { params: { id } }),
  ]);
  const first = rules[0];
  if (first !== undefined && args.params['ruleid'] === undefined) throw redirect(rulePath(scope, first.id));
  const active = masterRules.filter((rule) => rule.active);
  return {
    scope,
    loaded: { rules, revision },
    fields,
    // When these rules run, mappings have run and the stock is known; categories and brands are assigned later.
    mappings: selectable.filter(({ type, value }) => type === '_mapping' || value === 'stock_offered'),
    name: shown.settings.name,
    masterid: shown.masterid,
    above: { active: active.length, written: writtenFields(active) },
  };
}

/** Selecting another rule of the same list needs no reload. */
export function shouldRevalidate({
  currentParams,
  nextParams,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const sameList = currentParams['id'] === nextParams['id'] && currentUrl.pathname !== nextUrl.pathname;
  return sameList ? false : defaultShouldRevalidate;
}

/** Keyed by the export: edits of one never reach another. */
export default function ExportRulesPage() {
  const { scope, loaded, fields, mappings, name, masterid, above } = useLoaderData<typeof loader>();
  return (
    <RuleManager
      key={scope.id}
      scope={scope}
      title={`Regeln · ${name}`}
      loaded={loaded}
      masterid={masterid}
      fields={fields}
      mappings={mappings}
      hasExports
      writtenBefore={above.written}
      before={
        <>
          Davor laufen die <Link to={rulePath({ kind: 'master', id: masterid })}>Master-Regeln des Katalogs</Link> (
          {formatCount(above.active, 'aktive', 'aktive')}).
        </>
      }
    />
  );
}
