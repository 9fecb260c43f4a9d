/** Returns a percentage with one decimal for people: never 100 while something is open, never 0 once something is done. */
export function percentOf(done: number, total: number): number {
  if (total === 0 || done === 0) return 0;
  if (done >= total) return 100;
  return Math.min(99.9, Math.max(0.1, Math.round((done / total) * 1000) / 10));
}
