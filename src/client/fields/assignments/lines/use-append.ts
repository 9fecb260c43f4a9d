import type { RowFilter } from '#shared/assignments/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { newRowIds } from '#client/fields/values/new-id.ts';
import type { SelectableField } from './choices.ts';
import type { Fetched } from '#client/fields/assignments/dialogs/fetch-dialog.tsx';
import { fitsTarget, type Line } from './lines.ts';
import type { Pasted, PastedField } from '#client/fields/assignments/dialogs/paste.ts';
import type { LinesForm } from './use-lines.ts';

/** The data of a new row, whether typed, fetched or pasted. */
export type Made = {
  id: string;
  source: SourcePart;
  filter: RowFilter;
  value: string;
  target: TargetEntry | undefined;
  active?: boolean;
};

type UseAppend<L extends Line> = {
  form: LinesForm<L>;
  fields: readonly SelectableField[];
  newLine: (id: string) => L;
  lineOf: (made: Made) => L;
};

/** Appends new rows, whatever their source; ids are times (GEN-02). */
export function useAppend<L extends Line>({ form, newLine, lineOf, fields }: UseAppend<L>) {
  const idsFor = (count: number) =>
    newRowIds(
      form.lines.map(({ id }) => id),
      count,
      Date.now(),
    );
  const append = (made: readonly Omit<Made, 'id'>[]) => {
    const ids = idsFor(made.length);
    form.setLines([...form.lines, ...made.map((one, index) => lineOf({ ...one, id: ids[index] ?? '' }))]);
  };
  const partOf = ({ type, value, name }: PastedField): SourcePart => ({ type, value, caption: name });
  return {
    /** Appends an empty row and returns its id. */
    add: () => {
      const [id = ''] = idsFor(1);
      form.setLines([...form.lines, newLine(id)]);
      return id;
    },
    fetched: (rows: readonly Fetched[], takeOver: boolean) =>
      append(
        rows.map(({ field: [source], filter, value }) => ({
          source: source ?? { type: '_string', value: '', caption: '' },
          filter,
          value,
          target: takeOver && fitsTarget(value) ? { id: value, name: value, info: '' } : undefined,
        })),
      ),
    pasted: (rows: readonly Pasted[]) =>
      append(
        rows.flatMap(({ field, filter, value, target, active }) =>
          field === undefined ? [] : [{ source: partOf(field), filter, value, target, active }],
        ),
      ),
    forValue: (field: SelectableField, value: string) =>
      append([
        {
          source: partOf(fields.find((one) => one.value === field.value && one.type === field.type) ?? field),
          filter: 'is_equal',
          value,
          target: undefined,
        },
      ]),
  };
}

export type Append<L extends Line> = ReturnType<typeof useAppend<L>>;
