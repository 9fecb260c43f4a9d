import { type LoaderFunctionArgs, redirect, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking, searchOf } from '#client/loading.ts';
import { RepricerManager } from './repricer-manager.tsx';
import { repricerPath } from './repricer-path.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { masterid = '', ruleid } = args.params;
  // First the revision, then the rules: a save in between is detected at the next save (409), never overwritten.
  const state = await ask(api.repricerState, { params: { masterid } });
  const [map, fields, master, simulated, { channels }] = await Promise.all([
    ask(api.repricerRules, { params: { masterid } }),
    ask(api.repricerFields, { params: { masterid } }),
    ask(api.master, { params: { masterid } }),
    ask(api.simulatedRules, { params: { masterid } }),
    ask(api.marketplaceChannels),
  ]);
  const listed = [...new Set([...state.order, ...Object.keys(map)])];
  const rules = listed.flatMap((id) => map[id] ?? []);
  const first = rules[0];
  // The simulation's settings are kept in the URL.
  if (first !== undefined && ruleid === undefined)
    throw redirect(repricerPath(masterid, first.id) + searchOf(new URL(args.request.url)));
  return {
    masterid,
    rules,
    state,
    simulated,
    fields: fields.filter(({ type }) => type === '_field'),
    mappings: fields
      .filter(({ type }) => type === '_mapping')
      .map(({ name }) => ({ type: '_mapping' as const, name, value: name })),
    examples: fields.flatMap(({ value, example }) => (example === undefined ? [] : [[value, example] as const])),
    marketplaces: channels.filter((one) => one.masterid === masterid).map((one) => one.marketplace),
    // The address of the page that switches the add-on off contains the marketplace's name (REP-02).
    marketplace: master.exports[0]?.channel ?? 'marktplatz',
  };
}
export type LoadedRepricer = Awaited<ReturnType<typeof loader>>;

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
export default function RepricerPage() {
  const loaded = useLoaderData<typeof loader>();
  return <RepricerManager key={loaded.masterid} loaded={loaded} />;
}
