import type { RefObject } from 'react';
import { type FormPlace, leavesForm } from './leaves-form.ts';

export type GuardedForm = FormPlace & {
  dirty: boolean;
  /** Saves and returns whether it succeeded; only then the page may be left. Absent where there is nothing to save before it is sent off. */
  onSave?: () => Promise<boolean>;
};

/** A form of the page, and how it asks somebody what becomes of unsaved edits: true once the page may be left. */
export type Guard = { readonly form: RefObject<GuardedForm>; readonly ask: () => Promise<boolean> };
type Place = { pathname: string; search: string };

/** The router asks only the guard that was added last; so each answers for every form of the page. */
const guards = new Set<Guard>();
/** Somebody was asked already, by something that ends with a way to another page. */
let agreed = false;

export function addGuard(guard: Guard): () => void {
  guards.add(guard);
  return () => {
    guards.delete(guard);
  };
}
export const isGuarding = (guard: Guard): boolean => guards.has(guard);

const dirty = () => [...guards].filter(({ form }) => form.current.dirty);

/** The forms whose edits a way to another address would lose; of all forms without one. */
export function unsavedForms(way?: { now: Place; next: Place }): readonly GuardedForm[] {
  if (agreed) return [];
  const forms = dirty().map(({ form }) => form.current);
  return way === undefined ? forms : forms.filter((form) => leavesForm(form, way.now, way.next));
}

/**
 * Does what takes everybody away from the page, such as signing out: asks for unsaved edits before it, as a way to another page
 * does, and not again on the way that it ends with.
 */
export async function leaveBy(act: () => Promise<void>): Promise<void> {
  const guard = dirty().at(-1);
  if (guard !== undefined && !(await guard.ask())) return;
  await leaveUnasked(act);
}

/** Leaves forms whose edits are decided about, or mean nothing any more since what they belong to was deleted. */
export async function leaveUnasked(act: () => Promise<void>): Promise<void> {
  agreed = true;
  try {
    await act();
  } finally {
    agreed = false;
  }
}
