import { type LoaderFunctionArgs, redirect, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking } from '#client/loading.ts';
import { RuleManager } from './rule-manager.tsx';
import { documentOf, rulePath, type RuleScope } from './rule-scope.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const masterid = args.params['masterid'] ?? '';
  const scope: RuleScope = { kind: 'master', id: masterid };
  // First the revision, then the rules: a save in between is detected at the next save (409), never overwritten.
  const { revision } = await ask(api.revision, { params: { ...documentOf(scope), revision: 'latest' } });
  const [rules, fields, master] = await Promise.all([
    ask(api.masterRules, { params: { id: masterid } }),
    ask(api.fieldData, { query: { masterid } }),
    ask(api.master, { params: { masterid } }),
  ]);
  const first = rules[0];
  if (first !== undefined && args.params['ruleid'] === undefined)
    throw redirect(rulePath(scope, first.id) + new URL(args.request.url).search);
  return { scope, loaded: { rules, revision }, fields, hasExports: master.exports.length > 0 };
}

/** Selecting another rule of the same list needs no reload. */
export function shouldRevalidate({
  currentParams,
  nextParams,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const sameList = currentParams['masterid'] === nextParams['masterid'] && currentUrl.pathname !== nextUrl.pathname;
  return sameList ? false : defaultShouldRevalidate;
}

/** Keyed by the catalogue: edits of one never reach another. */
export default function MasterRulesPage() {
  const { scope, loaded, fields, hasExports } = useLoaderData<typeof loader>();
  return (
    <RuleManager
      key={scope.id}
      scope={scope}
      title="Regeln"
      loaded={loaded}
      masterid={scope.id}
      fields={fields}
      hasExports={hasExports}
    />
  );
}
