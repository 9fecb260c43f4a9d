import { useMemo, useState } from 'react';
import { valueHeading } from '#shared/values/schema.ts';
import type { PickerEntry, PickerGroup } from '#client/fields/values/picker-groups.ts';
import { type SelectableField, sourceGroups } from './choices.ts';
import { conditionsOf, type Line } from './lines.ts';

/** GEN-08: returns the fixed values in a table's rows, each once. */
function fixedValuesOf(lines: readonly Line[]): PickerEntry[] {
  const found = new Map<string, PickerEntry>();
  for (const line of lines)
    for (const { input } of conditionsOf(line)) {
      const { type, value, caption } = input;
      if (type === '_default' && value !== '' && !found.has(value))
        found.set(value, { type, value, name: caption === '' ? value : caption });
    }
  return [...found.values()];
}

/** Returns what a row can read: the fields under their headings, and every fixed value of the table's rows. */
export function useSources(fields: readonly SelectableField[], lines: readonly Line[]): readonly PickerGroup[] {
  const found = useMemo(() => fixedValuesOf(lines), [lines]);
  // Keeps the same groups as long as their values are equal: new ones would make thousands of rows render again.
  const [fixed, setFixed] = useState(found);
  if (!isSame(fixed, found)) setFixed(found);
  return useMemo(() => {
    const groups = sourceGroups(fields);
    return fixed.length === 0 ? groups : [...groups, { heading: valueHeading('_default'), entries: fixed }];
  }, [fields, fixed]);
}

const isSame = (some: readonly PickerEntry[], others: readonly PickerEntry[]): boolean =>
  some.length === others.length &&
  some.every(({ value, name }, index) => value === others[index]?.value && name === others[index].name);
