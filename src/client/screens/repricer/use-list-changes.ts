import { useRef } from 'react';
import { api } from '#shared/http/api.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { call, CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import type { DocumentEditor } from '#client/editor/use-document.ts';
import type { useLimitQuestion } from '#client/fields/limits/use-limit-question.ts';
import type { useSelected } from '#client/fields/rule-list/use-selected.ts';
import { inOrderOf } from '#client/ui/rows/row-order.ts';
import type { List, Mark } from './use-repricer.ts';

type UseListChanges = {
  masterid: string;
  editor: DocumentEditor<List, Mark>;
  selection: ReturnType<typeof useSelected>;
  setFailure: (failure: Failure | null) => void;
  limits: Pick<ReturnType<typeof useLimitQuestion>, 'mayGo' | 'agreedQuestion'>;
};

const idsOf = (list: List): string[] => list.map(({ id }) => id);
const sortedBy = (list: List, ids: readonly string[]): List => inOrderOf(list, ids, ({ id }) => id);

/** Changes to the list that are saved at once: order and deletion. */
export function useListChanges({ masterid, editor, selection, setFailure, limits }: UseListChanges) {
  const { draft: rules, stored, changeEverywhere, changeStored } = editor;
  const { selected, select } = selection;
  /** Input of the calls; each change was confirmed before. */
  const callInput = () => ({ params: { masterid }, told: limits.agreedQuestion() });
  /** The order to go back to while the user is asked; a later move replaces this object but keeps `back`. */
  const sorting = useRef<{ back: string[] } | null>(null);
  /** A gap in the revisions means that somebody else saved: the old one is kept, so that the next save reports the conflict. */
  const nextRevision = (revision: number) =>
    revision === editor.current().revision + 1 ? revision : editor.current().revision;
  const sendOrder = async (ids: string[]): Promise<boolean> => {
    setFailure(null);
    try {
      const { revision } = await call(api.orderRepricerRules, { ...callInput(), body: { ids } });
      changeEverywhere((list) => list, nextRevision(revision));
      return true;
    } catch (error) {
      const failed = failureOf('Fehler beim Speichern', error);
      setFailure({ ...failed, message: `${failed.message} Die Reihenfolge steht wieder wie zuvor.` });
      return false;
    }
  };
  /** REP-03: saves the new order at once; if that fails or the user declines, the old order returns. */
  const order = async (ids: readonly string[]) => {
    const known = new Set(idsOf(stored));
    const mine = { back: sorting.current?.back ?? idsOf(rules) };
    sorting.current = mine;
    changeEverywhere((list) => sortedBy(list, ids));
    const still = () => sorting.current === mine;
    const before = sortedBy(stored, mine.back);
    const go = await limits.mayGo('order', { before, after: sortedBy(stored, ids), still });
    if (!still()) return;
    sorting.current = null;
    if (!go || !(await sendOrder(ids.filter((id) => known.has(id)))))
      changeEverywhere((list) => sortedBy(list, mine.back));
  };
  /** REP-18: resolves to whether the server no longer has the rule. */
  const removeStored = async (ruleid: string): Promise<boolean> => {
    setFailure(null);
    const without = (list: List) => list.filter(({ id }) => id !== ruleid);
    try {
      const query = { queryselector: ruleid };
      const done = await call(api.deleteRepricerRule, { ...callInput(), query, body: undefined });
      changeStored(without, nextRevision(done.revision));
      return true;
    } catch (error) {
      // Somebody else has already deleted it.
      if (error instanceof CallError && error.status === 404) {
        changeStored(without);
        return true;
      }
      setFailure(failureOf('Fehler beim Löschen', error));
      return false;
    }
  };
  /** REP-12: afterwards the first remaining rule is selected. */
  const remove = async (rule: RepricerRule) => {
    const known = stored.some(({ id }) => id === rule.id);
    const rest = stored.filter(({ id }) => id !== rule.id);
    if (known && !(await limits.mayGo('remove', { before: stored, after: rest }))) return;
    if (known && !(await removeStored(rule.id))) return;
    editor.edit((list) => list.filter(({ id }) => id !== rule.id), { ruleId: rule.id, selected });
    select(rules.find(({ id }) => id !== rule.id)?.id);
  };
  return { order, remove };
}
