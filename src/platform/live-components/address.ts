import type { Values } from './writable-paths.ts';

/** A property in the page's address. `step`: each value is an entry in the history; others replace the current entry. */
export type AddressRule = { readonly name: string; readonly step?: boolean };
/** Rules by path into the props. Values in the address come back through `first`, as untrusted input. */
export type AddressRules = Readonly<Record<string, AddressRule>>;

/** Returns the values for the page's address by name; '' means none. Names come from the definition, never from the client. */
export function addressOf(values: Values, rules: AddressRules): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(rules).map(([path, { name }]) => [name, textAt(values, path.split('.'))]));
}

export const stepsOf = (rules: AddressRules): readonly string[] =>
  Object.values(rules)
    .filter(({ step }) => step === true)
    .map(({ name }) => name);

function textAt(value: unknown, [name, ...deeper]: readonly string[]): string {
  if (name !== undefined)
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? textAt(Object.entries(value).find(([one]) => one === name)?.[1], deeper)
      : '';
  if (value === true) return '1';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
