import { integerText } from '#shared/values/integer-text.ts';
import type { DetectedFormat } from '#shared/import/schema.ts';

const formats = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines', xml: 'XML', xlsx: 'Excel-Arbeitsmappe' } as const;
const marks: Readonly<Record<string, string>> = {
  '\t': 'Tabulator',
  ' ': 'Leerzeichen',
  '\u0001': 'U+0001',
  '\u001f': 'U+001F',
};

/** Describes in one German sentence, for the user who sent the file, how it was read. */
export function detectedText(format: DetectedFormat): string {
  const parts: string[] = [formats[format.format]];
  if (format.archive !== undefined)
    parts.push(
      format.archive === 'gz'
        ? 'gepackt (gz)'
        : `gepackt (${format.archive}${format.members && format.members.length > 1 ? `, ${integerText(format.members.length)} Dateien` : ''})`,
    );
  if (format.encoding !== undefined) parts.push(`Zeichensatz ${format.encoding}`);
  if (format.delimiter !== undefined) parts.push(`Trennzeichen ${marks[format.delimiter] ?? `„${format.delimiter}“`}`);
  if (format.quote !== undefined && format.quote !== '') parts.push(`Textbegrenzer „${format.quote}“`);
  if (format.header === false) parts.push('ohne Kopfzeile');
  if (format.preamble !== undefined && format.preamble > 0)
    parts.push(`${format.preamble === 1 ? '1 Zeile' : `${integerText(format.preamble)} Zeilen`} davor übersprungen`);
  if (format.sheet !== undefined) parts.push(`Blatt „${format.sheet}“`);
  if (format.element !== undefined) parts.push(`Element „${format.element}“`);
  return `Gelesen als ${parts.join(', ')}.`;
}
