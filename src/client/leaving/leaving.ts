import type { RefObject } from 'react';
import { type FormPlace, leavesForm } from './leaves-form.ts';

export type GuardedForm = FormPlace & {
  dirty: boolean;
  /** Saves and returns whether it succeeded; only then the page may be left. Absent if nothing can be saved, only sent off. */
  onSave?: () => Promise<boolean>;
};

/** A form of the page, and how it asks the user about unsaved edits: true once the page may be left. */
export type Guard = { readonly form: RefObject<GuardedForm>; readonly ask: () => Promise<boolean> };
type Place = { pathname: string; search: string };

/** The router calls only the guard that was added last, so each guard answers for every form of the page. */
const guards = new Set<Guard>();
/** The user has already agreed to leave, in an action that ends with a navigation. */
let agreed = false;

export function addGuard(guard: Guard): () => void {
  guards.add(guard);
  return () => {
    guards.delete(guard);
  };
}
export const isGuarding = (guard: Guard): boolean => guards.has(guard);

const dirty = () => [...guards].filter(({ form }) => form.current.dirty);

/** Returns the forms whose edits a navigation would lose; without `way`, all unsaved forms. */
export function unsavedForms(way?: { now: Place; next: Place }): readonly GuardedForm[] {
  if (agreed) return [];
  const forms = dirty().map(({ form }) => form.current);
  return way === undefined ? forms : forms.filter((form) => leavesForm(form, way.now, way.next));
}

/**
 * Runs an action that leaves the page, such as signing out. Asks about unsaved edits first, as a navigation does, and not again
 * during the navigation that ends it.
 */
export async function leaveBy(act: () => Promise<void>): Promise<void> {
  const guard = dirty().at(-1);
  if (guard !== undefined && !(await guard.ask())) return;
  await leaveUnasked(act);
}

/** Leaves forms without asking: their edits are already decided about, or are void because their subject was deleted. */
export async function leaveUnasked(act: () => Promise<void>): Promise<void> {
  agreed = true;
  try {
    await act();
  } finally {
    agreed = false;
  }
}
