/**
 * Milliseconds: for how long ago a stream reports what has ended; a page that heard nothing for longer reloads. Without zod, for
 * the pages' frame.
 */
export const MOST_AGE_MS = 60_000;
