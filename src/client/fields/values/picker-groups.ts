import type { SourceField } from '#shared/construction/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { valueHeading, type ValueType } from '#shared/values/schema.ts';
import { nameOfReference, referenceOf } from './references.ts';

/** An option of a picker: `value` is stored, `name` is shown. */
export type PickerEntry = { type: ValueType; value: string; name: string; note?: string };
export type PickerGroup = { heading: string; entries: readonly PickerEntry[] };

/** GEN-07: with fewer typed characters than this, the list is not filtered. */
const searchFrom = 2;

/** Note next to fields that no import has. */
export const MADE_BY_RULE = 'aus einer Regel';

/** Readable values in addition to the catalogue's fields: results of mappings and fields that the pipeline makes. */
export type ExtraField = { type: ValueType; name: string; value: string };

/**
 * GEN-08: returns the fields under their headings; the item number is an internal field and can only be read. For `extra`,
 * references are stored (references.ts).
 */
export function groupsOf(
  fields: readonly SourceField[],
  withItemId: boolean,
  extra: readonly ExtraField[] = [],
): PickerGroup[] {
  const project = fields
    .filter(({ value }) => value !== ITEM_ID)
    .map(({ name, value, origin, note }): PickerEntry => ({
      type: '_field',
      name,
      value,
      note: origin === 'import' ? note : MADE_BY_RULE,
    }));
  const itemId: PickerEntry = { type: '_intern', name: 'Artikelnummer', value: ITEM_ID };
  const extras = (wanted: ValueType) =>
    extra
      .filter(({ type, value }) => type === wanted && value !== ITEM_ID)
      .map(({ type, name, value }): PickerEntry => ({ type, name, value: referenceOf({ type, value }) }));
  const mappings = extras('_mapping');
  return [
    { heading: valueHeading('_field'), entries: project },
    ...(withItemId ? [{ heading: valueHeading('_intern'), entries: [itemId, ...extras('_intern')] }] : []),
    ...(mappings.length > 0 ? [{ heading: valueHeading('_mapping'), entries: mappings }] : []),
  ];
}

/**
 * Returns the entries whose name contains the typed text, ignoring case; all of them below 2 characters (GEN-07). The best
 * matches come first, and with them their group: Enter takes the first.
 */
export function findEntries(groups: readonly PickerGroup[], typed: string): PickerGroup[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted.length < searchFrom) return [...groups];
  return groups
    .map((group) => {
      const ranked = group.entries
        .map((entry) => ({ entry, rank: rankOf(entry.name.toLowerCase(), wanted) }))
        .filter(({ rank }) => rank < NO_MATCH)
        .toSorted((a, b) => a.rank - b.rank);
      return { best: ranked[0]?.rank ?? NO_MATCH, group: { ...group, entries: ranked.map(({ entry }) => entry) } };
    })
    .filter(({ best }) => best < NO_MATCH)
    .toSorted((a, b) => a.best - b.best)
    .map(({ group }) => group);
}

/**
 * GEN-08: returns the entry of exactly the typed name, else the text itself, for pickers that
 * take free text; undefined for an empty text.
 */
export function typedEntry(groups: readonly PickerGroup[], typed: string | null): PickerEntry | undefined {
  if (typed === null || typed.trim() === '') return undefined;
  return groups.flatMap(({ entries }) => entries).find(({ name }) => name === typed.trim()) ?? textEntry(typed);
}

export const textEntry = (typed: string): PickerEntry => ({ type: '_string', value: typed, name: typed });

const NO_MATCH = 5;

/** Ranks a match: the whole name or the end of its path, then their beginnings, then anywhere in it. */
function rankOf(name: string, wanted: string): number {
  if (!name.includes(wanted)) return NO_MATCH;
  if (name === wanted) return 0;
  const leaf = name.slice(name.lastIndexOf('>') + 1).trimStart();
  if (leaf === wanted) return 1;
  if (name.startsWith(wanted)) return 2;
  return leaf.startsWith(wanted) ? 3 : 4;
}

/** Returns the first entries over all groups; a list shows 50 at a time (GEN-07). */
export function firstEntries(groups: readonly PickerGroup[], count: number): PickerGroup[] {
  let left = count;
  const first: PickerGroup[] = [];
  for (const group of groups) {
    if (left <= 0) break;
    first.push({ ...group, entries: group.entries.slice(0, left) });
    left -= group.entries.length;
  }
  return first.filter(({ entries }) => entries.length > 0);
}

export function countEntries(groups: readonly PickerGroup[]): number {
  return groups.reduce((sum, { entries }) => sum + entries.length, 0);
}

/** Returns the entry of a stored value; undefined if it is no longer offered, and its own name is then shown. */
export function entryOf(groups: readonly PickerGroup[], value: string, type?: ValueType): PickerEntry | undefined {
  for (const { entries } of groups) {
    const found = entries.find((entry) => entry.value === value && (type === undefined || entry.type === type));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns a sentence about a source that is not offered, as an import no longer has the field or the mapping is gone or paused.
 * Without any field the catalogue was never imported, and nothing can be said.
 */
export function goneSource(groups: readonly PickerGroup[], reference: string): string | undefined {
  const imported = groups.some(({ entries }) => entries.some(({ type }) => type === '_field'));
  if (reference === '' || !imported || entryOf(groups, reference) !== undefined) return undefined;
  // Pickers for prices leave out the internal fields, which always exist.
  if (reference === ITEM_ID || reference.startsWith('_intern:')) return undefined;
  return reference.startsWith('_mapping:')
    ? `Das Mapping „${nameOfReference(reference).slice('Mapping '.length)}“ gibt es nicht (mehr), oder es ist pausiert.`
    : `Das Feld „${reference}“ gibt es nicht (mehr).`;
}
