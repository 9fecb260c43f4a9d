import { ActionIcon, TextInput } from '@mantine/core';
import IconTrash from 'virtual:icons/trash';
import type { ReactNode } from 'react';
import { sourceSentence } from '#shared/construction/difference.ts';
import { PriorityBadge, PrioritySelect } from '#client/fields/priority.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { HelpPopover } from '#client/ui/text/help-popover.tsx';
import { oneLine } from '#client/ui/form/one-line.ts';
import { usePrinting } from '#client/ui/use-printing.ts';
import classes from './rows.module.css';
import { FieldFacts } from '#client/screens/construction/field-facts.tsx';
import type { Seen } from '#client/screens/construction/values/seen-values.ts';
import { ValueEditor, type ValueEditorProps } from '#client/screens/construction/values/value-editor.tsx';

type RowCellsProps = ValueEditorProps & {
  handle: ReactNode;
  repeated: boolean;
  wantsFocus: boolean;
  mayEdit: boolean;
  /** The row's values for the first items. */
  seen: Seen | undefined;
  onDelete: () => void;
  /** Called when the user starts or stops typing the row's name. */
  onNaming: (typing: boolean) => void;
};

/** The cells of one export field. */
export function RowCells(props: RowCellsProps) {
  const { row, name, field, view, handle, mayEdit, seen, onChange, onDelete } = props;
  const printing = usePrinting();
  const words = view === 'tabs' ? 'names' : 'german';
  // The tabbed view has a separate member, which may be set without the other.
  const priority = view === 'tabs' && row.mp_state === '' ? row.priority : row.mp_state;
  return (
    <>
      <td>
        <div className={classes.source}>
          {handle}
          <div className={classes.sourceBody}>
            {/* Only the fields: readers need the other buttons of the table. */}
            <fieldset role="presentation" disabled={!mayEdit} className={classes.fields}>
              <ValueEditor {...props} />
            </fieldset>
            {printing && <Printed text={sourceSentence(row)} />}
            {seen !== undefined && <SeenLine seen={seen} most={field?.maxLength} />}
          </div>
        </div>
      </td>
      <td data-label="Feldbezeichnung im Export">
        <NameCell {...props} />
        {printing && field === undefined && <Printed text={row.exportfield} />}
      </td>
      <td data-label="Status">
        {/* A template's rows have their priority from the template. */}
        {field === undefined && row.del_allowed && mayEdit && !printing ? (
          <PrioritySelect
            label={`${name}: Status`}
            value={priority}
            words={words}
            onChange={(state) => onChange({ ...row, mp_state: state, priority: state })}
          />
        ) : (
          <PriorityBadge value={priority} words={words} />
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
        <HelpCell {...props} />
      </td>
    </>
  );
}

/** What a field holds, for paper: print.css hides fields. */
const Printed = ({ text }: { text: string }) => <p className={classes.printed}>{text}</p>;

/** A template's field keeps the channel's spelling; other rows are named freely. */
function NameCell({ row, name, field, repeated, wantsFocus, mayEdit, onChange, onNaming }: RowCellsProps) {
  const nameless = row.exportfield.trim() === '' && !wantsFocus;
  const note = repeated
    ? 'Diese Bezeichnung kommt mehrfach vor.'
    : nameless
      ? 'Ohne Namen wird diese Zeile nicht ausgegeben.'
      : undefined;
  if (field !== undefined) {
    return (
      <div className={classes.fixedName}>
        <strong>{field.title}</strong>
        <code>{row.exportfield}</code>
        {note !== undefined && <span className="k-muted k-small">{note}</span>}
      </div>
    );
  }
  return (
    <TextInput
      aria-label={`${name}: Feldbezeichnung im Export`}
      placeholder="Name im Export"
      maxLength={200}
      spellCheck={false}
      disabled={!mayEdit}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a new row is where the user types on
      autoFocus={wantsFocus}
      {...oneLine(row.exportfield, (exportfield) => onChange({ ...row, exportfield }))}
      onFocus={() => onNaming(true)}
      onBlur={() => onNaming(false)}
      description={note}
      inputWrapperOrder={['input', 'description', 'error']}
    />
  );
}

function HelpCell({ row, name, field }: Pick<RowCellsProps, 'row' | 'name' | 'field'>) {
  const text = row.description.trim() === '' ? (field?.description ?? '') : row.description;
  if (text.trim() === '' && field === undefined) return <span className="k-muted">–</span>;
  return (
    <HelpPopover name={name} what="Beschreibung" text={text}>
      {field !== undefined && <FieldFacts field={field} />}
    </HelpPopover>
  );
}

/** The first item's value, and a warning if a value is longer than the channel accepts. */
function SeenLine({ seen: { example, longest }, most }: { seen: Seen; most: number | undefined }) {
  const tooLong = most !== undefined && longest.length > most;
  return (
    <p className={classes.seen}>
      <span className={classes.example} title={example}>
        z. B. {example}
      </span>
      {tooLong && (
        <span className={classes.tooLong}>
          {formatInteger(longest.length)} Zeichen bei Artikel {longest.itemid}, erlaubt sind {formatInteger(most)}
        </span>
      )}
    </p>
  );
}
