import type { ChannelField } from './schema.ts';

/** Texts that people and programs write for a missing value; the longest has fifteen characters. */
export const placeholders =
  'keine angabe|keine angaben|ohne angabe|nicht angegeben|k.a.|k. a.|n/a|n.a.|n. a.|#n/a|#nv|nan|null|undefined|unbekannt|unknown|-|--|---|–|—|/|.|?'.split(
    '|',
  );

/** Fields by which items are distinguished: people search for them, and would see a placeholder. */
const attributes = new Set([
  'brand',
  'color',
  'size',
  'material',
  'mpn',
  'pattern',
  'gender',
  'age_group',
  'gtin',
  'content',
  'country_of_origin',
]);

const isAttribute = ({ sources }: ChannelField): boolean => sources.some((source) => attributes.has(source));

/** Returns whether a placeholder is omitted from a field: if the channel does not require the field. */
export function leavesOutPlaceholders(field: ChannelField): boolean {
  const { type, requirement, unique } = field;
  if (unique || requirement === 'Required' || type === 'html') return false;
  return type !== 'text' || isAttribute(field);
}

/** Returns whether a placeholder is exported and reported. */
export const tellsPlaceholders = (field: ChannelField): boolean =>
  field.type === 'text' && isAttribute(field) && !leavesOutPlaceholders(field);
