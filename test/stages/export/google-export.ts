import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { masterWith, runExport, type TestKontor } from '../kontor.ts';

type Content = { type: string; value: string; caption: string }[];
export const source = (value: string): Content => [{ type: '_field', value, caption: value }];
export const fixed = (value: string): Content => [{ type: '_string', value, caption: value }];

/** Returns the fields of an export for Google, of which a test may give its own. */
export const googleRows = (own: Record<string, Content> = {}): ConstructionRow[] =>
  Object.entries({
    id: source('sku'),
    title: source('titel'),
    description: fixed('Ein Text'),
    price: source('preis'),
    image_link: source('bild'),
    link: fixed('https://s.de/artikel'),
    availability: fixed('in_stock'),
    condition: fixed('new'),
    ...own,
  }).map(([exportfield, field], index) => ConstructionRow.parse({ id: `z${index}`, exportfield, field }));

/** Creates a catalogue with an export for Google that has run, and another export that has not. */
export async function googleExport(kontor: TestKontor, csv: string, rows: ConstructionRow[]) {
  const masterid = await masterWith(kontor, csv, { key: 'sku' });
  const made = async (name: string, channel: string) =>
    (await kontor.ask(api.createExport, { params: { masterid }, body: { name, channel } })).id;
  const id = await made('Google', 'google');
  await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
  await runExport(kontor, id);
  return { id, fresh: await made('Frei', 'frei') };
}
