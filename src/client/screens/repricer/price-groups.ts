import { use, useMemo } from 'react';
import { isOtherThanMoney } from '#shared/import/price-names.ts';
import { numberText } from '#shared/values/number-text.ts';
import { useFields } from '#client/fields/values/fields-context.tsx';
import type { PickerEntry, PickerGroup } from '#client/fields/values/picker-groups.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { CurrencyContext } from './currency-context.ts';
import { ExamplesContext } from './examples-context.ts';

/**
 * Returns what can hold a price: fields of the catalogue, fields that its rules make, results of mappings; not the item number.
 * Price-like ones come first.
 */
export function usePriceGroups(): PickerGroup[] {
  const { readable } = useFields();
  const examples = use(ExamplesContext);
  const currency = use(CurrencyContext);
  return useMemo(() => pricesFirst(readable, examples, currency), [readable, examples, currency]);
}

/** Returns the groups that can hold a price, price-like entries first in each, with an example in German format. */
export function pricesFirst(
  groups: readonly PickerGroup[],
  examples: ReadonlyMap<string, string>,
  currency: string,
): PickerGroup[] {
  return groups
    .filter(({ entries }) => entries.every(({ type }) => type !== '_intern'))
    .map((group) => ({
      ...group,
      entries: group.entries
        .map((entry) => ({ entry: withExample(entry, examples, currency), rank: rankOf(entry, examples) }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ entry }) => entry),
    }));
}

const priceName = /preis|price|\buvp\b|\brrp\b|\bvk\b|\bek\b|kosten|cost/i;

/** 0: name and value look like a price; 1: only the name; 2: a number with cents; 3: everything else. */
function rankOf({ name, value }: PickerEntry, examples: ReadonlyMap<string, string>): number {
  const number = numberText(examples.get(value) ?? '');
  if (priceName.test(name) && !isOtherThanMoney(name)) return number === undefined ? 1 : 0;
  return number !== undefined && /\.\d\d$/.test(number) ? 2 : 3;
}

function withExample(entry: PickerEntry, examples: ReadonlyMap<string, string>, currency: string): PickerEntry {
  const example = examples.get(entry.value);
  if (example === undefined) return entry;
  const words = `z. B. ${germanPrice(example, currency)}`;
  return { ...entry, note: entry.note === undefined ? words : `${entry.note}, ${words}` };
}

/** Formats '1234.5' as 1.234,50 €, or in another currency ('' for none); a text that is not a number stays unchanged. */
export function germanPrice(text: string, currency: string): string {
  const number = Number(numberText(text));
  return Number.isFinite(number) ? moneyText(Math.round(number * 100), currency).trimEnd() : text;
}
