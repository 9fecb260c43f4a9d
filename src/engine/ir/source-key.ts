/** Prefix of columns that are carried with the items but are no fields: no user's text begins with NUL. */
export const HIDDEN = '\0';

/** The name under which a program stores a column of its own next to the fields (`Program.mark`). */
export function hidden(key: string): string {
  return `${HIDDEN}${key}`;
}

/** Where a value is read from (GEN-08): a field of the catalogue, a mapping's result, or a field that the pipeline makes. */
export type SourceType = '_field' | '_mapping' | '_intern';

/**
 * The name under which a relation holds a source. Results of mappings and internal fields have prefixed names, so that a mapping
 * may have the name of a field. They are not fields of the item: '@ALL@' does not read them.
 */
export function sourceKey(type: SourceType, value: string): string {
  if (type === '_mapping') return hidden(`mapping:${value}`);
  return type === '_intern' && value !== '_id' ? hidden(`intern:${value}`) : value;
}

const reference = /^(_mapping|_intern):(.+)$/s;

/**
 * The name under which a relation holds what a rule refers to: a field by its name, a mapping as `_mapping:<name>`, an internal
 * field as `_intern:<name>`. So every part of a rule that accepts a field accepts these, too.
 */
export function referenceKey(text: string): string {
  const [, type, value] = reference.exec(text) ?? [];
  return value === undefined ? text : sourceKey(type === '_mapping' ? '_mapping' : '_intern', value);
}

/** Whether a hidden column is a source that users can read, and not a program's own mark. */
export function isSource(key: string): boolean {
  return key.startsWith(hidden('mapping:')) || key.startsWith(hidden('intern:'));
}
