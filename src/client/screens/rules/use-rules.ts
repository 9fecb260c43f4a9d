import { useDeferredValue, useMemo, useState } from 'react';
import { checkRules } from '#shared/rules/check.ts';
import { copyRule, newRule, type Rule, Rules } from '#shared/rules/schema.ts';
import { CallError } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import type { Resolution } from '#client/editor/document-state.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { type DocumentEditor, useDocument } from '#client/editor/use-document.ts';
import { newRuleId } from '#client/fields/values/new-id.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { useSelected } from '#client/fields/rule-list/use-selected.ts';
import { regexWarning } from '#client/screens/rules/form/regex-warning.ts';
import { editorId } from '#client/screens/rules/form/rule-editor.tsx';
import { storable, nulRemovedText } from '#client/screens/rules/form/storable-text.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { useFailure } from '#client/use-failure.ts';
import { asShown } from './rule-changes.ts';
import { type Refusal, refusalsOf } from './rule-notes.ts';
import { documentOf, ruleCallsOf, rulePath, type RuleScope } from './rule-scope.ts';
import { ruleShape } from './rule-shape.ts';

/** The rules of a scope with their revision number. */
export type LoadedRules = { rules: readonly Rule[]; revision: number };
type List = readonly Rule[];
/** The rule that an edit was about, and the one that was selected before it. */
type Mark = { ruleId: string | undefined; selected: string | undefined };
/** A rule after removing characters that cannot be stored, and the paths they were removed from. */
type Cleaned = { rule: Rule; paths: readonly string[] };

/** The rules of a scope as a form: the document, its errors, and all actions. */
export function useRules(scope: RuleScope, loaded: LoadedRules, fieldNames: readonly string[]) {
  const [cleaned, setCleaned] = useState<Cleaned | null>(null);
  const [nameWanted, setNameWanted] = useState<NameWanted | null>(null);
  const selection = useSelected((ruleid) => rulePath(scope, ruleid));
  const { selected, select } = selection;
  const wantName = (ruleId: string) => {
    select(ruleId);
    setNameWanted({ ruleId });
  };
  const saves = useSavedRules(scope, loaded, { select, wantName });
  const { editor } = saves;
  const { draft: rules, stored } = editor;
  // Checking two megabytes of rules takes a moment; a keystroke does not wait for it.
  const checked = useDeferredValue(rules);
  const problems = useMemo(() => checkRules(checked, fieldNames, regexWarning), [checked, fieldNames]);
  const deletion = useDeletion(scope, editor);

  const put = (make: (list: List) => List, ruleId: string) => {
    editor.edit(make, { ruleId, selected });
    wantName(ruleId);
  };
  /** Takes over an edited rule. */
  const change = (changed: Rule) => {
    const { rule, paths } = storable(changed);
    setCleaned(paths.length === 0 ? null : { rule, paths });
    if (paths.length > 0) editor.announce(nulRemovedText);
    editor.edit((list) => list.map((other) => (other.id === rule.id ? rule : other)), {
      ruleId: rule.id,
      selected: rule.id,
    });
  };
  const begin = (rule: Rule) => put((list) => (list.includes(rule) ? list : [...list, rule]), rule.id);
  const add = () => begin(newRule(newRuleId));
  const copy = (rule: Rule) => {
    const made = copyRule(rule, newRuleId);
    put((list) => list.toSpliced(list.findIndex(({ id }) => id === rule.id) + 1, 0, made), made.id);
  };
  const order = (ids: readonly string[]) =>
    editor.edit((list) => ids.flatMap((id) => list.find((one) => one.id === id) ?? []), { ruleId: selected, selected });
  const discard = () => {
    const concerned = firstOf(stored, [selected]);
    editor.discard({ ruleId: concerned, selected });
    select(concerned);
    deletion.setFailure(null);
  };
  const resolve = (resolution: Resolution) =>
    select(firstOf(editor.resolve(resolution, { ruleId: selected, selected }), [selected]));
  /** RUL-08: afterwards the first remaining rule is selected. */
  const remove = async (rule: Rule) => {
    if (!(await deletion.removeStored(rule.id))) return;
    editor.edit((list) => list.filter(({ id }) => id !== rule.id), { ruleId: rule.id, selected });
    select(rules.find(({ id }) => id !== rule.id)?.id);
  };
  const failure = editor.failure ?? deletion.failure;
  const closeFailure = () => {
    editor.closeFailure();
    deletion.setFailure(null);
  };
  const state = { rules, problems, cleaned, nameWanted, failure, closeFailure };
  return { ...selection, ...saves, ...state, change, add, begin, copy, order, discard, resolve, remove };
}

type SaveParts = { select: (ruleId: string | undefined) => void; wantName: (ruleId: string) => void };

/** The list as a document, and the server's refusals by path. */
function useSavedRules(scope: RuleScope, loaded: LoadedRules, { select, wantName }: SaveParts) {
  const [nameMissing, setNameMissing] = useState(false);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const { id, kind } = scope;
  const document = useMemo(() => loaded.rules.map(asShown), [loaded.rules]);
  const editor = useDocument<List, Mark>({
    loaded: { document, revision: loaded.revision },
    shape: ruleShape,
    send: (rules, { revision, signal }) => ruleCallsOf[kind].save(id, [...rules], revision, signal),
    newest: () => newestRevision(documentOf(scope), (content) => Rules.parse(content ?? []).map(asShown)),
    /** RUL-10: with an empty name nothing is sent. */
    mayGo: (rules) => {
      const nameless = rules.find(({ name }) => name.trim() === '');
      setNameMissing(nameless !== undefined);
      if (nameless !== undefined) wantName(nameless.id);
      return nameless === undefined;
    },
    onSaved: () => {
      setRefusals([]);
      showSaved('Gespeichert');
    },
    onRefused: (error, sent) => {
      const refused = refusalsOf(error, sent);
      setRefusals(refused);
      if (refused[0] !== undefined) select(refused[0].ruleId);
    },
    onStep: ({ ruleId, selected: before }, rules) => {
      select(firstOf(rules, [ruleId, before]));
      requestAnimationFrame(keepFocus);
    },
  });
  return { editor, nameMissing, refusals };
}

/** RUL-08: a rule is deleted on the server at once. */
function useDeletion(scope: RuleScope, editor: DocumentEditor<List, Mark>) {
  const [failure, setFailure] = useFailure();
  /** Resolves to whether the server no longer has the rule. */
  const removeStored = async (ruleid: string): Promise<boolean> => {
    const without = (list: List) => list.filter(({ id }) => id !== ruleid);
    if (!editor.stored.some(({ id }) => id === ruleid)) return true;
    setFailure(null);
    try {
      const { revision: next } = await ruleCallsOf[scope.kind].remove(scope.id, ruleid);
      const { revision } = editor.current();
      // A gap in the revisions means that somebody else saved in between: the old one is kept, so
      // that the next save reports the conflict.
      editor.changeStored(without, next === revision + 1 ? next : revision);
      return true;
    } catch (error) {
      // Somebody else has already deleted it.
      if (error instanceof CallError && error.status === 404) {
        editor.changeStored(without);
        return true;
      }
      setFailure(failureOf('Fehler beim Löschen', error));
      return false;
    }
  };
  return { failure, setFailure, removeStored };
}

/** Restores the focus after an undo step that shows another rule and thereby removed the focused field. */
function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById(editorId)?.focus({ preventScroll: true });
}

/** Returns the first of the ids that still exists, else the id of the first rule. */
const firstOf = (rules: List, ids: readonly (string | undefined)[]): string | undefined =>
  ids.find((id) => rules.some((rule) => rule.id === id)) ?? rules[0]?.id;
