import { CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';

/** A save that failed: the words for the notice, and whether somebody else saved in between. */
export type SaveFailure = Failure & { conflict: boolean };

/** GEN-05: logs 'Fehler beim Speichern' and says what happened, what is safe and what to do. */
export function saveFailureOf(error: unknown): SaveFailure {
  const failure = failureOf('Fehler beim Speichern', error);
  const status = error instanceof CallError ? error.status : -1;
  if (status === 409) return { ...failure, conflict: true };
  const next = status === 422 || status === 400 ? '' : ' Bitte versuchen Sie es erneut.';
  return { ...failure, conflict: false, message: `${failure.message} Ihre Änderungen stehen noch im Formular.${next}` };
}
