import { diskFull, isStatementCancelled, isDiskFull, KontorError, tooSlow, unavailable } from '#platform/errors.ts';

export const mediaTypeText = 'Diese Art von Inhalt wird hier nicht angenommen. Erwartet wird JSON.';

const texts: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'too_large', message: 'Die Anfrage ist zu groß.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'media_type',
    message: mediaTypeText,
  },
  FST_REQ_FILE_TOO_LARGE: {
    status: 413,
    code: 'too_large',
    message: 'Die Datei ist zu groß. Es wurde nichts gespeichert.',
  },
};

/** Errors while a form is parsed are the client's: no boundary, a part without a name, or a truncated form. */
export const unreadableForm = (cause: unknown) =>
  new KontorError(400, 'unreadable', 'Das gesendete Formular ist nicht lesbar. Es wurde nichts gespeichert.', {
    cause,
  });

/** Converts any error to an `ErrorBody`. If it is no KontorError (`known` false), the text is general and the caller logs it. */
export function errorBody(
  error: unknown,
  requestId: string,
): { status: number; body: { error: object }; known: boolean; retryAfter?: number } {
  const known = knownError(error);
  const status = known?.status ?? 500;
  return {
    status,
    known: known !== undefined,
    ...(known?.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
    body: {
      error: {
        code: known?.code ?? 'internal',
        message:
          known?.message ??
          `Ein interner Fehler ist aufgetreten. Es wurde nichts gespeichert. Bitte erneut versuchen; bleibt es dabei, nennen Sie uns die Vorgangsnummer ${requestId}.`,
        ...(known?.fields ? { fields: known.fields } : {}),
        ...(known?.confirm ? { confirm: known.confirm } : {}),
        requestId,
      },
    },
  };
}

/** Error messages of the database drivers, which have no code, for a connection that broke during a query or cannot be made. */
const connectionLost =
  /^(the embedded database has ended|Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

function knownError(error: unknown): KontorError | undefined {
  if (error instanceof KontorError) return error;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const text = texts[code];
  if (text) return new KontorError(text.status, text.code, text.message);
  if (isDiskFull(error)) return diskFull(error);
  if (isStatementCancelled(error)) return tooSlow(error);
  // The database is gone, starting or out of connections: nothing was acknowledged, so a retry makes sense.
  if (/^(08|53|57P0|ECONN|EPIPE)/.test(code) || connectionLost.test(error.message)) return unavailable(error);
  if (
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode >= 400 &&
    error.statusCode < 500
  ) {
    return new KontorError(error.statusCode, 'unreadable', 'Die Anfrage ist nicht lesbar.');
  }
  return undefined;
}
