import { z } from 'zod';
import { partOf, SourcePart, type ConstructionRow } from '#shared/construction/schema.ts';
import { requirementNames } from '#shared/channels/requirement.ts';
import { wireText } from '#shared/values/schema.ts';

/** Selector of all items: no particular category. */
export const ALL_ITEMS = 'all';

const part = SourcePart.transform(({ value, ...rest }) => ({
  ...rest,
  // ATT-02: an attribute is a single line.
  value: rest.type === '_string' ? value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ') : value,
}));

/** The value of an export field for the items of a category; its parts are concatenated. */
export const AttributeValue = z.object({
  /** Name of the field in the export. */
  target: z.string().trim().min(1).max(200),
  /** Product type of the category; '' for any. */
  typ: wireText(500),
  /** The category's id at the channel; '' for every item. */
  cat: wireText(500),
  /** ATT-02: the items of one product differ in it. */
  variant: z.boolean().default(false),
  value: z.array(part).max(50),
});
export type AttributeValue = z.infer<typeof AttributeValue>;

/** All attribute values of an export, in the order they were first set. */
export const AttributeValues = z.array(AttributeValue).max(10_000);

export const isBlank = ({ value }: Pick<AttributeValue, 'value'>): boolean =>
  value.every(({ type, value: text }) => (type === '_string' ? text.trim() : text) === '');

/** Wire format (ATT): booleans of cells are texts. */
const Flag = z.enum(['true', 'false']);

/** ATT-01, ATT-04: a cell; a list of texts in place of the value says what is wrong with it. */
export const AttributeCell = z.object({
  value: z.union([z.string(), z.array(z.string())]).nullable(),
  editable: Flag,
});
export type AttributeCell = z.infer<typeof AttributeCell>;

/** A row: the cell of each field by its name in the export; `_id` is the item's number. */
export const AttributeRow = z.record(z.string(), AttributeCell).meta({ id: 'AttributeRow' });
export type AttributeRow = z.infer<typeof AttributeRow>;

/** A column (ATT-02). */
export const AttributeField = z.object({
  title: z.string(),
  exportfield: z.string(),
  description: z.string(),
  examples: z.array(z.string()),
  mp_state: z.enum(requirementNames),
  /** The value set for the listed selection. */
  field: z.array(SourcePart),
  /** The value sent if nothing is set for this selection, in words; '' if none is. */
  inherited: z.string(),
  enums: z.array(z.string()),
  is_variant_attribute: z.boolean(),
  variants: z.boolean(),
  editable: Flag,
});
export type AttributeField = z.infer<typeof AttributeField>;

/** A selection of items: those of a category, with their number and how many values are set. */
export const AttributeGroup = z
  .object({
    typ: z.string(),
    cat: z.string(),
    name: z.string(),
    items: z.number().int(),
    /** Number of fields with a value set for exactly this selection. */
    set: z.number().int(),
  })
  .meta({ id: 'AttributeGroup' });
export type AttributeGroup = z.infer<typeof AttributeGroup>;

/** Returns the values with one set; a blank one is removed. */
export function withValue(values: readonly AttributeValue[], set: AttributeValue): AttributeValue[] {
  const same = (one: AttributeValue) => one.target === set.target && one.typ === set.typ && one.cat === set.cat;
  if (isBlank(set)) return values.filter((one) => !same(one));
  return values.some(same) ? values.map((one) => (same(one) ? set : one)) : [...values, set];
}

/** Returns the export fields that the construction gives a value: they are not attributes (ATT-01). */
export function constructedNames(rows: readonly ConstructionRow[]): Set<string> {
  return new Set(
    rows
      .filter((row) => row.exportfield !== '' && row.field.some((entry) => partOf(entry).value !== ''))
      .map(({ exportfield }) => exportfield),
  );
}
