import type { Values } from './writable-paths.ts';

/** A property that stands in the page's address. `step`: each of its values is one step of the back button; others replace each other. */
export type AddressRule = { readonly name: string; readonly step?: boolean };
/** By path into the props. What the address says comes back through `first`, an input like any other. */
export type AddressRules = Readonly<Record<string, AddressRule>>;

/** What the page's address should say, by name; '' stands for nothing. Names are the definition's, never the client's. */
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
