import type { LoaderFunctionArgs } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Mapping, MappingExcerpt } from '#shared/assignments/schema.ts';
import { firstRows } from '#client/fields/assignments/lines/load-remaining.ts';
import { asking } from '#client/loading.ts';

/** Loads the mappings of one kind with their revision; only the first rows of the opened one. */
export async function loadMappings(args: LoaderFunctionArgs, kind: Mapping['kind']) {
  const ask = asking(args);
  const { masterid = '', mappingid } = args.params;
  const [{ revision, mappings: all, fields }, master] = await Promise.all([
    ask(api.mappingExcerpts, { params: { id: masterid }, query: { rows: firstRows, kind, first: mappingid } }),
    ask(api.master, { params: { masterid } }),
  ]);
  const mappings = all.filter((mapping) => mapping.kind === kind);
  const others = all.filter((mapping) => mapping.kind !== kind);
  const otherNames = others.map(({ name }) => name.trim()).filter((name) => name !== '');
  return { kind, masterid, name: master.name, revision, mappings, otherNames, fields };
}
export type LoadedMappings = Awaited<ReturnType<typeof loadMappings>>;

/** Tells whether some of its rows are not loaded yet. */
export const isPart = ({ data, total }: MappingExcerpt): boolean => data.length < total;
