import { outputEncodings, outputKinds, type OutputFormat } from '#shared/exports/schema.ts';

type Labels<Member extends keyof OutputFormat> = Readonly<Record<Extract<OutputFormat[Member], string>, string>>;

export const kindLabels: Record<string, string> = Object.fromEntries(
  Object.entries(outputKinds).map(([kind, { label }]) => [kind, label]),
);
export const delimiterLabels: Labels<'delimiter'> = {
  ';': 'Semikolon ;',
  ',': 'Komma ,',
  '\t': 'Tabulator',
  '|': 'Senkrechter Strich |',
};
export const quoteLabels: Labels<'quote'> = { '"': 'Anführungszeichen "', "'": "Hochkomma '" };
export const quotingLabels: Labels<'quoting'> = { needed: 'nur wo nötig', always: 'um jeden Wert' };
export const lineEndLabels: Labels<'lineEnd'> = { '\r\n': 'Windows (CR LF)', '\n': 'Unix (LF)' };
export const styleLabels: Labels<'style'> = {
  generic: 'allgemein, eigene Elementnamen',
  google: 'RSS 2.0 mit g:-Feldern',
  atom: 'Atom mit g:-Feldern',
};
const encodingNames: Labels<'encoding'> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 mit BOM (für Excel)',
  'utf-16le': 'UTF-16 LE',
  'windows-1252': 'Windows-1252',
  'iso-8859-1': 'ISO-8859-1',
  'iso-8859-15': 'ISO-8859-15',
};
export const encodingLabels: Record<string, string> = Object.fromEntries(
  outputEncodings.map((name) => [name, encodingNames[name]]),
);
