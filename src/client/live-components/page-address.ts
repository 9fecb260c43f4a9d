/** What a component wants the page's address to say, by name; '' stands for nothing. `step`: the back button leads to before. */
export type AddressChange = { readonly values: Readonly<Record<string, string>>; readonly step: boolean };

/** What an answer changed of what the address says; `before` is the attribute as it was. Undefined if nothing. */
export function addressChange(before: string | undefined, { dataset }: HTMLElement): AddressChange | undefined {
  const { liveAddress: after, liveSteps = '' } = dataset;
  if (after === undefined || after === before) return undefined;
  const [old, values] = [valuesOf(before ?? '{}'), valuesOf(after)];
  const steps = liveSteps.split(' ');
  return { values, step: Object.entries(values).some(([name, value]) => old[name] !== value && steps.includes(name)) };
}

/** A query with what a component says in it; what others say there stays. */
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
