/** Columns that travel with the items but are no fields: no user's text begins with NUL. */
export const HIDDEN = '\0';

/** The name under which a program keeps a column of its own beside the fields (`Program.mark`). */
export function hidden(key: string): string {
  return `${HIDDEN}${key}`;
}

/** Where a value is read from (GEN-08): a field of the catalogue, a mapping's result, a field that the pipeline makes. */
export type SourceType = '_field' | '_mapping' | '_intern';

/**
 * The name under which a relation holds a source. Results of mappings and internal fields have names of their own kind, so
 * that a mapping may be called like a field; they are no fields of the item: '@ALL@' does not look at them.
 */
export function sourceKey(type: SourceType, value: string): string {
  if (type === '_mapping') return hidden(`mapping:${value}`);
  return type === '_intern' && value !== '_id' ? hidden(`intern:${value}`) : value;
}

const reference = /^(_mapping|_intern):(.+)$/s;

/**
 * The name under which a relation holds what a rule refers to: a field by its name, a mapping as `_mapping:<name>`, an
 * internal field as `_intern:<name>`. So every place of a rule that takes a field takes those too.
 */
export function referenceKey(text: string): string {
  const [, type, value] = reference.exec(text) ?? [];
  return value === undefined ? text : sourceKey(type === '_mapping' ? '_mapping' : '_intern', value);
}

/** Whether a hidden column is a source that users read, and no mark of a program's own. */
export function isSource(key: string): boolean {
  return key.startsWith(hidden('mapping:')) || key.startsWith(hidden('intern:'));
}
