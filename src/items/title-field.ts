import type { ImportedField } from '#shared/import.ts';

/** What merchants call the field with an item's name, best first; whole words of the name, not parts of words. */
const titles = [
  /^(artikel|produkt)?(titel|name|bezeichnung)$/i,
  /^(product|item)?[ _-]?(title|name)$/i,
  /\b(titel|title)\b/i,
  /\b(name|bezeichnung)\b/i,
];

/** The field that names an item to people; undefined if none looks like it. */
export function titleField(fields: readonly ImportedField[]): ImportedField | undefined {
  for (const title of titles) {
    const found = fields.find((field) => title.test(field.name.trim()));
    if (found !== undefined) return found;
  }
  return undefined;
}
