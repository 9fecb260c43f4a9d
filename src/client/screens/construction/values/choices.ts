import type { ChannelField } from '#shared/channels/schema.ts';
import { valueHeading } from '#shared/values/schema.ts';
import type { PickerEntry, PickerGroup } from '#client/fields/values/picker-groups.ts';

/** GEN-08: the values that a channel allows, as a group of a picker ('Festgelegte Werte'); none where it names none. */
export function choicesOf(field: ChannelField | undefined): PickerGroup[] {
  if (field === undefined || field.values.length === 0) return [];
  const entries = field.values.map(({ value, title }): PickerEntry => ({
    type: '_default',
    value,
    name: title === '' || title === value ? value : `${value} (${title})`,
  }));
  return [{ heading: valueHeading('_default'), entries }];
}
