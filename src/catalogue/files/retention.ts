/** Number of the latest accepted snapshots that are kept, however old they are. */
export const KEEP_ACCEPTED = 10;
/** Days during which every snapshot is kept. */
export const KEEP_DAYS = 30;

const DAY = 24 * 60 * 60 * 1000;

/** A stored snapshot of a catalogue or file of an export. `waits`: for a release; `needed`: it is live or referred to. */
export type StoredState = {
  readonly number: number;
  readonly createdAt: Date;
  readonly accepted: boolean;
  readonly waits?: boolean;
  readonly needed: boolean;
};

/**
 * Returns the numbers of the snapshots whose files may be deleted: old ones that are neither among the last accepted nor needed.
 * One that waits for a release counts as needed until a later one was accepted: then it is obsolete, and a schedule may have left
 * hundreds of them.
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
