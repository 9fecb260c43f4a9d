import type { SourcePart } from '#shared/construction/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import type { ValueType } from '#shared/values/schema.ts';
import type { Operand } from './operand-input.tsx';

const reference = /^(_mapping|_intern):(.+)$/s;

/**
 * Returns the name under which fields, item number, mapping results and internal fields are stored where a field name is
 * expected. Mapping results and internal fields have a prefix: `_mapping:Farbe`.
 */
export function referenceOf({ type, value }: { type: ValueType; value: string }): string {
  return type === '_mapping' || (type === '_intern' && value !== ITEM_ID) ? `${type}:${value}` : value;
}

/** Converts a reference to a part of an export field. */
export function partOfReference(text: string): SourcePart {
  const [, type, value] = reference.exec(text) ?? [];
  if (value !== undefined) return { type: type === '_mapping' ? '_mapping' : '_intern', value, caption: value };
  return { type: text === ITEM_ID ? '_intern' : '_field', value: text, caption: text };
}

/** Converts a part to what its editor takes. */
export const operandOf = (part: SourcePart): Operand =>
  part.type === '_string' || part.type === '_default'
    ? { type: '_string', value: part.value }
    : { type: '_field', value: referenceOf(part) };

/** The name of a reference that is no longer offered, as in the sentences about it. */
export function nameOfReference(text: string): string {
  const [, type, value] = reference.exec(text) ?? [];
  return type === '_mapping' && value !== undefined ? `Mapping ${value}` : text;
}

/** Converts an edited operand back to a part. */
export const partOfOperand = ({ type, value }: Operand): SourcePart =>
  type === '_field' ? partOfReference(value) : { type, value, caption: '' };
