import type { Warnings } from '#feed/import/reader/warnings.ts';
import type { ByFile, Mark } from './number-groups.ts';

type Fields = ReadonlyMap<string, { name: string; values: readonly string[] } | undefined>;

const mostNames = 20;
const marks = { '.': 'der Punkt', ',': 'das Komma' } as const;
/** Values that clearly show a decimal mark. */
const shapes = { '.': /^[^.,]*\d\.\d{1,2}(?!\d)/u, ',': /^[^.,]*\d,\d{1,2}(?!\d)/u } as const;
const open = { '.': /^\s*[+-]?\d{1,3}\.\d{3}\s*$/u, ',': /^\s*[+-]?\d{1,3},\d{3}\s*$/u } as const;

/** Warns which columns' numbers were read the way the file's other prices are written. */
export function warnOfNumbersByFile(warnings: Warnings, { columns, decimal, shownBy }: ByFile, fields: Fields): void {
  const readAs = (own: Mark): string => {
    const those = columns.flatMap(({ id, mark }) => (mark === own ? (fields.get(id) ?? []) : []));
    if (those.length === 0) return '';
    const names = those
      .slice(0, mostNames)
      .map(({ name }) => `„${name}“`)
      .join(', ');
    const more = those.length > mostNames ? ` und ${those.length - mostNames} weiteren` : '';
    const example = those.flatMap(({ values }) => values).find((value) => open[own].test(value));
    const meaning = own === decimal ? 'Dezimalzeichen' : 'Tausenderzeichen';
    return `In ${those.length === 1 ? 'der Spalte' : 'den Spalten'} ${names}${more} steht ${marks[own]} nur vor drei Ziffern${example === undefined ? '' : ` („${example.trim()}“)`} und wurde als ${meaning} gelesen. `;
  };
  const proof = fields.get(shownBy);
  const shown = proof?.values.find((value) => shapes[decimal].test(value));
  const example = shown === undefined ? '' : `: ${shown.trim().slice(0, 30)}`;
  warnings.once(
    'numbers_by_file',
    `${readAs('.')}${readAs(',')}Andere Preise der Datei trennen Dezimalstellen mit ${decimal === '.' ? 'Punkt' : 'Komma'} („${proof?.name ?? ''}“${example}). Falls das nicht stimmt, schreiben Sie die Werte im Export bitte mit zwei Nachkommastellen.`,
  );
}
