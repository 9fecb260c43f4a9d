import type { MouseEvent } from 'react';

/** Does it at a click or by a key, and once where people click twice out of habit. */
export const firstClick =
  (act: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail < 2) act();
  };
