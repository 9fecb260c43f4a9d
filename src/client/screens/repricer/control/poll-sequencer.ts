/** Decides which poll answers are still current, when polls and actions overlap. */
export type PollSequencer = {
  /**
   * Called when a poll begins. Its answer calls the returned function, which returns false if something newer is already shown.
   */
  begin: () => () => boolean;
  /** Marks the answers of all polls begun so far as outdated. */
  outdate: () => void;
};

/** Makes an order without any polls. */
export function pollSequencer(): PollSequencer {
  let started = 0;
  let shown = 0;
  return {
    begin: () => {
      const mine = ++started;
      return () => {
        if (mine < shown) return false;
        shown = mine;
        return true;
      };
    },
    outdate: () => {
      shown = ++started;
    },
  };
}
