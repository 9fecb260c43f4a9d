import type { ChannelField } from './schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';

/** Returns a row for a field of the channel without a source; a required field with a single possible value gets it. */
export function templateRow(field: ChannelField, id: string): ConstructionRow {
  const [only, ...others] = field.values;
  const fixed = only !== undefined && others.length === 0 && !field.open && field.requirement === 'Required';
  const valuetype = fixed ? 'select' : field.many ? 'array' : 'field';
  return ConstructionRow.parse({
    id,
    field: fixed ? [{ type: '_string', value: only.value, caption: only.title }] : [],
    exportfield: field.name,
    mp_state: field.requirement,
    priority: field.requirement,
    fieldCaption: field.title,
    valuetype,
    description: field.description,
    del_allowed: field.requirement !== 'Required',
  });
}
