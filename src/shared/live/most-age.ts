/** Milliseconds: the oldest page that a stream tells what has ended since; older ones reload. Without zod, for the pages' frame. */
export const MOST_AGE_MS = 600_000;
