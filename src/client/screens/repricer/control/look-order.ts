/** Tells which answers of looks are still worth showing, where looks and acts overlap. */
export type LookOrder = {
  /** Called when a look begins; its answer calls what comes back: false where something newer is shown by now. */
  begin: () => () => boolean;
  /** Whatever was asked for until now says how things stood before. */
  outdate: () => void;
};

/** A new order: nothing was looked at yet. */
export function lookOrder(): LookOrder {
  let begun = 0;
  let shown = 0;
  return {
    begin: () => {
      const mine = ++begun;
      return () => {
        if (mine < shown) return false;
        shown = mine;
        return true;
      };
    },
    outdate: () => {
      shown = ++begun;
    },
  };
}
