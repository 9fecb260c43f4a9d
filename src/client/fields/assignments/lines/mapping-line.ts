import type { MappingRow } from '#shared/assignments/schema.ts';
import type { Made } from './use-append.ts';

/** Makes a row of a mapping, a brand or a colour table. */
export function mappingLine({ id, source, filter, value, target, active = true }: Made): MappingRow {
  return {
    id,
    field: [source],
    filter,
    value,
    target: target?.id ?? '',
    catname: target?.name ?? '',
    active,
  };
}
