import { KontorError } from '#platform/errors.ts';

const unchanged = 'Es wurde nichts geändert, der bisherige Stand gilt weiter.';

/** The store does not answer, or reports a temporary failure. */
export const storeAway = (cause: unknown) =>
  new KontorError(
    503,
    'store_away',
    `Der Dateispeicher ist zurzeit nicht erreichbar. ${unchanged} Bitte in einigen Minuten erneut versuchen; hält es an, wenden Sie sich an den Betreiber.`,
    { cause, retryAfter: 60 },
  );

/** The key is wrong or lacks the permission. */
export const storeRefused = (cause: unknown) =>
  new KontorError(
    503,
    'store_refused',
    `Der Dateispeicher weist den Zugang ab. ${unchanged} Bitte wenden Sie sich an den Betreiber: Schlüssel, Rechte und Name des Buckets sind zu prüfen (S3_ACCESS_KEY, S3_SECRET_KEY, KONTOR_STORE).`,
    { cause, retryAfter: 60 },
  );

export const storeFull = (cause: unknown) =>
  new KontorError(
    503,
    'store_full',
    `Der Dateispeicher nimmt nichts mehr auf: er ist voll, oder sein Kontingent ist erschöpft. ${unchanged} Bitte wenden Sie sich an den Betreiber und versuchen Sie es dann erneut.`,
    { cause, retryAfter: 60 },
  );

/** The object is missing although its row exists. */
export const fileLost = (path: string, cause?: unknown) =>
  new KontorError(
    503,
    'file_lost',
    `Eine Datei fehlt im Dateispeicher (${path}). ${unchanged} Bitte wenden Sie sich an den Betreiber: sie lässt sich nur aus einer Sicherung zurückholen.`,
    { cause },
  );

/** The object's content differs from what was stored. */
export const fileChanged = (path: string) =>
  new KontorError(
    503,
    'file_changed',
    `Eine Datei im Dateispeicher ist nicht mehr die, die dort abgelegt wurde (${path}, Prüfsumme). Sie wird nicht verwendet. Bitte wenden Sie sich an den Betreiber: sie lässt sich nur aus einer Sicherung zurückholen.`,
  );

/** Whether a file is permanently unusable, however often it is retried. */
export const isUnusable = (error: unknown): boolean =>
  error instanceof KontorError && (error.code === 'file_lost' || error.code === 'file_changed');

export const cacheFull = () =>
  new KontorError(
    503,
    'cache_full',
    `Auf diesem Rechner ist kein Platz mehr für Dateien aus dem Dateispeicher. ${unchanged} Bitte in einigen Minuten erneut versuchen; hält es an, braucht der Betreiber mehr Platz (KONTOR_STORE_CACHE_GB).`,
    { retryAfter: 60 },
  );
