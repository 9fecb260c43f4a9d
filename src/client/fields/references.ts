import type { SourcePart } from '#shared/construction.ts';
import { ITEM_ID } from '#shared/rule-check.ts';
import type { ValueType } from '#shared/values.ts';

const reference = /^(_mapping|_intern):(.+)$/s;

/**
 * How places that take the name of a field refer to the result of a mapping or to an internal field: `_mapping:Farbe`. Fields
 * and the item number go by their names.
 */
export function referenceOf({ type, value }: { type: ValueType; value: string }): string {
  return type === '_mapping' || (type === '_intern' && value !== ITEM_ID) ? `${type}:${value}` : value;
}

/** What a reference means, as a part of an export field. */
export function partOfReference(text: string): SourcePart {
  const [, type, value] = reference.exec(text) ?? [];
  if (value !== undefined) return { type: type === '_mapping' ? '_mapping' : '_intern', value, caption: value };
  return { type: text === ITEM_ID ? '_intern' : '_field', value: text, caption: text };
}
