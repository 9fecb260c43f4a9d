import { formatInteger } from '#client/ui/text/formats.ts';

/** What stands beside a button that saves; `count`: how many changes, where the form can tell. */
export const unsavedWords = (count: number | undefined): string =>
  `Ungespeicherte Änderungen${count === undefined ? '' : ` (${formatInteger(count)})`}`;
