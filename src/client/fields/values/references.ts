import type { SourcePart } from '#shared/construction/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import type { ValueType } from '#shared/values/schema.ts';
import type { Operand } from './operand-input.tsx';

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

/** A part as its editor has it. */
export const operandOf = (part: SourcePart): Operand =>
  part.type === '_string' || part.type === '_default'
    ? { type: '_string', value: part.value }
    : { type: '_field', value: referenceOf(part) };

/** What was edited, as a part. */
export const partOfOperand = ({ type, value }: Operand): SourcePart =>
  type === '_field' ? partOfReference(value) : { type, value, caption: '' };
