import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { decimalMarks, OutputFormat, outputEncodings, outputKinds } from '#shared/exports.ts';
import classes from './export-settings.module.css';

type FormatFieldsProps = { format: OutputFormat; onChange: (format: OutputFormat) => void };

const delimiterLabels: Record<OutputFormat['delimiter'], string> = {
  ';': 'Semikolon ;',
  ',': 'Komma ,',
  '\t': 'Tabulator',
  '|': 'Senkrechter Strich |',
};
const quoteLabels: Record<OutputFormat['quote'], string> = { '"': 'Anführungszeichen "', "'": "Hochkomma '" };
const quotingLabels: Record<OutputFormat['quoting'], string> = { needed: 'nur wo nötig', always: 'um jeden Wert' };
const lineEndLabels: Record<OutputFormat['lineEnd'], string> = { '\r\n': 'Windows (CR LF)', '\n': 'Unix (LF)' };
const styleLabels: Record<OutputFormat['style'], string> = {
  generic: 'allgemein, eigene Elementnamen',
  google: 'Google Merchant (RSS 2.0)',
};
const encodingLabels: Record<OutputFormat['encoding'], string> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 mit BOM (für Excel)',
  'utf-16le': 'UTF-16 LE',
  'windows-1252': 'Windows-1252',
  'iso-8859-1': 'ISO-8859-1',
  'iso-8859-15': 'ISO-8859-15',
};
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** How the file is written; only what the chosen kind has a use for is shown. */
export function FormatFields({ format, onChange }: FormatFieldsProps) {
  // A select holds text; the schema turns it back into one of the member's values.
  const set = (member: keyof OutputFormat, value: string | boolean) =>
    onChange(OutputFormat.parse({ ...format, [member]: value }));
  const select = (member: Exclude<keyof OutputFormat, 'header'>, label: string, labels: Record<string, string>) => (
    <NativeSelect
      key={member}
      label={label}
      value={format[member]}
      onChange={({ currentTarget }) => set(member, currentTarget.value)}
      data={optionsOf(labels)}
    />
  );
  const csv = format.kind === 'csv';
  const xml = format.kind === 'xml';
  return (
    <section className="k-card k-stack" aria-labelledby="format">
      <h2 id="format">Format</h2>
      <div className={classes.grid}>
        {select(
          'kind',
          'Art der Datei',
          Object.fromEntries(Object.entries(outputKinds).map(([kind, { label }]) => [kind, label])),
        )}
        {select(
          'encoding',
          'Zeichensatz',
          Object.fromEntries(outputEncodings.map((name) => [name, encodingLabels[name]])),
        )}
        {csv && select('delimiter', 'Trennzeichen', delimiterLabels)}
        {csv && select('quote', 'Textbegrenzer', quoteLabels)}
        {csv && select('quoting', 'Textbegrenzer setzen', quotingLabels)}
        {csv && select('lineEnd', 'Zeilenende', lineEndLabels)}
        {select('decimal', 'Dezimalzeichen', decimalMarks)}
        {xml && select('style', 'Aufbau', styleLabels)}
        {xml && format.style === 'generic' && (
          <>
            <TextInput
              label="Wurzelelement"
              value={format.root}
              maxLength={100}
              onChange={({ currentTarget }) => set('root', currentTarget.value)}
            />
            <TextInput
              label="Element je Artikel"
              value={format.item}
              maxLength={100}
              onChange={({ currentTarget }) => set('item', currentTarget.value)}
            />
          </>
        )}
      </div>
      {csv && (
        <Switch
          label="Kopfzeile mit den Feldnamen schreiben"
          checked={format.header}
          onChange={({ currentTarget }) => set('header', currentTarget.checked)}
        />
      )}
    </section>
  );
}
