import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import IconX from 'virtual:icons/x';
import type { ChannelField } from '#shared/channels/schema.ts';
import { type ConstructionRow, keyOf, partOf, type SourceEntry, type SourcePart } from '#shared/construction/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { usePartKeys } from '#client/fields/values/part-keys.ts';
import { goneSource } from '#client/fields/values/picker-groups.ts';
import { partOfReference, referenceOf } from '#client/fields/values/references.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import { oneLine, oneLineHint } from '#client/ui/form/one-line.ts';
import { choicesOf } from './choices.ts';
import classes from './values.module.css';
import { ListOptions } from './list-options.tsx';
import { emptyText } from './value-kinds.ts';

type ListEditorProps = {
  row: ConstructionRow;
  name: string;
  field: ChannelField | undefined;
  /** The names are output with the values (array_key_value); otherwise they only help the user. */
  named: boolean;
  onChange: (row: ConstructionRow) => void;
};

const most = 200;

/** CON-03: the entries of a list, each with a value and a name; they can be added, removed and sorted. */
export function ListEditor({ row, name, field, named, onChange }: ListEditorProps) {
  const keys = usePartKeys(row.field.length);
  const entries = row.field.map((entry, index) => ({ entry, index, key: keys.list[index] ?? String(index) }));
  const put = (entries: SourceEntry[]) => onChange({ ...row, field: entries });
  const entryOf = (title: string, value: SourcePart): SourceEntry =>
    named ? { key: { type: '_string', value: title }, value } : { name: title, value };
  const replace = (index: number, entry: SourceEntry) => put(row.field.map((old, at) => (at === index ? entry : old)));
  const remove = (index: number) => {
    keys.set(keys.list.toSpliced(index, 1));
    put(row.field.toSpliced(index, 1));
  };
  return (
    <div className={classes.list} role="group" aria-label={`${name}: Liste`}>
      <SortableRows
        rows={entries}
        rowId={({ key }) => key}
        rowName={(_, index) => `Eintrag ${index + 1}`}
        rowClassName={() => classes.entry ?? ''}
        onOrder={(order) => {
          keys.set(order.map(({ key }) => key));
          put(order.map(({ entry }) => entry));
        }}
      >
        {({ entry, index }, handle, place) => {
          const label = `${name}: Eintrag ${place + 1}`;
          const title = named ? keyOf(entry) : 'name' in entry ? entry.name : '';
          return (
            <>
              {handle}
              <TextInput
                className={classes.entryName}
                aria-label={`${label}, Name`}
                placeholder={named ? 'Name' : 'Notiz'}
                maxLength={500}
                {...oneLine(title, (value) => replace(index, entryOf(value, partOf(entry))))}
                title={oneLineHint(title) ?? (named ? 'Geht mit dem Wert hinaus' : 'Nur für Sie, geht nicht hinaus')}
              />
              <PartInput
                label={label}
                part={partOf(entry)}
                field={field}
                purpose={`rows.${row.id}.field.${place}`}
                onChange={(part) => replace(index, entryOf(title, part))}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`${label} entfernen`}
                title="Eintrag entfernen"
                onClick={() => remove(index)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </>
          );
        }}
      </SortableRows>
      <div className={classes.listFoot}>
        {row.field.length < most && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => put([...row.field, entryOf('', { type: '_field', value: '', caption: '' })])}
          >
            Eintrag hinzufügen
          </Button>
        )}
        <ListOptions row={row} name={name} field={field} onChange={onChange} />
      </div>
    </div>
  );
}

type PartInputProps = {
  label: string;
  part: SourcePart;
  field: ChannelField | undefined;
  purpose: string;
  onChange: (part: SourcePart) => void;
};

/** A field or a text. Switching between the two loses nothing: Strg+Z brings the old value back. */
function PartInput({ label, part, field, purpose, onChange }: PartInputProps) {
  const { readable } = useFields();
  const fixed = part.type === '_string';
  return (
    <div className={classes.part}>
      <NativeSelect
        className={classes.partKind}
        aria-label={`${label}: Quelle`}
        value={fixed ? '_string' : '_field'}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '_string' ? emptyText : { type: '_field', value: '', caption: '' })
        }
        data={[
          { value: '_field', label: 'Feld' },
          { value: '_string', label: 'Text' },
        ]}
      />
      {fixed ? (
        <TextInput
          className={classes.input}
          aria-label={label}
          placeholder="Text für jeden Artikel"
          maxLength={100_000}
          {...oneLine(part.value, (value) => onChange({ type: '_string', value, caption: '' }))}
        />
      ) : (
        <FieldPicker
          className={classes.input}
          label={label}
          groups={[...readable, ...choicesOf(field)]}
          value={referenceOf(part)}
          type={part.type}
          purpose={purpose}
          hint={part.type === '_default' ? undefined : goneSource(readable, referenceOf(part))}
          onChange={({ type, value, name }) =>
            onChange(
              type === '_default' ? { type, value, caption: name } : { ...partOfReference(value), caption: name },
            )
          }
        />
      )}
    </div>
  );
}
