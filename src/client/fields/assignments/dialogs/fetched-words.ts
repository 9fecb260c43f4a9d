import { ASSIGNMENT_LIMITS } from '#shared/assignments/schema.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** Values fetched in one request. */
export const AT_ONCE = 20_000;

/** `found`: values fetched; `appended`: values added as rows. */
type FetchedWords = { found: number; appended: number; tooLong: number; withoutTarget: number };

/** Says how many values of a field were added, how many were not, and why. */
export function fetchedWords({ found, appended, tooLong, withoutTarget }: FetchedWords): string {
  if (found === 0) return 'Alle Werte dieses Feldes stehen schon in der Tabelle.';
  const words = [`${formatCount(appended, 'Zeile', 'Zeilen')} angehängt.`];
  if (tooLong > 0)
    words.push(
      `${formatCount(tooLong, 'Wert wurde', 'Werte wurden')} ausgelassen: länger als ${formatInteger(ASSIGNMENT_LIMITS.value)} Zeichen, das fasst keine Zeile.`,
    );
  if (withoutTarget > 0)
    words.push(
      `${formatCount(withoutTarget, 'Zeile hat', 'Zeilen haben')} kein Zielfeld, da ein Ziel höchstens ${formatInteger(ASSIGNMENT_LIMITS.target)} Zeichen hat.`,
    );
  if (appended < found) words.push(`Mehr als ${formatInteger(ASSIGNMENT_LIMITS.rows)} Zeilen hat keine Tabelle.`);
  else if (found >= AT_ONCE) words.push('Das Feld hat noch mehr Werte: Holen Sie sie mit einem weiteren Klick.');
  return words.join(' ');
}
