import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Mapping, MappingExcerpt } from '#shared/assignments/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, type FailureText, failureOf } from '#client/failure.ts';
import { showSaved } from '#client/ui/notices.tsx';
import type { LoadedMappings } from './mapping-loading.ts';
import { loadWhole, useAllRows } from './use-all-rows.ts';

function withMapping(list: readonly MappingExcerpt[], mapping: Mapping): MappingExcerpt[] {
  const saved = { ...mapping, total: mapping.data.length };
  const known = list.some(({ id }) => id === mapping.id);
  return known ? list.map((one) => (one.id === mapping.id ? saved : one)) : [...list, saved];
}

function send(masterid: string, { id: mappingid, ...mapping }: Mapping, ifMatch: number | undefined) {
  const { name, active, intern, description, kind, data, lookupdata } = mapping;
  const body = { name, active, intern, description, kind, data, lookupdata };
  return call(api.saveMapping, { params: { masterid, mappingid }, body, ifMatch });
}

/** The list of mappings as it is saved, and what is done to it. */
export function useMappings(loaded: LoadedMappings) {
  const { masterid } = loaded;
  const [list, setMappings] = useState<readonly MappingExcerpt[]>(loaded.mappings);
  const { mappings, filling } = useAllRows(loaded, list);
  const [revision, setRevision] = useState(loaded.revision);
  const [failure, setFailure] = useState<Failure | null>(null);

  const save = async (mapping: Mapping, ifMatch: number | undefined) => {
    const saved = await send(masterid, mapping, ifMatch);
    setRevision(saved.revision);
    setMappings((now) => withMapping(now, mapping));
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
  const order = async (next: readonly MappingExcerpt[]) => {
    setMappings(next);
    const done = await trying('Fehler beim Speichern', () =>
      call(api.orderMappings, { params: { masterid }, body: { ids: next.map(({ id }) => id) } }),
    );
    if (!done) setMappings(list);
  };
  const remove = async (ids: ReadonlySet<string>): Promise<boolean> => {
    const stored = mappings.map(({ id }) => id).filter((id) => ids.has(id));
    const done =
      stored.length === 0 ||
      (await trying('Fehler beim Löschen', () =>
        call(api.deleteMappings, { params: { masterid }, body: { ids: stored } }),
      ));
    if (done) {
      setMappings((now) => now.filter(({ id }) => !ids.has(id)));
      showSaved('Gelöscht');
    }
    return done;
  };
  const reload = async (): Promise<readonly MappingExcerpt[]> => {
    const fresh = await loadWhole(loaded);
    setRevision(fresh.revision);
    setMappings(fresh.mappings);
    return fresh.mappings;
  };
  return {
    mappings,
    /** What became of asking for the rows that did not come along. */
    filling,
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
