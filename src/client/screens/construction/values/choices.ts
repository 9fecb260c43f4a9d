import type { ChannelField } from '#shared/channels/schema.ts';
import { valueHeading } from '#shared/values/schema.ts';
import type { PickerEntry, PickerGroup } from '#client/fields/values/picker-groups.ts';

/** GEN-08: returns the channel's allowed values as a picker group ('Festgelegte Werte'); empty if it defines none. */
export function choicesOf(field: ChannelField | undefined): PickerGroup[] {
  if (field === undefined || field.values.length === 0) return [];
  const entries = field.values.map(({ value, title }): PickerEntry => ({
    type: '_default',
    value,
    name: title === '' || title === value ? value : `${value} (${title})`,
  }));
  return [{ heading: valueHeading('_default'), entries }];
}
