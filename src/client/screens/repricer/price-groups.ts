import { useFields } from '#client/fields/values/fields-context.tsx';
import type { PickerGroup } from '#client/fields/values/picker-groups.ts';

/** What can hold a price: fields of the catalogue, those that master rules make, results of mappings; not the item number. */
export const usePriceGroups = (): PickerGroup[] =>
  useFields().readable.filter(({ entries }) => entries.every(({ type }) => type !== '_intern'));
