/** Values that a component writes to the page's URL, by name; '' removes one. `step`: adds an entry to the browser's history. */
export type AddressChange = { readonly values: Readonly<Record<string, string>>; readonly step: boolean };

/** Returns the URL values after an answer, undefined if it changed none; `before` is the attribute before the answer. */
export function addressChange(before: string | undefined, { dataset }: HTMLElement): AddressChange | undefined {
  const { liveAddress: after, liveSteps = '' } = dataset;
  if (after === undefined || after === before) return undefined;
  const [old, values] = [valuesOf(before ?? '{}'), valuesOf(after)];
  const steps = liveSteps.split(' ');
  return { values, step: Object.entries(values).some(([name, value]) => old[name] !== value && steps.includes(name)) };
}

/** Returns a query with a component's values set; other parameters stay. */
export function queryWith(search: string, { values }: AddressChange): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  return query.toString();
}

function valuesOf(text: string): Readonly<Record<string, string>> {
  const values: unknown = JSON.parse(text);
  const entries = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
