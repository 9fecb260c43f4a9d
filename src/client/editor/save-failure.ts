import { CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';

/** A failed save: the words for the notice, and whether somebody else saved in between. */
export type SaveFailure = Failure & { conflict: boolean };

const keptText = 'Ihre Änderungen stehen noch im Formular.';
const retryText = 'Bitte versuchen Sie es erneut.';

/** GEN-05: logs 'Fehler beim Speichern' and says what happened, what is safe and what to do. */
export function saveFailureOf(error: unknown): SaveFailure {
  const failure = failureOf('Fehler beim Speichern', error);
  if (isTimeout(error))
    return {
      ...failure,
      conflict: false,
      message: `Der Server hat nicht rechtzeitig geantwortet; ob er gespeichert hat, ist nicht bekannt. ${keptText} ${retryText}`,
    };
  const { status, code } = error instanceof CallError ? error : { status: -1, code: '' };
  // The user declined the server's question: this is not a conflict with another save.
  if (code === 'limits_confirm')
    return {
      ...failure,
      conflict: false,
      message: `Die Preisgrenzen bleiben, wie sie sind; es wurde nichts gespeichert. ${keptText}`,
    };
  if (status === 409) return { ...failure, conflict: true };
  const next = status === 422 || status === 400 || failure.message.includes('erneut') ? '' : ` ${retryText}`;
  // Some of the server's sentences lack the final punctuation.
  const sentence = /[.!?…]$/.test(failure.message) ? failure.message : `${failure.message}.`;
  return { ...failure, conflict: false, message: `${sentence} ${keptText}${next}` };
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError');
