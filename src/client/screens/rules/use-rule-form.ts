import { useDeferredValue, useMemo, useState } from 'react';
import { checkRules } from '#shared/rules/check.ts';
import { ruleListChanges } from '#shared/rules/difference.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { endTyping, recordEdit, redoEdit, startHistory, undoEdit } from '#client/editor/edit-history.ts';
import { regexWarning } from '#client/screens/rules/form/regex-warning.ts';
import { countChanges, withReadableNumbers } from './rule-changes.ts';
import { type Refusal, refusalsOf } from './rule-notes.ts';
import { storable, takenOut } from '#client/screens/rules/form/storable-text.ts';
import { typedPlace } from '#client/screens/rules/form/typed-place.ts';

/** The rule that an edit was about, and the one that was selected before it. */
export type EditMark = { ruleId: string | undefined; selected: string | undefined };

/** A rule as it is after something was taken out of it that cannot be stored, and the places. */
export type Cleaned = { rule: Rule; paths: readonly string[] };

/** The list that is saved, the list in the form with all its steps, and what is wrong with that one. */
export function useRuleForm(loaded: readonly Rule[], fieldNames: readonly string[]) {
  const [saved, setSaved] = useState<readonly Rule[]>(() => loaded.map(withReadableNumbers));
  const [history, setHistory] = useState(() => startHistory<readonly Rule[], EditMark>(saved));
  const [said, setSaid] = useState('');
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const [cleaned, setCleaned] = useState<Cleaned | null>(null);
  const rules = history.present;
  const changes = useMemo(() => countChanges(saved, rules), [saved, rules]);
  // Two megabytes of rules take a moment to check; a keystroke does not wait for that.
  const checked = useDeferredValue(rules);
  const problems = useMemo(() => checkRules(checked, fieldNames, regexWarning), [checked, fieldNames]);

  const edit = (make: (list: readonly Rule[]) => readonly Rule[], mark: EditMark) =>
    setHistory((now) => recordEdit(now, make(now.present), mark));
  /** A rule as it is being edited; what is typed in one place is one step. */
  const change = (changed: Rule) => {
    const at = performance.now();
    const { rule, paths } = storable(changed);
    setCleaned(paths.length === 0 ? null : { rule, paths });
    if (paths.length > 0) setSaid(takenOut);
    setHistory((now) => {
      const old = now.present.find(({ id }) => id === rule.id);
      if (old === undefined) return now;
      const place = typedPlace(old, rule);
      const next = now.present.map((other) => (other === old ? rule : other));
      return recordEdit(now, next, { ruleId: rule.id, selected: rule.id }, place === undefined ? null : { place, at });
    });
  };
  const takeAsSaved = (list: readonly Rule[]) => {
    setSaved(list);
    setRefusals([]);
    setHistory(endTyping);
  };
  /** Keeps what the server said about single places and gives the first of them. */
  const refuse = (error: unknown, sent: readonly Rule[]): Refusal | undefined => {
    const refused = refusalsOf(error, sent);
    setRefusals(refused);
    return refused[0];
  };
  /** Goes a step back or forward and gives the rule to look at. */
  const step = (which: 'undo' | 'redo'): { ruleId: string | undefined } | undefined => {
    const moved = which === 'undo' ? undoEdit(history) : redoEdit(history);
    if (moved === undefined) return undefined;
    const { present } = moved.history;
    setHistory(moved.history);
    const [sentence = 'Kein sichtbarer Unterschied.'] = ruleListChanges(rules, present);
    setSaid(`${which === 'undo' ? 'Rückgängig gemacht' : 'Wiederholt'}. ${sentence}`);
    const wanted = [moved.mark.ruleId, moved.mark.selected].find((id) => present.some((rule) => rule.id === id));
    return { ruleId: wanted ?? present[0]?.id };
  };
  const steps = { canUndo: history.past.length > 0, canRedo: history.future.length > 0, said };
  /** What the server deleted is no longer saved; undoing it makes the form dirty. */
  const forgetSaved = (rule: Rule) => setSaved((list) => list.filter(({ id }) => id !== rule.id));
  const state = { rules, saved, changes, problems, refusals, cleaned, steps };
  return { ...state, edit, change, step, takeAsSaved, refuse, forgetSaved };
}
