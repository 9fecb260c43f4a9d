import { ALL_FIELDS } from '#shared/values.ts';
import type { PickerGroup } from '../../fields/picker-groups.ts';

/** The entry that stands for every field, above the groups. */
export const allFields: PickerGroup = {
  heading: '',
  entries: [{ type: '_intern', value: ALL_FIELDS, name: 'Alle Felder' }],
};
