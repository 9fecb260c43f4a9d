import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import type { TestKontor } from '../kontor.ts';

/** Items with quotes, a line break, markup and a formula. */
export const csv = [
  'sku;titel;preis;bestand;text',
  'A-1;Hammer;12,5;3;"Stiel; ""Esche"""',
  'A-2;"Säge\ngroß";1.299,90;0;<b>A & B</b>',
  'A-3;Müll;7;12;',
  'A-4;=SUMME(1);9.99;1;x',
].join('\r\n');

export const row = (id: string, exportfield: string, field: { type: string; value: string }[], more: object = {}) =>
  ConstructionRow.parse({ id, exportfield, field: field.map((part) => ({ ...part, caption: '' })), ...more });
export const from = (value: string) => ({ type: '_field', value });

export const plain = [
  row('1', 'id', [from('sku')]),
  row('2', 'name', [from('titel')]),
  row('3', 'price', [from('preis')]),
  row('4', 'info', [from('text')]),
];

/** Creates an export of these rows in a format. */
export async function exportOf(
  kontor: TestKontor,
  masterid: string,
  format: object,
  rows: ConstructionRow[],
): Promise<string> {
  const { id } = await kontor.ask(api.createExport, {
    params: { masterid },
    body: { name: 'Probe', channel: 'frei', format },
  });
  await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
  return id;
}
