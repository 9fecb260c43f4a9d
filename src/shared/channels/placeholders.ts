import type { ChannelField } from './schema.ts';

/** What people and programs write where they have nothing to say; the longest has fifteen characters. */
export const placeholders =
  'keine angabe|keine angaben|ohne angabe|nicht angegeben|k.a.|k. a.|n/a|n.a.|n. a.|#n/a|#nv|nan|null|undefined|unbekannt|unknown|-|--|---|–|—|/|.|?'.split(
    '|',
  );

/** What items are told apart by: people look for it, and a placeholder in it is shown to them. */
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

/** Whether a placeholder is rather left out: of what the channel does not insist on. */
export function leavesOutPlaceholders(field: ChannelField): boolean {
  const { type, requirement, unique } = field;
  if (unique || requirement === 'Required' || type === 'html') return false;
  return type !== 'text' || isAttribute(field);
}

/** Whether a placeholder goes out and is told. */
export const tellsPlaceholders = (field: ChannelField): boolean =>
  field.type === 'text' && isAttribute(field) && !leavesOutPlaceholders(field);
