import { isDiskFull } from '#platform/errors.ts';

/**
 * Refusal of the whole file: nothing of it is imported. The message is German and says what happened, what it means and what to
 * do; `line` is the physical line where the problem starts, if there is one.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly line: number | undefined;
  constructor(code: string, message: string, line?: number) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.line = line;
  }
}

/** Turns a full disk into a Refusal; returns other errors unchanged. */
export function diskError(error: unknown): unknown {
  if (isDiskFull(error)) {
    return new Refusal(
      'disk_full',
      'Der Speicherplatz des Servers reicht für diesen Import nicht aus. Es wurde nichts importiert. Bitte wenden Sie sich an den Betreiber.',
    );
  }
  return error;
}

/** Thrown while there is still room for other work (platform/storage/disk-room.ts). */
export const roomGone = (): Refusal =>
  new Refusal(
    'disk_full',
    'Der Speicherplatz des Servers reicht für diesen Import nicht aus; er wurde beendet, bevor er erschöpft war. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte wenden Sie sich an den Betreiber.',
  );
