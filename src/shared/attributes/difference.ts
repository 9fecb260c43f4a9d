import type { AttributeValue } from './schema.ts';
import { sourceSentence } from '#shared/construction/difference.ts';
import { quoted } from '#shared/rules/sentences.ts';

/** Returns the changes between two states of an export's attributes as German sentences. */
export function attributeChanges(before: readonly AttributeValue[], after: readonly AttributeValue[]): string[] {
  const was = new Map(before.map((one) => [keyOf(one), one]));
  const is = new Set(after.map(keyOf));
  const set = after.flatMap((one) => {
    const old = was.get(keyOf(one));
    if (old === undefined) return [`${nameOf(one)}: ${wordOf(one)} gesetzt.`];
    if (wordOf(old) !== wordOf(one)) return [`${nameOf(one)}: vorher ${wordOf(old)}, jetzt ${wordOf(one)}.`];
    if (old.variant !== one.variant)
      return [`${nameOf(one)}: ${one.variant ? 'jetzt' : 'nicht mehr'} Variantenattribut.`];
    // For example another field with the same name.
    return JSON.stringify(old) === JSON.stringify(one) ? [] : [`${nameOf(one)}: geändert.`];
  });
  const removed = before.filter((one) => !is.has(keyOf(one)));
  return [...set, ...removed.map((one) => `${nameOf(one)}: entfernt (vorher ${wordOf(one)}).`)];
}

const keyOf = ({ target, typ, cat }: AttributeValue): string => JSON.stringify([target, typ, cat]);
const wordOf = ({ value }: AttributeValue): string => sourceSentence({ field: value, valuetype: 'combine' });

function nameOf({ target, typ, cat }: AttributeValue): string {
  const items = cat === '' ? (typ === '' ? 'alle Artikel' : `Produkttyp ${quoted(typ)}`) : `Kategorie ${quoted(cat)}`;
  return `Attribut ${quoted(target)} für ${items}`;
}
