import { pages } from '#shared/pages.ts';
import { CallError } from './call.ts';

/** The catalogue of failure texts; each is written to the diagnostic log word for word (GEN-05). */
export type FailureText =
  | 'Fehler beim Speichern'
  | 'Fehler beim Laden'
  | 'Fehler beim Laden der Daten:'
  | 'Fehler beim Aktualisieren:'
  | 'Fehler beim Löschen'
  | 'Fehler beim Wiederherstellen'
  | 'Fehler beim Vergleichen'
  | 'Fehler beim Anlegen'
  | 'Fehler beim Starten'
  | 'Fehler beim Abbrechen'
  | 'Fehler beim Hochladen'
  | 'Fehler beim Anmelden'
  | 'Fehler beim Abmelden';

/** What a notice shows of a failure: the catalogue text, the cause in German, and the request number for support. */
export type Failure = {
  title: string;
  message: string;
  requestId: string;
  /** HTTP status; absent if no answer came. */
  status?: number;
  /** The server's error code; absent if the call itself failed. */
  code?: string;
  remedy?: { label: string; href: string };
};

/**
 * After the session has ended, the user signs in in another window, which then closes itself: the form keeps its content and is
 * sent again from here.
 */
const signIn = { label: 'Anmelden (neues Fenster)', href: `${pages.login.path}?fenster=1` };

/** The user closed the browser's passkey prompt, or the device has no passkey for this site. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

/** GEN-05: writes the catalogue text and the error to the diagnostic log. */
export function logFailure(text: FailureText, error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser's console is the diagnostic log the specification names
  console.error(text, error);
}

/** Logs a failure and returns the words for its notice. */
export function failureOf(text: FailureText, error: unknown): Failure {
  logFailure(text, error);
  if (error instanceof CallError) {
    // A request number for support helps with server errors, not with a wrongly filled form.
    const requestId = error.status >= 500 ? error.requestId : '';
    return {
      title: text,
      message: causeOf(error),
      requestId,
      ...(error.status > 0 ? { status: error.status, code: error.code } : {}),
      // A wrong code or passkey also gets a 401, although the session is still valid.
      ...(error.code === 'no_session' ? { remedy: signIn } : {}),
    };
  }
  if (error instanceof PasskeyCancelled) return { title: text, message: error.message, requestId: '' };
  return { title: text, message: 'Es ist ein unerwarteter Fehler aufgetreten.', requestId: '' };
}

/** The message of a failed call and its messages about single fields, without the field names: users do not know those. */
function causeOf(error: CallError): string {
  const fieldMessages = error.fields
    .map(({ message }) => message)
    .filter((message) => !error.message.includes(message));
  return [error.message, ...new Set(fieldMessages)].join(' ');
}

/** Returns the message for one field of a form, undefined if the failure does not name the field. */
export function fieldError(error: unknown, field: string): string | undefined {
  return error instanceof CallError ? error.fields.find((entry) => entry.field === field)?.message : undefined;
}
