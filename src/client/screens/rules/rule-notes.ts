import type { RuleProblem } from '#shared/rules/check.ts';
import type { Action, Condition, Rule } from '#shared/rules/schema.ts';
import { CallError } from '#client/call.ts';
import { sameValue } from '#client/editor/same-value.ts';
import { nulRemovedText } from '#client/screens/rules/form/storable-text.ts';

/** A note at a field: an error, or a hint that does not block saving. */
export type Note = { error?: string; hint?: string };
/** Notes by path, of a rule (e.g. 'querys.0.value', 'actions.1.value.0.value') or of one of its parts ('value'). */
export type Notes = Readonly<Record<string, Note>>;

/**
 * A path that the server refused. It refers to the very part that was sent: the part may move, and any change of it clears the
 * refusal until the next save.
 */
export type Refusal = { ruleId: string; part: Condition | Action | string; path: string; message: string };

/** Parses the paths of a refused save; the server names them '<index of the rule>.<path>'. */
export function refusalsOf(error: unknown, sent: readonly Rule[]): Refusal[] {
  if (!(error instanceof CallError)) return [];
  return error.fields.flatMap(({ field, message }) => {
    const [, index = '', path = ''] = /^(\d+)\.(.+)$/.exec(field) ?? [];
    const rule = sent[Number(index)];
    if (index === '' || rule === undefined) return [];
    const [, list, at = '', rest = ''] = /^(querys|actions)\.(\d+)\.(.+)$/.exec(path) ?? [];
    const part =
      list === 'querys' ? rule.querys[Number(at)] : list === 'actions' ? rule.actions[Number(at)] : undefined;
    return [{ ruleId: rule.id, part: part ?? rule.name, path: part === undefined ? path : rest, message }];
  });
}

/** Returns the refusals that still apply to the current rule, with their current paths. */
export function standingRefusals(rule: Rule, refusals: readonly Refusal[]): { path: string; message: string }[] {
  return refusals.flatMap(({ ruleId, part, path, message }) => {
    if (ruleId !== rule.id) return [];
    if (typeof part === 'string') return part === rule.name ? [{ path, message }] : [];
    const query = rule.querys.findIndex((condition) => condition === part);
    if (query !== -1) return [{ path: `querys.${query}.${path}`, message }];
    const action = rule.actions.findIndex((other) => other === part);
    return action === -1 ? [] : [{ path: `actions.${action}.${path}`, message }];
  });
}

const noIds: ReadonlySet<string> = new Set();

/** Returns the ids of the rules whose current form the server refused; the same empty set while there are none. */
export function refusedIds(rules: readonly Rule[], refusals: readonly Refusal[]): ReadonlySet<string> {
  if (refusals.length === 0) return noIds;
  return new Set(rules.filter((rule) => standingRefusals(rule, refusals).length > 0).map(({ id }) => id));
}

/** Errors and hints about the rules of a form. */
export type FormNotes = {
  problems: readonly RuleProblem[];
  refusals: readonly Refusal[];
  cleaned: { rule: Rule; paths: readonly string[] } | null;
};

/** Returns the notes of one rule: first the server's refusals, then the findings of the form's check, then removed characters. */
export function notesOf(rule: Rule, { problems, refusals, cleaned }: FormNotes): Notes {
  const removed = cleaned?.rule === rule ? cleaned.paths : [];
  const notes = new Map<string, Note>();
  // The first finding of a path counts. Whether characters were removed is more useful than a hint.
  for (const { path, severity, message } of problems.filter(({ ruleId }) => ruleId === rule.id))
    if (!notes.has(path)) notes.set(path, severity === 'error' ? { error: message } : { hint: message });
  for (const path of removed) if (notes.get(path)?.error === undefined) notes.set(path, { hint: nulRemovedText });
  for (const { path, message } of standingRefusals(rule, refusals).toReversed()) notes.set(path, { error: message });
  return Object.fromEntries(notes);
}

/** Returns the notes of a part of the rule, e.g. of 'querys.0', by their paths in it. */
export const notesBelow = (notes: Notes, part: string): Notes =>
  Object.fromEntries(
    Object.entries(notes).flatMap(([path, note]) =>
      path.startsWith(`${part}.`) ? [[path.slice(part.length + 1), note]] : [],
    ),
  );

/**
 * For `memo`: whether a part of a rule needs no rendering. Its notes are made anew with each change of the rule, so they are
 * compared by their content.
 */
export function isSamePart<Props extends { notes: Notes }>(one: Props, other: Props): boolean {
  const { notes, ...rest } = one;
  const { notes: otherNotes, ...otherRest } = other;
  const others = new Map(Object.entries(otherRest));
  return (
    Object.entries(rest).every(([name, value]) => Object.is(value, others.get(name))) && sameValue(notes, otherNotes)
  );
}
