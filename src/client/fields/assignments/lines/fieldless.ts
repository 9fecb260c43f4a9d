import { formatInteger } from '#client/ui/text/formats.ts';
import { conditionsOf, type Line } from './lines.ts';

/** Returns whether a condition of the row reads nothing: no field is chosen, and no text is fixed. */
export const isFieldless = (line: Line): boolean => conditionsOf(line).some(({ input }) => input.value === '');

const mostNamed = 3;

/** Returns the sentence about active rows without a field, which can be saved; undefined if there are none. */
export function fieldlessWarning(lines: readonly Line[]): string | undefined {
  const places = lines.flatMap((line, index) => (line.active && isFieldless(line) ? [formatInteger(index + 1)] : []));
  const [first, ...others] = places;
  if (first === undefined) return undefined;
  if (others.length === 0) return `Zeile ${first} hat noch kein Feld. Bitte wählen Sie, welches Feld sie prüft.`;
  const which =
    places.length <= mostNamed
      ? `Die Zeilen ${places.slice(0, -1).join(', ')} und ${places.at(-1)} haben noch kein Feld.`
      : `${formatInteger(places.length)} Zeilen haben noch kein Feld, als erste Zeile ${first}.`;
  return `${which} Bitte wählen Sie, welches Feld sie prüfen.`;
}
