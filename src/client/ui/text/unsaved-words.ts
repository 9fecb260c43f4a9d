import { formatInteger } from './formats.ts';

/** Text next to a save button; `count`: number of changes, if the form can tell. */
export const unsavedWords = (count: number | undefined): string =>
  `Ungespeicherte Änderungen${count === undefined ? '' : ` (${formatInteger(count)})`}`;
