import type { LoaderFunctionArgs } from 'react-router';
import { api } from '#shared/api.ts';
import type { Mapping } from '#shared/assignments.ts';
import { asking } from '../../loading.ts';

/** The mappings of one kind, with the revision they stand at. */
export async function loadMappings(args: LoaderFunctionArgs, kind: Mapping['kind']) {
  const ask = asking(args);
  const masterid = args.params['masterid'] ?? '';
  // The revision comes first: a save in between then is noticed and not written over.
  const { revision } = await ask(api.revision, {
    params: { subject: 'mappings', scope: `master:${masterid}`, revision: 'latest' },
  });
  const [value, shop, fields, master] = await Promise.all([
    ask(api.mappings, { params: { id: masterid } }),
    ask(api.shopMappings, { params: { id: masterid } }),
    ask(api.mappingFields, { params: { id: masterid } }),
    ask(api.master, { params: { masterid } }),
  ]);
  const mappings: Mapping[] = kind === 'value' ? value : Object.values(shop);
  const others = kind === 'value' ? Object.values(shop) : value;
  const otherNames = others.map(({ name }) => name.trim()).filter((name) => name !== '');
  return { kind, masterid, name: master.name, revision, mappings, otherNames, fields };
}
export type LoadedMappings = Awaited<ReturnType<typeof loadMappings>>;
