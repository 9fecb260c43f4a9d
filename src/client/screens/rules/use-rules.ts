import { useMemo, useState } from 'react';
import { checkRules } from '#shared/rule-check.ts';
import { copyRule, newRule, type Rule } from '#shared/rules.ts';
import { newRuleId } from '../../fields/new-id.ts';
import { showSaved } from '../../ui/notices.tsx';
import { regexWarning } from './regex-warning.ts';
import { countChanges, withReadableNumbers } from './rule-changes.ts';
import { type Refusal, refusalsOf } from './rule-notes.ts';
import type { RuleScope } from './rule-scope.ts';
import { useSaving, useSelected } from './use-saving.ts';

/** Asks the editor to put the focus into the name of a rule; a new object asks again. */
export type NameWanted = { ruleId: string };

/** The rules of a scope as a form: what is saved, what stands in the form, and everything that may be done to it. */
export function useRules(scope: RuleScope, loaded: readonly Rule[], fieldNames: readonly string[]) {
  const form = useRuleForm(loaded, fieldNames);
  const [nameWanted, setNameWanted] = useState<NameWanted | null>(null);
  const [nameMissing, setNameMissing] = useState(false);
  const { send, remove: removeStored, reload: loadAgain, busy, failure, forget } = useSaving(scope);
  const { selected, select } = useSelected(scope);
  const { rules, saved } = form;

  const put = (next: readonly Rule[], selected: Rule | undefined) => {
    form.setRules(next);
    select(selected?.id);
  };
  const add = () => {
    const rule = newRule(newRuleId);
    put([...rules, rule], rule);
    setNameWanted({ ruleId: rule.id });
  };
  const copy = (rule: Rule) => {
    const made = copyRule(rule, newRuleId);
    put(rules.toSpliced(rules.indexOf(rule) + 1, 0, made), made);
  };
  /** RUL-10: with an empty name nothing is sent. Tells whether everything is saved. */
  const save = async (anyway = false): Promise<boolean> => {
    const nameless = rules.find(({ name }) => name.trim() === '');
    setNameMissing(nameless !== undefined);
    if (nameless !== undefined) {
      select(nameless.id);
      setNameWanted({ ruleId: nameless.id });
      return false;
    }
    const error = await send(rules, anyway);
    if (error === undefined) {
      form.takeAsSaved(rules);
      showSaved('Gespeichert');
      return true;
    }
    const refused = form.refuse(error);
    if (refused !== undefined) select(refused.ruleId);
    return false;
  };
  /** RUL-08: afterwards the first remaining rule is selected. */
  const remove = async (rule: Rule) => {
    const stored = saved.some(({ id }) => id === rule.id);
    if (stored && !(await removeStored(rule.id))) return;
    put(
      form.forgetRule(rule),
      rules.find(({ id }) => id !== rule.id),
    );
  };
  const discard = () => {
    form.setRules(saved);
    forget();
    if (!saved.some(({ id }) => id === selected)) select(saved[0]?.id);
  };
  const reload = async () => {
    const fresh = await loadAgain();
    if (fresh === undefined) return;
    form.takeAsSaved(fresh);
    put(fresh, fresh[0]);
  };
  const doing = { add, copy, change: form.change, order: form.setRules, save, remove, discard, reload };
  return { ...form, ...doing, selected, select, nameWanted, nameMissing, busy, failure, closeFailure: forget };
}

/** The list that is saved, the list in the form, and what is wrong with that one. */
function useRuleForm(loaded: readonly Rule[], fieldNames: readonly string[]) {
  const [saved, setSaved] = useState<readonly Rule[]>(() => loaded.map(withReadableNumbers));
  const [rules, setRules] = useState(saved);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const changes = useMemo(() => countChanges(saved, rules), [saved, rules]);
  const problems = useMemo(() => checkRules(rules, fieldNames, regexWarning), [rules, fieldNames]);

  const change = (rule: Rule) => setRules((list) => list.map((old) => (old.id === rule.id ? rule : old)));
  const takeAsSaved = (list: readonly Rule[]) => {
    setSaved(list);
    setRefusals([]);
  };
  /** Keeps what the server said about single places and gives the first of them. */
  const refuse = (error: unknown): Refusal | undefined => {
    const refused = refusalsOf(error, rules);
    setRefusals(refused);
    return refused[0];
  };
  /** Takes a rule out of what counts as saved too; gives the rest of the form's list. */
  const forgetRule = (rule: Rule): Rule[] => {
    setSaved((list) => list.filter(({ id }) => id !== rule.id));
    return rules.filter(({ id }) => id !== rule.id);
  };
  return { rules, saved, changes, problems, refusals, setRules, change, takeAsSaved, refuse, forgetRule };
}
