import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { importDelimiters, importEncodings } from '#shared/import/reading-choices.ts';
import { importFormats, type ImportOptions } from '#shared/import/schema.ts';
import type { Field } from '#shared/items/schema.ts';
import { BoundedNumberInput } from '#client/ui/form/bounded-number-input.tsx';
import classes from './import.module.css';

type OptionFieldsProps = {
  options: ImportOptions;
  onChange: (options: ImportOptions) => void;
  fields: readonly Field[];
};

const detect = { value: '', label: 'automatisch erkennen' };
const formatLabels: Record<(typeof importFormats)[number], string> = {
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON Lines',
  xml: 'XML',
  xlsx: 'Excel (XLSX)',
};
const quotes = [
  { value: '"', label: 'Anführungszeichen "' },
  { value: "'", label: "Hochkomma '" },
  { value: 'none', label: 'keiner' },
];
const headers = [
  { value: 'ja', label: 'erste Zeile ist die Kopfzeile' },
  { value: 'nein', label: 'ohne Kopfzeile' },
];

/** Options for reading the file if automatic detection is not enough. Only options that are set are sent. */
export function OptionFields({ options, onChange, fields }: OptionFieldsProps) {
  const listId = useId();
  const set = (changed: Partial<ImportOptions>) => onChange({ ...options, ...changed });
  const optional = (text: string) => (text === '' ? undefined : text);
  const { format } = options;
  const csv = format === undefined || format === 'csv';
  const table = csv || format === 'xlsx';
  const tree = format === undefined || format === 'xml' || format === 'json';
  return (
    <div className={classes.options}>
      <NativeSelect
        label="Format"
        value={format ?? ''}
        onChange={({ currentTarget }) => set({ format: importFormats.find((name) => name === currentTarget.value) })}
        data={[detect, ...importFormats.map((value) => ({ value, label: formatLabels[value] }))]}
      />
      {format !== 'xlsx' && (
        <NativeSelect
          label="Zeichensatz"
          value={options.encoding ?? ''}
          onChange={({ currentTarget }) => set({ encoding: optional(currentTarget.value) })}
          data={[detect, ...importEncodings]}
        />
      )}
      {csv && (
        <>
          <NativeSelect
            label="Trennzeichen"
            value={options.delimiter ?? ''}
            onChange={({ currentTarget }) => set({ delimiter: optional(currentTarget.value) })}
            data={[detect, ...importDelimiters]}
          />
          <NativeSelect
            label="Textbegrenzer"
            value={options.quote === '' ? 'none' : (options.quote ?? '')}
            onChange={({ currentTarget }) =>
              set({ quote: currentTarget.value === 'none' ? '' : optional(currentTarget.value) })
            }
            data={[detect, ...quotes]}
          />
        </>
      )}
      {table && (
        <NativeSelect
          label="Kopfzeile"
          value={options.header === undefined ? '' : options.header ? 'ja' : 'nein'}
          onChange={({ currentTarget }) =>
            set({ header: currentTarget.value === '' ? undefined : currentTarget.value === 'ja' })
          }
          data={[detect, ...headers]}
        />
      )}
      {table && (
        <BoundedNumberInput
          label="Zeilen überspringen"
          description="So viele Zeilen stehen über der Kopfzeile. Leer: Kontor erkennt Titelzeilen selbst; 0: es gibt keine."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="automatisch erkennen"
          min={0}
          max={100_000}
          allowNegative={false}
          value={options.skipLines ?? null}
          onChange={(skipLines) => set({ skipLines })}
          onEmpty={() => set({ skipLines: undefined })}
        />
      )}
      {(format === undefined || format === 'xlsx') && (
        <TextInput
          label="Blatt"
          placeholder="Name, leer: das erste"
          value={options.sheet ?? ''}
          maxLength={200}
          onChange={({ currentTarget }) => set({ sheet: optional(currentTarget.value) })}
        />
      )}
      {tree && (
        <TextInput
          label="Element"
          placeholder="wiederholtes Element, z. B. product"
          value={options.element ?? ''}
          maxLength={500}
          onChange={({ currentTarget }) => set({ element: optional(currentTarget.value) })}
        />
      )}
      <TextInput
        label="Schlüsselfeld"
        placeholder="Feld mit der Artikelnummer"
        list={listId}
        value={options.key ?? ''}
        maxLength={500}
        onChange={({ currentTarget }) => set({ key: optional(currentTarget.value) })}
      />
      <datalist id={listId}>
        {fields.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </div>
  );
}
