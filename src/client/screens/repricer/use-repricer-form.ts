import { useMemo, useState } from 'react';
import { repricerRuleChanges } from '#shared/repricer/difference.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { endTyping, everyState, recordEdit, redoEdit, startHistory, undoEdit } from '#client/editor/edit-history.ts';
import { inOrderOf, typedPlace, unsavedRules, withoutNul } from './rule-form.ts';

type List = readonly RepricerRule[];
/** The rule that an edit was about, and the one that was selected before it. */
type Mark = { ruleId: string | undefined; selected: string | undefined };

/** The rules as they are saved, and as they stand in the form with all steps that led there. */
export function useRepricerForm(loaded: List) {
  const [saved, setSaved] = useState<List>(loaded);
  const [history, setHistory] = useState(() => startHistory<List, Mark>(loaded));
  const [said, setSaid] = useState('');
  const rules = history.present;
  const unsaved = useMemo(() => unsavedRules(saved, rules), [saved, rules]);

  const edit = (make: (list: List) => List, mark: Mark) =>
    setHistory((now) => recordEdit(now, make(now.present), mark));
  /** A rule as it is being edited; what is typed in one place is one step. */
  const change = (given: RepricerRule) => {
    const at = performance.now();
    const rule = withoutNul(given);
    setHistory((now) => {
      const old = now.present.find(({ id }) => id === rule.id);
      if (old === undefined) return now;
      const place = typedPlace(old, rule);
      const next = now.present.map((other) => (other === old ? rule : other));
      return recordEdit(now, next, { ruleId: rule.id, selected: rule.id }, place === undefined ? null : { place, at });
    });
  };
  /** What the server holds of a rule now; its pause may differ from what was asked for (REP-13). */
  const takeAsSaved = (rule: RepricerRule) => {
    const put = (list: List) => list.map((one) => (one.id === rule.id ? rule : one));
    setSaved((list) => (list.some(({ id }) => id === rule.id) ? put(list) : [...list, rule]));
    setHistory((now) => endTyping({ ...now, present: put(now.present) }));
  };
  const takeAllAsSaved = (list: List) => setSaved(list);
  const forgetSaved = (ruleid: string) => setSaved((list) => list.filter(({ id }) => id !== ruleid));
  /** The order is saved at once, so it is none of the steps: all of them get it. */
  const order = (ids: readonly string[]) => {
    setSaved((list) => inOrderOf(list, ids));
    setHistory((now) => everyState(now, (list) => inOrderOf(list, ids)));
  };
  /** Goes a step back or forward and gives the rule to look at. */
  const step = (which: 'undo' | 'redo'): { ruleId: string | undefined } | undefined => {
    const moved = which === 'undo' ? undoEdit(history) : redoEdit(history);
    if (moved === undefined) return undefined;
    const gone = saved.filter(({ id }) => !moved.history.present.some((rule) => rule.id === id));
    // A rule that is stored is not taken away by a step: that is what deleting is for.
    const present = gone.length === 0 ? moved.history.present : [...moved.history.present, ...gone];
    setHistory({ ...moved.history, present });
    const [sentence = 'Kein sichtbarer Unterschied.'] = repricerRuleChanges(rules, present);
    setSaid(`${which === 'undo' ? 'Rückgängig gemacht' : 'Wiederholt'}. ${sentence}`);
    const wanted = [moved.mark.ruleId, moved.mark.selected].find((id) => present.some((rule) => rule.id === id));
    return { ruleId: wanted ?? present[0]?.id };
  };
  const steps = { canUndo: history.past.length > 0, canRedo: history.future.length > 0, said };
  return { rules, saved, unsaved, steps, edit, change, takeAsSaved, takeAllAsSaved, forgetSaved, order, step };
}
export type RepricerForm = ReturnType<typeof useRepricerForm>;
