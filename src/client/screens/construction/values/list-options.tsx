import { NativeSelect, TextInput } from '@mantine/core';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { ConstructionRow } from '#shared/construction/schema.ts';
import { Disclosure } from '#client/ui/disclosure.tsx';
import { oneLine } from '#client/ui/form/one-line.ts';
import classes from './values.module.css';

type ListOptionsProps = {
  row: ConstructionRow;
  name: string;
  field: ChannelField | undefined;
  onChange: (row: ConstructionRow) => void;
};

/** How a list is output: one column with a separator, or a column per value. The template decides what the row leaves open. */
export function ListOptions({ row, name, field, onChange }: ListOptionsProps) {
  const repeat = row.extras.repeat ?? field?.many?.repeat ?? false;
  const usual = field?.many?.separator ?? ',';
  const separator = row.extras.separator ?? usual;
  const words = repeat ? 'je Wert eine Spalte' : `eine Spalte, getrennt durch „${separator}“`;
  return (
    <Disclosure className={classes.optionsButton} button={words} label={`${name}: Ausgabe der Liste, ${words}`}>
      {() => (
        <div className={classes.options}>
          <NativeSelect
            label="Ausgabe der Liste"
            description="Mit je einer Spalte steht dieselbe Feldbezeichnung mehrfach im Kopf der Datei; in XML wird daraus je Wert ein Element."
            value={repeat ? 'repeat' : 'one'}
            onChange={({ currentTarget }) =>
              onChange({ ...row, extras: { ...row.extras, repeat: currentTarget.value === 'repeat' } })
            }
            data={[
              { value: 'one', label: 'alle Werte in einer Spalte' },
              { value: 'repeat', label: 'je Wert eine Spalte' },
            ]}
          />
          {!repeat && (
            <TextInput
              label="Trennzeichen"
              description={`Steht zwischen den Werten. ${field?.many === undefined ? 'Üblich' : 'Der Kanal erwartet'}: „${usual}“. Leere Werte werden ausgelassen.`}
              maxLength={10}
              {...oneLine(separator, (value) => onChange({ ...row, extras: { ...row.extras, separator: value } }))}
            />
          )}
          {field?.many !== undefined && <p className="k-muted k-small">Höchstens {field.many.most} Werte.</p>}
        </div>
      )}
    </Disclosure>
  );
}
