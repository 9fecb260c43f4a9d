import { pages } from '#shared/pages.ts';
import { CallError } from './call.ts';

/** The catalogue of failures; each stands in the diagnostic log word by word (GEN-05). */
export type FailureText =
  | 'Fehler beim Speichern'
  | 'Fehler beim Laden'
  | 'Fehler beim Laden der Daten:'
  | 'Fehler beim Löschen'
  | 'Fehler beim Wiederherstellen'
  | 'Fehler beim Vergleichen'
  | 'Fehler beim Anlegen'
  | 'Fehler beim Starten'
  | 'Fehler beim Abbrechen'
  | 'Fehler beim Hochladen'
  | 'Fehler beim Anmelden'
  | 'Fehler beim Abmelden';

/** What a notice shows of a failure: the catalogue text, the cause in German, and the number to ask support with. */
export type Failure = {
  title: string;
  message: string;
  requestId: string;
  /** Of HTTP; absent where no answer came. */
  status?: number;
  remedy?: { label: string; href: string };
};

/** A session that ended is begun anew in another window, which closes behind itself: the form stays and is sent again from here. */
const signIn = { label: 'Anmelden (neues Fenster)', href: `${pages.login.path}?fenster=1` };

/** Somebody closed the browser's question, or the device has no passkey for this site. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

/** GEN-05: writes the catalogue text and the error to the diagnostic log. */
export function logFailure(text: FailureText, error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser's console is the diagnostic log the specification names
  console.error(text, error);
}

/** Logs a failure and makes the words for its notice. */
export function failureOf(text: FailureText, error: unknown): Failure {
  logFailure(text, error);
  if (error instanceof CallError) {
    // A number to ask support with helps where the house failed, not where a form was filled in wrongly.
    const requestId = error.status >= 500 ? error.requestId : '';
    return {
      title: text,
      message: causeOf(error),
      requestId,
      ...(error.status > 0 ? { status: error.status } : {}),
      // A wrong code or passkey is answered with 401, too, and the session is open.
      ...(error.code === 'no_session' ? { remedy: signIn } : {}),
    };
  }
  if (error instanceof PasskeyCancelled) return { title: text, message: error.message, requestId: '' };
  return { title: text, message: 'Es ist ein unerwarteter Fehler aufgetreten.', requestId: '' };
}

/** The message of a failed call with what it says about single fields; their names are the wire's, not the user's. */
function causeOf(error: CallError): string {
  const fieldMessages = error.fields
    .map(({ message }) => message)
    .filter((message) => !error.message.includes(message));
  return [error.message, ...new Set(fieldMessages)].join(' ');
}

/** The message for one field of a form, undefined if the failure does not name it. */
export function fieldError(error: unknown, field: string): string | undefined {
  return error instanceof CallError ? error.fields.find((entry) => entry.field === field)?.message : undefined;
}
