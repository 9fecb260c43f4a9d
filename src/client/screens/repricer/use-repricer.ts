import { useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { mergeRules } from '#shared/rules/merge.ts';
import {
  copyRepricerRule,
  INCOMPLETE_TEXT,
  isComplete,
  newRepricerRule,
  repricerProblems,
  type RepricerRule,
} from '#shared/repricer/schema.ts';
import type { Foreign, Resolution } from '#client/editor/conflict.ts';
import { useLimitQuestion } from '#client/fields/limits/use-limit-question.ts';
import { newRuleId } from '#client/fields/values/new-id.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { useSelected } from '#client/fields/rule-list/use-selected.ts';
import { showHint, showSaved } from '#client/ui/notices.tsx';
import type { LoadedRepricer } from './repricer.tsx';
import { repricerPath } from './repricer-path.ts';
import { asSent, inOrderOf, unsavedRules, withSaved } from './rule-form.ts';
import { useRepricerForm, type RepricerForm } from './use-repricer-form.ts';
import { useSaving } from './use-saving.ts';

type List = readonly RepricerRule[];

/** The repricing rules of a catalogue as a form, and everything that may be done to it. */
export function useRepricer({ masterid, rules: loaded, state }: LoadedRepricer) {
  const form = useRepricerForm(loaded);
  const [nameWanted, setNameWanted] = useState<NameWanted | null>(null);
  const { search } = useLocation();
  const selection = useSelected((ruleid) => repricerPath(masterid, ruleid) + search);
  const { selected, select } = selection;
  const wantName = (ruleId: string) => {
    select(ruleId);
    setNameWanted({ ruleId });
  };
  const saves = useSaves(masterid, state.revision, { form, selection, wantName });

  const put = (make: (list: List) => List, concerned: string | undefined) => {
    form.edit(make, { ruleId: concerned, selected });
    select(concerned);
  };
  /** REP-11. */
  const add = () => {
    const rule = newRepricerRule(newRuleId());
    put((list) => [...list, rule], rule.id);
    setNameWanted({ ruleId: rule.id });
  };
  /** REP-12. */
  const copy = (rule: RepricerRule) => {
    const made = copyRepricerRule(rule, newRuleId());
    put((list) => list.toSpliced(list.findIndex(({ id }) => id === rule.id) + 1, 0, made), made.id);
    setNameWanted({ ruleId: made.id });
  };
  /** One step back or forward; the rule that it concerns is brought up. */
  const step = (which: 'undo' | 'redo') => {
    const done = form.step(which);
    if (done !== undefined) select(done.ruleId);
  };
  const discard = () => {
    put(() => form.saved, form.saved.find(({ id }) => id === selected)?.id ?? form.saved[0]?.id);
    saves.forgetTries();
  };
  return { ...form, ...selection, ...saves, nameWanted, add, copy, step, discard };
}
export type Repricer = ReturnType<typeof useRepricer>;

type SaveParts = {
  form: RepricerForm;
  selection: ReturnType<typeof useSelected>;
  wantName: (ruleId: string) => void;
};

const idsOf = (list: List): string[] => list.map(({ id }) => id);

/** Saving, sorting and deleting, with the ways on where somebody else saved in between. */
function useSaves(masterid: string, loaded: number, { form, selection, wantName }: SaveParts) {
  const { rules, saved, unsaved } = form;
  const { selected, select } = selection;
  /** A save of these was tried: from then on they say what is missing in them (REP-14). */
  const [tried, setTried] = useState<ReadonlySet<string>>(new Set());
  const [foreign, setForeign] = useState<Foreign<RepricerRule> | null>(null);
  const server = useSaving(masterid, loaded);
  const limits = useLimitQuestion(masterid, server.setFailure);
  const changes = useListChanges(form, selection, { server, limits });

  const sendAll = async (list: List, all: List, stored: List): Promise<boolean> => {
    const outcome = await server.send(list.map(asSent), form.takeAsSaved);
    if (outcome.kind === 'stale') setForeign(outcome.foreign);
    if (outcome.kind !== 'saved') return false;
    showSaved('Daten erfolgreich gespeichert!');
    if (list.some((rule) => !isComplete(rule))) showHint(INCOMPLETE_TEXT);
    await placeNew(all, stored);
    return true;
  };
  /** The server puts new rules to the end; where they stand elsewhere in the form, they are sorted. */
  const placeNew = async (all: List, stored: List) => {
    const known = new Set(idsOf(stored));
    const there = [...idsOf(stored), ...idsOf(all).filter((id) => !known.has(id))];
    if (there.join() === idsOf(all).join()) return;
    if (await server.order(idsOf(all))) form.order(idsOf(all));
  };
  /** REP-13 to REP-15: what is changed, or else the selected rule as it is. Tells whether everything is saved. */
  const save = async (): Promise<boolean> => {
    const list = unsaved.length > 0 ? unsaved : rules.filter(({ id }) => id === selected).slice(0, 1);
    setTried((now) => new Set([...now, ...idsOf(list)]));
    const wrong = list.find((rule) => repricerProblems(rule).length > 0);
    if (wrong === undefined) {
      const after = withSaved({ saved, sent: list.map(asSent), all: rules });
      return (await limits.mayGo('save', { before: saved, after })) && sendAll(list, rules, saved);
    }
    if (wrong.name.trim() === '') wantName(wrong.id);
    else select(wrong.id);
    return false;
  };
  /** Goes on after somebody else saved. What was in the form stays among its steps, whichever way. */
  const resolve = async (resolution: Resolution) => {
    if (foreign === null) return;
    setForeign(null);
    server.standOn(foreign);
    const theirs = foreign.rules;
    const choices = resolution.kind === 'both' ? resolution.choices : new Map();
    const next = resolution.kind === 'theirs' ? theirs : mergeRules(saved, rules, theirs, choices).rules;
    form.takeAllAsSaved(theirs);
    const concerned = next.find(({ id }) => id === selected)?.id ?? next[0]?.id;
    form.edit(() => next, { ruleId: concerned, selected });
    select(concerned);
    const mine = unsavedRules(theirs, next);
    if (resolution.kind === 'theirs' || mine.length === 0) return;
    // What was asked about stood on other rules than these.
    const after = withSaved({ saved: theirs, sent: mine.map(asSent), all: next });
    if (await limits.mayGo('save', { before: theirs, after })) await sendAll(mine, next, theirs);
  };
  const { busy, failure, forget } = server;
  const forgetTries = () => {
    setTried(new Set());
    forget();
  };
  const closeForeign = () => setForeign(null);
  const state = { tried, busy: busy || limits.looking, failure, foreign, limits: limits.asked };
  return { ...state, ...changes, save, resolve, closeForeign, closeFailure: forget, forgetTries };
}

type Talks = { server: ReturnType<typeof useSaving>; limits: ReturnType<typeof useLimitQuestion> };

/** What concerns the list and is saved at once. */
function useListChanges(
  form: RepricerForm,
  { selected, select }: ReturnType<typeof useSelected>,
  { server, limits }: Talks,
) {
  const { rules, saved } = form;
  /** The order to go back to while a new one is asked about; a later move takes its place and carries it along. */
  const sorting = useRef<{ back: string[] } | null>(null);
  /** REP-03: the new order is saved at once; if that fails, or is not wanted after all, it is as before. */
  const order = async (ids: readonly string[]) => {
    const stored = new Set(idsOf(saved));
    const mine = { back: sorting.current?.back ?? idsOf(rules) };
    sorting.current = mine;
    form.order(ids);
    const still = () => sorting.current === mine;
    const before = inOrderOf(saved, mine.back);
    const go = await limits.mayGo('order', { before, after: inOrderOf(saved, ids), still });
    if (!still()) return;
    sorting.current = null;
    if (!go || !(await server.order(ids.filter((id) => stored.has(id))))) form.order(mine.back);
  };
  /** REP-12: afterwards the first remaining rule is selected. */
  const remove = async (rule: RepricerRule) => {
    const stored = saved.some(({ id }) => id === rule.id);
    const rest = saved.filter(({ id }) => id !== rule.id);
    if (stored && !(await limits.mayGo('remove', { before: saved, after: rest }))) return;
    if (stored && !(await server.remove(rule.id))) return;
    form.forgetSaved(rule.id);
    form.edit((list) => list.filter(({ id }) => id !== rule.id), { ruleId: rule.id, selected });
    select(rules.find(({ id }) => id !== rule.id)?.id);
  };
  return { order, remove };
}
