import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type ConstructionRow, valueTypeOf, valueTypes } from '#shared/construction.ts';
import { FieldPicker } from '../../fields/field-picker.tsx';
import { useFields } from '../../fields/fields-context.tsx';
import type { Operand } from '../../fields/operand-input.tsx';
import { PartsEditor } from '../../fields/parts-editor.tsx';
import { partOfReference, referenceOf } from '../../fields/references.ts';
import { PriorityBadge, PrioritySelect } from '../../fields/priority.tsx';
import classes from './construction.module.css';
import { HelpPopover } from './help-popover.tsx';
import { changeValueType } from './rows.ts';

type RowCellsProps = {
  row: ConstructionRow;
  /** „Zeile 3“, for the names of its controls. */
  name: string;
  handle: ReactNode;
  missing: boolean;
  repeated: boolean;
  wantsFocus: boolean;
  mayEdit: boolean;
  onChange: (row: ConstructionRow) => void;
  onDelete: () => void;
};

/** The cells of one export field. */
export function RowCells(props: RowCellsProps) {
  const { row, name, handle, missing, repeated, wantsFocus, mayEdit, onChange, onDelete } = props;
  return (
    <>
      <td>
        <div className={classes.source}>
          {handle}
          <ValueEditor row={row} name={name} missing={missing} onChange={onChange} />
        </div>
      </td>
      <td data-label="Feldbezeichnung im Export">
        <TextInput
          aria-label={`${name}: Feldbezeichnung im Export`}
          placeholder="Name im Export"
          maxLength={200}
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever adds a row goes on in it
          autoFocus={wantsFocus}
          value={row.exportfield}
          onChange={({ currentTarget }) => onChange({ ...row, exportfield: currentTarget.value })}
          description={repeated ? 'Diese Bezeichnung kommt mehrfach vor.' : undefined}
          inputWrapperOrder={['input', 'description', 'error']}
        />
      </td>
      <td data-label="Status">
        {/* A template's rows bring their priority along. */}
        {row.del_allowed && mayEdit ? (
          <PrioritySelect
            label={`${name}: Status`}
            value={row.mp_state}
            onChange={(state) => onChange({ ...row, mp_state: state })}
          />
        ) : (
          <PriorityBadge value={row.mp_state} />
        )}
      </td>
      <td>
        {row.del_allowed && mayEdit && (
          <ActionIcon
            variant="subtle"
            size={32}
            className={classes.delete}
            aria-label={`${name} löschen`}
            title="Löschen"
            onClick={onDelete}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        )}
      </td>
      <td data-label="Beschreibung">
        {row.description.trim() === '' ? (
          <span className="k-muted">–</span>
        ) : (
          <HelpPopover label={`${name}: Beschreibung`} text={row.description} />
        )}
      </td>
    </>
  );
}

type ValueEditorProps = Pick<RowCellsProps, 'row' | 'name' | 'missing' | 'onChange'>;

const missingText = 'Pflichtfeld ohne Wert';

/** The kind of value and its editor: a field, a fixed text, or parts of both (CON-03, labelled variant). */
function ValueEditor({ row, name, missing, onChange }: ValueEditorProps) {
  const { readable } = useFields();
  const kind = valueTypeOf(row);
  const [first] = row.field;
  const error = missing ? missingText : undefined;
  return (
    <div className={classes.value}>
      <NativeSelect
        className={classes.kind}
        aria-label={`${name}: Art des Werts`}
        value={kind}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          if (value === 'field' || value === 'input' || value === 'combine') onChange(changeValueType(row, value));
        }}
        data={Object.entries(valueTypes).map(([value, { label }]) => ({ value, label }))}
      />
      {kind === 'field' && (
        <FieldPicker
          className={classes.input}
          label={`${name}: Internes Feld`}
          groups={readable}
          value={first === undefined ? '' : referenceOf(first)}
          purpose={`rows.${row.id}.field.0`}
          onChange={({ value, name: caption }) => onChange(withField(row, { ...partOfReference(value), caption }))}
          error={error}
        />
      )}
      {kind === 'input' && (
        <TextInput
          className={classes.input}
          aria-label={`${name}: Fester Wert`}
          placeholder="Text für jeden Artikel"
          maxLength={100_000}
          value={first?.value ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...row, field: [{ type: '_string', value: currentTarget.value, caption: '' }] })
          }
          error={error}
        />
      )}
      {kind === 'combine' && (
        <div className={classes.input}>
          <PartsEditor
            label={`${name}: Teile`}
            parts={row.field.map(operandOf)}
            purpose={`rows.${row.id}.field`}
            onChange={(parts) => onChange({ ...row, field: parts.map(partOf) })}
          />
          {missing && <p className={classes.error}>{missingText}</p>}
        </div>
      )}
    </div>
  );
}

/** A row without a name takes the field's. */
function withField(row: ConstructionRow, part: ConstructionRow['field'][number]): ConstructionRow {
  return { ...row, field: [part], exportfield: row.exportfield === '' ? part.value : row.exportfield };
}

const operandOf = (part: ConstructionRow['field'][number]): Operand =>
  part.type === '_string' || part.type === '_default'
    ? { type: '_string', value: part.value }
    : { type: '_field', value: referenceOf(part) };

const partOf = ({ type, value }: Operand): ConstructionRow['field'][number] =>
  type === '_field' ? partOfReference(value) : { type, value, caption: '' };
