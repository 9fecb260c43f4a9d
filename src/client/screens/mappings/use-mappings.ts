import { useState } from 'react';
import { api } from '#shared/api.ts';
import type { Mapping } from '#shared/assignments.ts';
import { call } from '../../call.ts';
import { type Failure, type FailureText, failureOf } from '../../failure.ts';
import { showSaved } from '../../ui/notices.tsx';
import type { LoadedMappings } from './mapping-loading.ts';

/** The revision first: a save in between then is noticed. */
async function loadAgain(masterid: string, kind: Mapping['kind']): Promise<{ mappings: Mapping[]; revision: number }> {
  const { revision } = await call(api.revision, {
    params: { subject: 'mappings', scope: `master:${masterid}`, revision: 'latest' },
  });
  const params = { id: masterid };
  const mappings =
    kind === 'value' ? await call(api.mappings, { params }) : Object.values(await call(api.shopMappings, { params }));
  return { mappings, revision };
}

function withMapping(list: readonly Mapping[], mapping: Mapping): Mapping[] {
  const known = list.some(({ id }) => id === mapping.id);
  return known ? list.map((one) => (one.id === mapping.id ? mapping : one)) : [...list, mapping];
}

/** The list of mappings as it is saved, and what is done to it. */
export function useMappings({ masterid, kind, mappings: loaded, revision: first }: LoadedMappings) {
  const [mappings, setMappings] = useState<readonly Mapping[]>(loaded);
  const [revision, setRevision] = useState(first);
  const [failure, setFailure] = useState<Failure | null>(null);

  const save = async (mapping: Mapping, ifMatch: number | undefined) => {
    const { id: mappingid, ...body } = mapping;
    const saved = await call(api.saveMapping, { params: { masterid, mappingid }, body, ifMatch });
    setRevision(saved.revision);
    setMappings((list) => withMapping(list, mapping));
    return saved;
  };
  /** What concerns the whole list is saved at once. */
  const trying = async (text: FailureText, act: () => Promise<{ revision: number }>) => {
    setFailure(null);
    try {
      setRevision((await act()).revision);
      return true;
    } catch (error) {
      setFailure(failureOf(text, error));
      return false;
    }
  };
  const order = async (next: readonly Mapping[]) => {
    const before = mappings;
    setMappings(next);
    const ids = next.map(({ id }) => id);
    const done = await trying('Fehler beim Speichern', () =>
      call(api.orderMappings, { params: { masterid }, body: { ids } }),
    );
    if (!done) setMappings(before);
  };
  const remove = async (ids: ReadonlySet<string>): Promise<boolean> => {
    const stored = mappings.map(({ id }) => id).filter((id) => ids.has(id));
    const done =
      stored.length === 0 ||
      (await trying('Fehler beim Löschen', () =>
        call(api.deleteMappings, { params: { masterid }, body: { ids: stored } }),
      ));
    if (done) {
      setMappings((list) => list.filter(({ id }) => !ids.has(id)));
      showSaved('Gelöscht');
    }
    return done;
  };
  const reload = async (): Promise<readonly Mapping[]> => {
    const fresh = await loadAgain(masterid, kind);
    setRevision(fresh.revision);
    setMappings(fresh.mappings);
    return fresh.mappings;
  };
  return {
    mappings,
    revision,
    failure,
    save,
    order,
    remove,
    reload,
    closeFailure: () => setFailure(null),
  };
}
export type MappingsForm = ReturnType<typeof useMappings>;
