import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { MappingExcerpt } from '#shared/assignments/schema.ts';
import { call, CallError } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';
import { isPart, type LoadedMappings } from './mapping-loading.ts';

/** Loads the mappings of a kind with all their rows, and their revision. */
async function loadWhole({ masterid, kind }: Pick<LoadedMappings, 'masterid' | 'kind'>, signal?: AbortSignal) {
  const { mappings, revision } = await call(api.mappingExcerpts, { params: { id: masterid }, query: {}, signal });
  return { mappings: mappings.filter((mapping) => mapping.kind === kind), revision };
}

/** Loads all rows if the page contained only the first ones; the rest of each mapping stays as loaded with the page. */
export function useAllRows(loaded: LoadedMappings, list: readonly MappingExcerpt[]) {
  const [enabled] = useState(() => list.some(isPart));
  const question = useMemo(() => ({}), []);
  const { answer, failure, retry } = useLive(
    question,
    async (signal) => {
      const { mappings } = await loadWhole(loaded, signal);
      if (list.filter(isPart).some(({ id }) => !mappings.some((one) => one.id === id))) throw deleted();
      return new Map(mappings.map(({ id, data }) => [id, data]));
    },
    { delay: 0, enabled },
  );
  const mappings = useMemo(
    () =>
      list.map((mapping) => {
        const data = isPart(mapping) ? answer?.get(mapping.id) : undefined;
        return data === undefined ? mapping : { ...mapping, data, total: data.length };
      }),
    [list, answer],
  );
  return { mappings, filling: { failure, retry } };
}

const deleted = () =>
  new CallError(404, {
    code: 'not_found',
    message: 'Ein Mapping dieser Liste wurde zwischenzeitlich gelöscht. Bitte laden Sie die Seite neu.',
    requestId: '',
  });
