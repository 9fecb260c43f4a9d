import { useState } from 'react';
import { copyRule, newRule, type Rule } from '#shared/rules/schema.ts';
import { type Foreign, type Resolution, resolved } from '#client/editor/conflict.ts';
import { newRuleId } from '#client/fields/values/new-id.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { useSelected } from '#client/fields/rule-list/use-selected.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { rulePath, type RuleScope } from './rule-scope.ts';
import { useRuleForm } from './use-rule-form.ts';
import { useSaving } from './use-saving.ts';

/** The rules of a scope with the number of the revision they stand at. */
export type LoadedRules = { rules: readonly Rule[]; revision: number };

/** The rules of a scope as a form: what is saved, what stands in the form, and everything that may be done to it. */
export function useRules(scope: RuleScope, loaded: LoadedRules, fieldNames: readonly string[]) {
  const form = useRuleForm(loaded.rules, fieldNames);
  const [nameWanted, setNameWanted] = useState<NameWanted | null>(null);
  const selection = useSelected((ruleid) => rulePath(scope, ruleid));
  const { selected, select } = selection;
  const wantName = (ruleId: string) => {
    select(ruleId);
    setNameWanted({ ruleId });
  };
  const saves = useSaves(scope, loaded.revision, { form, selection, wantName });

  const put = (make: (list: readonly Rule[]) => readonly Rule[], concerned: string | undefined) => {
    form.edit(make, { ruleId: concerned, selected });
    select(concerned);
  };
  const add = () => {
    const rule = newRule(newRuleId);
    put((list) => [...list, rule], rule.id);
    setNameWanted({ ruleId: rule.id });
  };
  const copy = (rule: Rule) => {
    const made = copyRule(rule, newRuleId);
    put((list) => list.toSpliced(list.findIndex(({ id }) => id === rule.id) + 1, 0, made), made.id);
  };
  const order = (sorted: readonly Rule[]) => form.edit(() => sorted, { ruleId: selected, selected });
  /** One step back or forward; the rule that it concerns is brought up. */
  const step = (which: 'undo' | 'redo') => {
    const done = form.step(which);
    if (done !== undefined) select(done.ruleId);
  };
  const discard = () => {
    put(() => form.saved, form.saved.find(({ id }) => id === selected)?.id ?? form.saved[0]?.id);
    saves.closeFailure();
  };
  return { ...form, ...selection, ...saves, nameWanted, add, copy, order, step, discard };
}

type SaveParts = {
  form: ReturnType<typeof useRuleForm>;
  selection: ReturnType<typeof useSelected>;
  wantName: (ruleId: string) => void;
};

/** Saving and deleting, with the ways on where somebody else saved in between. */
function useSaves(scope: RuleScope, loaded: number, { form, selection, wantName }: SaveParts) {
  const [nameMissing, setNameMissing] = useState(false);
  const [foreign, setForeign] = useState<Foreign<Rule> | null>(null);
  const { send, remove: removeStored, standOn, busy, failure, forget } = useSaving(scope, loaded);
  const { selected, select } = selection;
  const { rules, saved } = form;

  const sendAll = async (list: readonly Rule[]): Promise<boolean> => {
    const outcome = await send(list);
    if (outcome.kind === 'saved') {
      form.takeAsSaved(list);
      showSaved('Gespeichert');
    } else if (outcome.kind === 'stale') setForeign(outcome.foreign);
    else {
      const refused = form.refuse(outcome.error, list);
      if (refused !== undefined) select(refused.ruleId);
    }
    return outcome.kind === 'saved';
  };
  /** RUL-10: with an empty name nothing is sent. Tells whether everything is saved. */
  const save = async (): Promise<boolean> => {
    const nameless = rules.find(({ name }) => name.trim() === '');
    setNameMissing(nameless !== undefined);
    if (nameless === undefined) return sendAll(rules);
    wantName(nameless.id);
    return false;
  };
  /** Goes on after somebody else saved. What was in the form stays among its steps, whichever way. */
  const resolve = async (resolution: Resolution) => {
    if (foreign === null) return;
    setForeign(null);
    standOn(foreign);
    form.takeAsSaved(foreign.rules);
    const next = resolved(resolution, { base: saved, mine: rules, theirs: foreign.rules });
    const concerned = next.find(({ id }) => id === selected)?.id ?? next[0]?.id;
    form.edit(() => next, { ruleId: concerned, selected });
    select(concerned);
    if (resolution.kind !== 'theirs') await sendAll(next);
  };
  /** RUL-08: afterwards the first remaining rule is selected. */
  const remove = async (rule: Rule) => {
    const stored = saved.some(({ id }) => id === rule.id);
    if (stored && !(await removeStored(rule.id))) return;
    form.forgetSaved(rule);
    form.edit((list) => list.filter(({ id }) => id !== rule.id), { ruleId: rule.id, selected });
    select(rules.find(({ id }) => id !== rule.id)?.id);
  };
  const state = { nameMissing, busy, failure, foreign };
  return { ...state, save, resolve, remove, closeForeign: () => setForeign(null), closeFailure: forget };
}
