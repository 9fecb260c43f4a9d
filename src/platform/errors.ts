/**
 * An error that the user can understand and act on: a code for machines, a German sentence for people, an HTTP status. Any other
 * error is a bug or an outage and is answered with 500 or 503 without its text.
 */
export class KontorError extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: readonly { field: string; message: string }[] | undefined;
  /** Seconds after which a retry makes sense (429, 503). */
  readonly retryAfter: number | undefined;
  /** The confirmation that is required: its keyed hash, and the number of offers concerned. */
  readonly confirm: { mark: string; offers: number | null } | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Partial<Pick<KontorError, 'fields' | 'retryAfter' | 'confirm'>> & { cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'KontorError';
    this.status = status;
    this.code = code;
    this.fields = more.fields;
    this.retryAfter = more.retryAfter;
    this.confirm = more.confirm;
  }
}

/** Unknown ids and ids of other companies get the same error, so that ids cannot be probed (T12). */
export const notFound = (what: string) => new KontorError(404, 'not_found', `${what} gibt es nicht (mehr).`);

export const notAllowed = () =>
  new KontorError(403, 'not_allowed', 'Ihre Rolle erlaubt das nicht. Bitte wenden Sie sich an den Inhaber des Kontos.');

export const peopleOnly = () =>
  new KontorError(
    403,
    'people_only',
    'Das geht nur angemeldet, nicht mit einem API-Zugang. Es wurde nichts geändert. Bitte melden Sie sich dafür in Kontor an.',
  );

/** `byToken`: the request had a token, but an unknown one. */
export const notIdentified = (byToken: boolean) =>
  byToken
    ? new KontorError(
        401,
        'token_unknown',
        'Diesen API-Zugang gibt es nicht (mehr). Es wurde nichts geändert. Bitte prüfen Sie das Geheimnis, oder legen Sie in den Einstellungen einen neuen Zugang an.',
      )
    : new KontorError(401, 'no_session', 'Bitte melden Sie sich erneut an. Ihre Eingaben bleiben erhalten.');

export const stepUpRequired = () =>
  new KontorError(
    403,
    'step_up_required',
    'Bitte geben Sie Ihr Passwort oder Ihren zweiten Faktor noch einmal ein. Es wurde nichts gespeichert, Ihre Eingaben bleiben erhalten.',
  );

export const factorMissing = () =>
  new KontorError(
    403,
    'second_factor_missing',
    'Ihre Firma verlangt einen zweiten Faktor. Bitte richten Sie ihn unter „Konto“ ein.',
  );

export const unprocessable = (code: string, message: string, fields?: readonly { field: string; message: string }[]) =>
  new KontorError(422, code, message, fields ? { fields } : {});

export const unavailable = (cause: unknown) =>
  new KontorError(
    503,
    'unavailable',
    'Zurzeit nicht möglich. Es wurde nichts gespeichert. Bitte in einigen Sekunden erneut versuchen.',
    {
      retryAfter: 10,
      cause,
    },
  );

/** Whether a database server cancelled a statement, because of its time limit or on request. */
export const isStatementCancelled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014';

export const tooSlow = (cause: unknown) =>
  new KontorError(
    503,
    'too_slow',
    'Das hat zu lange gedauert und wurde abgebrochen. Es wurde nichts gespeichert, alles Bisherige gilt weiter. Bitte in einigen Minuten erneut versuchen; bleibt es dabei, wenden Sie sich an den Betreiber.',
    { cause, retryAfter: 60 },
  );

/** Whether a write failed because the disk is full, as reported by Node, PostgreSQL or DuckDB (F10). */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ENOSPC' || error.code === '53100')) || /no space left/iu.test(error.message));

/** Whether DuckDB ran out of memory, because of this statement or others running in parallel. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Out of Memory Error');

export const diskFull = (cause: unknown) =>
  new KontorError(
    503,
    'disk_full',
    'Der Speicherplatz des Servers ist erschöpft. Es wurde nichts gespeichert, alles Bisherige gilt weiter. Bitte geben Sie Speicherplatz frei oder wenden Sie sich an den Betreiber, und versuchen Sie es dann erneut.',
    { cause, retryAfter: 60 },
  );

/** Whether the database refused a row because its key exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Whether the database refused a value, e.g. a number out of range or a violated check. */
export const isFaultOfData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]...$/.test(String(error.code));
