import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { Mapping, type MappingExcerpt } from '#shared/assignments/schema.ts';
import { call } from '#client/call.ts';
import { type FailureText, failureOf } from '#client/failure.ts';
import type { Foreign } from '#client/editor/document-state.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { inOrderOf } from '#client/ui/rows/row-order.ts';
import { useFailure } from '#client/use-failure.ts';
import type { LoadedMappings } from './mapping-loading.ts';
import { useAllRows } from './use-all-rows.ts';

function withMapping(list: readonly MappingExcerpt[], mapping: Mapping): MappingExcerpt[] {
  const saved = { ...mapping, total: mapping.data.length };
  const known = list.some(({ id }) => id === mapping.id);
  return known ? list.map((one) => (one.id === mapping.id ? saved : one)) : [...list, saved];
}

const idsOf = (list: readonly Mapping[]): string[] => list.map(({ id }) => id);

type Input = { revision: number; signal: AbortSignal };

function send(masterid: string, { id: mappingid, ...mapping }: Mapping, { revision, signal }: Input) {
  const { name, active, intern, description, kind, data, lookupdata } = mapping;
  const body = { name, active, intern, description, kind, data, lookupdata };
  return call(api.saveMapping, { params: { masterid, mappingid }, body, ifMatch: revision, signal });
}

/** Loads all mappings of a catalogue as they are on the server now. */
async function newestMappings(masterid: string): Promise<Foreign<MappingExcerpt[]>> {
  const document = { subject: 'mappings', scope: `master:${masterid}` } as const;
  const foreign = await newestRevision(document, (content) => Mapping.array().parse(content ?? []));
  return { ...foreign, document: foreign.document.map((one) => ({ ...one, total: one.data.length })) };
}

/** The list of mappings as saved, and the actions on it. */
export function useMappings(loaded: LoadedMappings) {
  const { masterid } = loaded;
  const [list, setMappings] = useState<readonly MappingExcerpt[]>(loaded.mappings);
  const { mappings, filling } = useAllRows(loaded, list);
  const [revision, setRevision] = useState(loaded.revision);
  const { failure, closeFailure, trying } = useListSaves(setRevision);

  const order = useOrder(list, setMappings, (ids) =>
    trying('Fehler beim Speichern', () => call(api.orderMappings, { params: { masterid }, body: { ids } })),
  );

  const save = async (mapping: Mapping, input: Input) => {
    const saved = await send(masterid, mapping, input);
    setRevision(saved.revision);
    setMappings((now) => withMapping(now, mapping));
    return saved;
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
  /** Loads a mapping as it is on the server now, and updates the list. */
  const newest = async (edited: Mapping): Promise<Foreign<Mapping>> => {
    const foreign = await newestMappings(masterid);
    const found = foreign.document.find(({ id }) => id === edited.id);
    const known = mappings.find(({ id }) => id === edited.id);
    // A mapping deleted there stays in the list as long as it is edited here.
    const deletedThere = found === undefined && known !== undefined ? [known] : [];
    setRevision(foreign.revision);
    setMappings([...foreign.document, ...deletedThere].filter(({ kind }) => kind === edited.kind));
    return { ...foreign, document: found ?? edited };
  };
  return {
    mappings,
    /** State of loading the rows that the page lacked. */
    filling,
    revision,
    failure,
    save,
    order,
    remove,
    newest,
    closeFailure,
  };
}
export type MappingsForm = ReturnType<typeof useMappings>;

/**
 * Sorts the list at once. If the order cannot be saved, the saved one returns and nothing else: a mapping may have been saved
 * meanwhile, and its old rows must not come back.
 */
function useOrder(
  list: readonly MappingExcerpt[],
  onList: (change: (now: readonly MappingExcerpt[]) => readonly MappingExcerpt[]) => void,
  send: (ids: string[]) => Promise<boolean>,
) {
  /** The order to go back to; a later move replaces this object. */
  const sorting = useRef<{ back: string[] } | null>(null);
  const sort = (ids: readonly string[]) => onList((now) => inOrderOf(now, ids, ({ id }) => id));
  return async (next: readonly MappingExcerpt[]) => {
    const ids = idsOf(next);
    const mine = { back: sorting.current?.back ?? idsOf(list) };
    sorting.current = mine;
    sort(ids);
    const done = await send(ids);
    if (sorting.current === mine) {
      sorting.current = null;
      if (!done) sort(mine.back);
    } else if (done && sorting.current !== null) sorting.current.back = ids;
  };
}

/** Saves that concern the whole list and are made at once. */
function useListSaves(setRevision: (next: (now: number) => number) => void) {
  const [failure, setFailure] = useFailure();
  /** Resolves to whether it was saved. */
  const trying = async (text: FailureText, act: () => Promise<{ revision: number }>) => {
    setFailure(null);
    try {
      const next = (await act()).revision;
      // A gap in the revisions means that somebody else saved in between: the old one is kept, so
      // that the next save reports the conflict.
      setRevision((now) => (next === now + 1 ? next : now));
      return true;
    } catch (error) {
      setFailure(failureOf(text, error));
      return false;
    }
  };
  return { failure, closeFailure: () => setFailure(null), trying };
}
