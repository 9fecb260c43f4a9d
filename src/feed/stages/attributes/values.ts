import { sourceKey } from '#engine/ir/source-key.ts';
import { isBlank, type AttributeValue } from '#shared/attributes/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';

/** Keys of the fields that select an attribute's value: the category's id and its product type. */
export const CATEGORY = sourceKey('_intern', 'category');
export const PRODUCT_TYPE = sourceKey('_intern', 'product_type');

/** A value for the items whose fields match `where`. */
type AttributeCase = {
  readonly where: readonly { readonly key: string; readonly value: string }[];
  readonly row: ConstructionRow;
};

/** The cases of every target, more specific ones first; of equally specific ones the last one set wins. */
export function attributeCases(values: readonly AttributeValue[]): ReadonlyMap<string, readonly AttributeCase[]> {
  const byTarget = Map.groupBy(
    values.toReversed().filter((value) => !isBlank(value)),
    ({ target }) => target,
  );
  return new Map(
    [...byTarget].map(([target, list]) => [
      target,
      list.toSorted((one, other) => weight(other) - weight(one)).map((value) => caseOf(target, value)),
    ]),
  );
}

const weight = ({ cat, typ }: AttributeValue): number => (cat === '' ? 0 : 2) + (typ === '' ? 0 : 1);

function caseOf(target: string, { typ, cat, value }: AttributeValue): AttributeCase {
  return {
    where: [
      ...(cat === '' ? [] : [{ key: CATEGORY, value: cat }]),
      ...(typ === '' ? [] : [{ key: PRODUCT_TYPE, value: typ }]),
    ],
    row: ConstructionRow.parse({
      id: `attribute:${target}`.slice(0, 40),
      field: value,
      exportfield: target,
      valuetype: 'combine',
    }),
  };
}
