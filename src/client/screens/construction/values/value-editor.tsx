import { NativeSelect, TextInput } from '@mantine/core';
import type { ChannelField } from '#shared/channels/schema.ts';
import {
  type ConstructionRow,
  partOf,
  type SourcePart,
  type ValueType,
  valueTypeNames,
  valueTypeOf,
  valueTypes,
} from '#shared/construction/schema.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { PartsEditor } from '#client/fields/values/parts-editor.tsx';
import { goneSource, type PickerEntry, type PickerGroup } from '#client/fields/values/picker-groups.ts';
import { operandOf, partOfOperand, partOfReference, referenceOf } from '#client/fields/values/references.ts';
import { choicesOf } from './choices.ts';
import classes from './values.module.css';
import { oneLine } from '#client/ui/form/one-line.ts';
import { ListEditor } from './list-editor.tsx';
import { changeValueType, offeredKinds, type View } from './value-kinds.ts';

export type ValueEditorProps = {
  row: ConstructionRow;
  /** Prefix of its controls' labels. */
  name: string;
  view: View;
  /** The channel's definition of the field. */
  field: ChannelField | undefined;
  /** A required row without a value, after an attempted save. */
  missing: boolean;
  onChange: (row: ConstructionRow) => void;
};

const missingText = 'Pflichtfeld ohne Wert';

/** Chooses the kind of a row's value, with its editor (CON-03). */
export function ValueEditor(props: ValueEditorProps) {
  const { row, name, view, missing, onChange } = props;
  const kind = valueTypeOf(row);
  const many = kind === 'combine' || kind === 'array' || kind === 'array_key_value';
  return (
    <div className={classes.value} data-many={many || undefined}>
      <NativeSelect
        className={classes.kind}
        aria-label={`${name}: Art des Werts`}
        value={kind}
        onChange={({ currentTarget }) => {
          const chosen = valueTypeNames.find((one) => one === currentTarget.value);
          if (chosen !== undefined) onChange(changeValueType(row, chosen));
        }}
        data={offeredKinds(view, row).map((value) => ({ value, label: valueTypes[value].label }))}
      />
      <div className={classes.input}>
        <KindEditor {...props} kind={kind} error={missing ? missingText : undefined} />
        {missing && many && <p className={classes.error}>{missingText}</p>}
      </div>
    </div>
  );
}

type KindEditorProps = ValueEditorProps & { kind: ValueType; error: string | undefined };

function KindEditor({ row, name, field, kind, error, onChange }: KindEditorProps) {
  const [entry] = row.field;
  const first = entry && partOf(entry);
  switch (kind) {
    case 'field':
      return <SourcePicker row={row} name={name} field={field} part={first} error={error} onChange={onChange} />;
    case 'select':
      return <ChoicePicker row={row} name={name} field={field} part={first} error={error} onChange={onChange} />;
    case 'input':
      return (
        <TextInput
          aria-label={`${name}: Fester Wert`}
          placeholder="Text für jeden Artikel"
          maxLength={100_000}
          {...oneLine(first?.value ?? '', (value) =>
            onChange({ ...row, field: [{ type: '_string', value, caption: '' }] }),
          )}
          error={error}
        />
      );
    case 'combine':
      return <Combination row={row} name={name} onChange={onChange} />;
    case 'array':
    case 'array_key_value':
      return <ListEditor row={row} name={name} field={field} named={kind === 'array_key_value'} onChange={onChange} />;
  }
}

function Combination({ row, name, onChange }: Pick<ValueEditorProps, 'row' | 'name' | 'onChange'>) {
  const { readable } = useFields();
  const parts = row.field.map(partOf).map(operandOf);
  return (
    <PartsEditor
      label={`${name}: Teile`}
      parts={parts}
      purpose={`rows.${row.id}.field`}
      onChange={(next) => onChange({ ...row, field: next.map(partOfOperand) })}
      hintAt={(index) => {
        const part = parts[index];
        return part?.type === '_field' ? goneSource(readable, part.value) : undefined;
      }}
    />
  );
}

type PickerProps = Pick<ValueEditorProps, 'row' | 'name' | 'field' | 'onChange'> & {
  part: SourcePart | undefined;
  error: string | undefined;
};

/** GEN-08: one source under its heading, a value that the channel allows, or a typed text. */
function SourcePicker({ row, name, field, part, error, onChange }: PickerProps) {
  const { readable } = useFields();
  return (
    <FieldPicker
      label={`${name}: Internes Feld`}
      groups={[...readable, ...choicesOf(field)]}
      value={part === undefined ? '' : referenceOf(part)}
      // Rows made by programs sometimes type the item number as a field.
      type={part?.value === ITEM_ID ? undefined : part?.type}
      purpose={`rows.${row.id}.field.0`}
      freeText
      onChange={(entry) => onChange(withSource(row, partOfEntry(entry)))}
      error={error}
      hint={part && sourceHint(readable, part)}
    />
  );
}

function sourceHint(readable: readonly PickerGroup[], part: SourcePart): string | undefined {
  if (part.type === '_string') return part.value === '' ? undefined : 'fester Text';
  return part.type === '_default' ? undefined : goneSource(readable, referenceOf(part));
}

/** One of the channel's allowed values; also free text if it accepts others, or if none are known. */
function ChoicePicker({ row, name, field, part, error, onChange }: PickerProps) {
  const groups = choicesOf(field);
  return (
    <FieldPicker
      label={`${name}: Auswahl`}
      groups={groups}
      value={part?.value ?? ''}
      purpose={`rows.${row.id}.field.0`}
      placeholder="Wert wählen"
      nothing="Kein Wert gefunden"
      freeText={groups.length === 0 || field?.open === true}
      onChange={({ type, value, name: caption }) =>
        onChange({ ...row, field: [{ type: type === '_default' ? '_default' : '_string', value, caption }] })
      }
      error={error}
    />
  );
}

/** Sets the source; a row without a name takes the field's name. */
function withSource(row: ConstructionRow, part: SourcePart): ConstructionRow {
  const named = row.exportfield !== '' || part.type === '_string' || part.type === '_default';
  return { ...row, field: [part], exportfield: named ? row.exportfield : part.value };
}

function partOfEntry({ type, value, name }: PickerEntry): SourcePart {
  if (type === '_default' || type === '_string') return { type, value, caption: type === '_default' ? name : '' };
  return { ...partOfReference(value), caption: name };
}
