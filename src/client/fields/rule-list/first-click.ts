import type { MouseEvent } from 'react';

/** Wraps an action for clicks and keys, so that a double click runs it only once. */
export const firstClick =
  (act: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail < 2) act();
  };
