import type { RefObject } from 'react';
import { type FormPlace, leavesForm } from './leaves-form.ts';

export type GuardedForm = FormPlace & {
  dirty: boolean;
  /** Saves and returns whether it succeeded; only then the page may be left. Absent if nothing can be saved, only sent off. */
  onSave?: () => Promise<boolean>;
  /** What is lost by leaving, in a sentence, if it is not something that the user typed. */
  lost?: string;
};

/** A form of the page, and how it asks the user about unsaved edits: true once the page may be left. */
export type Guard = { readonly form: RefObject<GuardedForm>; readonly ask: () => Promise<boolean> };
type Place = { pathname: string; search: string };
export type LeaveAttempt = { now: Place; next: Place };

const guards = new Set<Guard>();
const watchers = new Set<() => void>();
/** The user has already agreed to leave, in an action that ends with a navigation. */
let agreed = false;

/** Reports that a form became dirty or clean. */
export function noteForms(): void {
  for (const watcher of watchers) watcher();
}

export function addGuard(guard: Guard): () => void {
  guards.add(guard);
  noteForms();
  return () => {
    guards.delete(guard);
    noteForms();
  };
}

/** Calls `watcher` whenever guards come or go, or their forms become dirty or clean. Returns what ends that. */
export function watchGuards(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** Whether this guard is the one that stops the router, for every form of the page: the router takes one blocker at a time. */
export const blocksRouter = (guard: Guard): boolean => guards.values().next().value === guard;
export const isGuarding = (guard: Guard): boolean => guards.has(guard);

const dirty = () => [...guards].filter(({ form }) => form.current.dirty);

/** Returns the forms whose edits a navigation would lose; without `way`, all unsaved forms. */
export const unsavedForms = (way?: LeaveAttempt): readonly GuardedForm[] => (agreed ? [] : formsLeft(way));

/**
 * How many forms a question about leaving is still about. With none it is void: a save that was already running when it was asked
 * has succeeded.
 */
export const countUnsaved = (way?: LeaveAttempt): number => formsLeft(way).length;

function formsLeft(way: LeaveAttempt | undefined): readonly GuardedForm[] {
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
  await leaveWithoutPrompt(act);
}

/** Leaves forms without asking: their edits are already decided about, or are void because their subject was deleted. */
export async function leaveWithoutPrompt(act: () => Promise<void>): Promise<void> {
  agreed = true;
  try {
    await act();
  } finally {
    agreed = false;
  }
}
