/** How many accepted snapshots stay, however old they are. */
export const KEEP_ACCEPTED = 10;
/** Snapshots younger than this all stay. */
export const KEEP_DAYS = 30;

const DAY = 24 * 60 * 60 * 1000;

/** A kept state of a catalogue or file of an export. `waits`: for a release; `needed`: in force, or something refers to it. */
export type StoredState = {
  readonly number: number;
  readonly createdAt: Date;
  readonly accepted: boolean;
  readonly waits?: boolean;
  readonly needed: boolean;
};

/**
 * The numbers of the states whose files may go: old ones that are not among the last accepted and that nobody needs. One that waits for a
 * release is needed until a later one was accepted: then nobody asks for it any more, and a schedule may have left hundreds.
 */
export function clearable(states: readonly StoredState[], now: Date): number[] {
  const lastAccepted = states
    .filter(({ accepted }) => accepted)
    .toSorted((one, other) => other.number - one.number)
    .slice(0, KEEP_ACCEPTED);
  const retained = new Set(lastAccepted.map(({ number }) => number));
  const newest = lastAccepted[0]?.number ?? -Infinity;
  return states
    .filter(({ number, createdAt, needed, waits = false }) => {
      const old = now.getTime() - createdAt.getTime() > KEEP_DAYS * DAY;
      return old && !needed && !(waits && number > newest) && !retained.has(number);
    })
    .map(({ number }) => number);
}
