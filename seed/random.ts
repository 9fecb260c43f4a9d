/** Seeded random numbers (mulberry32): the same seed gives the same catalogue on every machine. */
export type Random = {
  next(): number;
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
};

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick: (list) => {
      const chosen = list[int(list.length)];
      if (chosen === undefined) throw new Error('nothing to pick from');
      return chosen;
    },
    chance: (share) => next() < share,
  };
}
