import type { DetectedFormat } from '#shared/import/schema.ts';

const formats = { csv: 'CSV', json: 'JSON', jsonl: 'JSON Lines', xml: 'XML', xlsx: 'Excel-Arbeitsmappe' } as const;
const marks: Readonly<Record<string, string>> = { '\t': 'Tabulator', ' ': 'Leerzeichen' };

/** How the file was read, in one German sentence for the person who sent it. */
export function detectedText(format: DetectedFormat): string {
  const deps: string[] = [formats[format.format]];
  if (format.archive !== undefined)
    deps.push(
      format.archive === 'gz'
        ? 'gepackt (gz)'
        : `gepackt (zip${format.members && format.members.length > 1 ? `, ${format.members.length} Dateien` : ''})`,
    );
  if (format.encoding !== undefined) deps.push(`Zeichensatz ${format.encoding}`);
  if (format.delimiter !== undefined) deps.push(`Trennzeichen ${marks[format.delimiter] ?? `„${format.delimiter}“`}`);
  if (format.quote !== undefined && format.quote !== '') deps.push(`Textbegrenzer „${format.quote}“`);
  if (format.header === false) deps.push('ohne Kopfzeile');
  if (format.preamble !== undefined && format.preamble > 0) deps.push(`${format.preamble} Zeilen davor übersprungen`);
  if (format.sheet !== undefined) deps.push(`Blatt „${format.sheet}“`);
  if (format.element !== undefined) deps.push(`Element „${format.element}“`);
  return `Gelesen als ${deps.join(', ')}.`;
}
