import { ALL_FIELDS } from '#shared/values/schema.ts';
import type { PickerGroup } from '#client/fields/values/picker-groups.ts';

/** The entry for all fields, above the groups. */
export const allFields: PickerGroup = {
  heading: '',
  entries: [{ type: '_intern', value: ALL_FIELDS, name: 'Alle Felder' }],
};
