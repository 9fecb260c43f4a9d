import { goneSource, type PickerGroup } from '#client/fields/values/picker-groups.ts';
import { conditionsOf, type Line } from './lines.ts';

/** Returns a sentence for each field that rows read and the catalogue no longer has, by the field's name. */
export function goneFields(lines: readonly Line[], groups: readonly PickerGroup[]): ReadonlyMap<string, string> {
  const read = lines.flatMap((line) =>
    conditionsOf(line).flatMap(({ input: { type, value } }) => (type === '_field' ? [value] : [])),
  );
  return new Map(
    [...new Set(read)].flatMap((field) => {
      const sentence = goneSource(groups, field);
      return sentence === undefined ? [] : [[field, sentence] as const];
    }),
  );
}
