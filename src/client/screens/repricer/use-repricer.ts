import { useState } from 'react';
import { useLocation } from 'react-router';
import { copyRepricerRule, newRepricerRule, type RepricerRule, RepricerRules } from '#shared/repricer/schema.ts';
import type { Failure } from '#client/failure.ts';
import type { Resolution } from '#client/editor/document-state.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { useLimitQuestion } from '#client/fields/limits/use-limit-question.ts';
import { newRuleId } from '#client/fields/values/new-id.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { useSelected } from '#client/fields/rule-list/use-selected.ts';
import type { LoadedRepricer } from './repricer.tsx';
import { documentOf, repricerPath } from './repricer-path.ts';
import { repricerShape, withoutNul } from './rule-form.ts';
import { useListChanges } from './use-list-changes.ts';
import { useSaves } from './use-saves.ts';

export type List = readonly RepricerRule[];
/** The rule that an edit was about, and the one that was selected before it. */
export type Mark = { ruleId: string | undefined; selected: string | undefined };

/** The repricing rules of a catalogue as a form, with all its actions. */
export function useRepricer({ masterid, rules: loaded, state }: LoadedRepricer) {
  const [nameWanted, setNameWanted] = useState<NameWanted | null>(null);
  // Failures of anything but a save: a deletion, a new order, determining what would move.
  const [trouble, setTrouble] = useState<Failure | null>(null);
  const { search } = useLocation();
  const selection = useSelected((ruleid) => repricerPath(masterid, ruleid) + search);
  const { selected, select } = selection;
  const wantName = (ruleId: string) => {
    select(ruleId);
    setNameWanted({ ruleId });
  };
  const limits = useLimitQuestion(masterid, setTrouble);
  const saves = useSaves({ masterid, selected, select, wantName, limits });
  const editor = useDocument<List, Mark>({
    loaded: { document: loaded, revision: state.revision },
    shape: repricerShape,
    newest: () => newestRevision(documentOf(masterid), (content) => RepricerRules.parse(content ?? [])),
    onStep: ({ ruleId, selected: before }, rules) => select(firstOf(rules, [ruleId, before])),
    ...saves.subject,
  });
  const changes = useListChanges({ masterid, editor, selection, setFailure: setTrouble, limits });

  const put = (make: (list: List) => List, concerned: string | undefined) => {
    editor.edit(make, { ruleId: concerned, selected });
    select(concerned);
  };
  /** Takes over an edited rule. */
  const change = (edited: RepricerRule) => {
    const rule = withoutNul(edited);
    editor.edit((list) => list.map((one) => (one.id === rule.id ? rule : one)), {
      ruleId: rule.id,
      selected: rule.id,
    });
  };
  /** Appended last, since the first rule that applies to an article decides: a new one takes no article from the others. */
  const append = (rule: RepricerRule) => {
    put((list) => [...list, rule], rule.id);
    setNameWanted({ ruleId: rule.id });
  };
  /** REP-11. */
  const add = () => append(newRepricerRule(newRuleId()));
  /** REP-12. */
  const copy = (rule: RepricerRule) => append(copyRepricerRule(rule, newRuleId()));
  const discard = () => {
    const concerned = firstOf(editor.stored, [selected]);
    editor.discard({ ruleId: concerned, selected });
    select(concerned);
    saves.forgetTries();
    setTrouble(null);
  };
  const resolve = (resolution: Resolution) =>
    select(firstOf(editor.resolve(resolution, { ruleId: selected, selected }), [selected]));
  const closeFailure = () => {
    editor.closeFailure();
    setTrouble(null);
  };
  const busy = editor.busy || limits.looking;
  const { tried, sellerWanted } = saves;
  const failure = editor.failure ?? trouble;
  const notes = { tried, sellerWanted, failure, closeFailure, limits: limits.pending, busy };
  return { ...selection, ...changes, ...notes, editor, nameWanted, change, add, copy, discard, resolve };
}
export type Repricer = ReturnType<typeof useRepricer>;

/** Returns the first of the ids that still exists, else the id of the first rule. */
const firstOf = (rules: List, ids: readonly (string | undefined)[]): string | undefined =>
  ids.find((id) => rules.some((rule) => rule.id === id)) ?? rules[0]?.id;
