import { CategoryRow, MappingRow, type ExportTable } from '#shared/assignments/schema.ts';
import { TargetEntry } from '#shared/targets/schema.ts';
import { goods } from './words.ts';

/** A small category tree as a channel would provide it: two levels, with numbers. */
const tree: readonly (readonly [id: string, name: string, path?: string])[] = [
  ['1', 'Heimwerkerbedarf'],
  ['11', 'Heimwerkerbedarf > Elektrowerkzeuge', 'Heimwerken > Elektrowerkzeuge'],
  ['12', 'Heimwerkerbedarf > Handwerkzeuge', 'Heimwerken > Handwerkzeug'],
  ['13', 'Heimwerkerbedarf > Farben & Lasuren', 'Baumarkt > Farben'],
  ['14', 'Heimwerkerbedarf > Heizung', 'Baumarkt > Heizung'],
  ['2', 'Haus & Garten'],
  ['21', 'Haus & Garten > Bewässerung', 'Garten > Bewässerung'],
  ['22', 'Haus & Garten > Pflanzgefäße', 'Garten > Pflanzgefäße'],
  ['23', 'Haus & Garten > Beleuchtung', 'Wohnen > Leuchten'],
  ['24', 'Haus & Garten > Heimtextilien', 'Wohnen > Heimtextilien'],
  ['25', 'Haus & Garten > Küche', 'Haushalt > Küche'],
  ['3', 'Bekleidung & Schuhe'],
  ['31', 'Bekleidung & Schuhe > Jacken', 'Bekleidung > Jacken'],
  ['32', 'Bekleidung & Schuhe > Oberteile', 'Bekleidung > Shirts'],
  ['33', 'Bekleidung & Schuhe > Hosen', 'Bekleidung > Hosen'],
  ['34', 'Bekleidung & Schuhe > Sportschuhe', 'Schuhe > Sport'],
  ['4', 'Sport & Freizeit'],
  ['41', 'Sport & Freizeit > Outdoor', 'Sport > Outdoor'],
  ['42', 'Sport & Freizeit > Fitness', 'Sport > Fitness'],
  ['5', 'Lebensmittel'],
  ['51', 'Lebensmittel > Kaffee'],
  ['52', 'Lebensmittel > Tee'],
  ['6', 'Elektronik'],
  ['61', 'Elektronik > Kabel'],
];

const brands: readonly (readonly [id: string, name: string, writtenAs: readonly string[]])[] = [
  ['B1', 'Bosch', ['Bosch', 'BOSCH GmbH']],
  ['B2', 'Alpenrose', ['Alpenrose', 'ALPENROSE']],
  ['B3', 'Nordkap', ['Nordkap']],
  ['B4', 'Müller & Söhne', ['Müller & Söhne']],
  ['B5', 'Fjord', ['fjord']],
  ['B6', 'Grünland', ['Grünland']],
];

type Assigned = {
  table: ExportTable;
  source: string;
  entries: readonly TargetEntry[];
  rows: readonly (CategoryRow | MappingRow)[];
};

/** Returns the assignments of the demo's export. Food, electronics and some brands are left open, to try out the screens. */
export function demoAssignments(): Assigned[] {
  const part = (value: string) => ({ type: '_field' as const, value, caption: value });
  const known = new Set(goods.map(({ path }) => path.split(' > ').slice(0, 2).join(' > ')));
  const categories = tree.flatMap(([id, name, path], index) =>
    path === undefined || !known.has(path)
      ? []
      : [
          CategoryRow.parse({
            id: String(index + 1),
            field: [{ input: part('Kategoriepfad'), filter: 'begins_with', value: path }],
            target: id,
            catname: name,
          }),
        ],
  );
  const brandRows = brands
    .flatMap(([id, name, writtenAs]) => writtenAs.map((value) => ({ id, name, value })))
    .map(({ id, name, value }, index) =>
      MappingRow.parse({ id: String(index + 1), field: [part('Marke')], value, target: id, catname: name }),
    );
  return [
    {
      table: 'categories',
      source: 'kategorien-nordkap.csv',
      entries: tree.map(([id, name]) => TargetEntry.parse({ id, name })),
      rows: categories,
    },
    {
      table: 'brands',
      source: 'marken-nordkap.csv',
      entries: brands.map(([id, name]) => TargetEntry.parse({ id, name })),
      rows: brandRows,
    },
  ];
}
