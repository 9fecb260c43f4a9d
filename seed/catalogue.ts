import { seeded, type Random } from './random.ts';
import { adjectives, benefits, brands, colors, countries, deliveryTimes, goods, materials, sizes } from './words.ts';

/** The 60 columns of the generated catalogue, as a German shop would export them. */
export const catalogueColumns = [
  'Artikelnummer',
  'Hauptartikelnummer',
  'Titel',
  'Kurzbeschreibung',
  'Beschreibung',
  'Marke',
  'Hersteller',
  'Herstellernummer',
  'EAN',
  'Kategoriepfad',
  'Kategorie-ID',
  'Preis',
  'UVP',
  'Einkaufspreis',
  'Grundpreis',
  'Grundpreis-Einheit',
  'Währung',
  'Steuersatz',
  'Bestand',
  'Mindestbestand',
  'Verfügbarkeit',
  'Lieferzeit',
  'Versandkosten',
  'Gewicht',
  'Länge',
  'Breite',
  'Höhe',
  'Farbe',
  'Größe',
  'Material',
  'Geschlecht',
  'Altersgruppe',
  'Zustand',
  'Herkunftsland',
  'Zolltarifnummer',
  'Bild 1',
  'Bild 2',
  'Bild 3',
  'Bild 4',
  'Link',
  'Energieeffizienzklasse',
  'Verpackungseinheit',
  'Mengeneinheit',
  'Inhalt',
  'Saison',
  'Neuheit',
  'Aktion',
  'Aktionspreis',
  'Aktion von',
  'Aktion bis',
  'Bewertung',
  'Anzahl Bewertungen',
  'Suchbegriffe',
  'Merkmal 1',
  'Merkmal 2',
  'Merkmal 3',
  'GPSR-Name',
  'GPSR-Adresse',
  'Aktiv',
  'Geändert am',
] as const;

/** Returns the check digit of a GTIN-13 from its first twelve digits (GS1 General Specifications: weights 1 and 3 in turn). */
export function gtinCheckDigit(twelve: string): number {
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += Number(twelve[index]) * (index % 2 === 0 ? 1 : 3);
  return (10 - (sum % 10)) % 10;
}

const german = (cents: number) => `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
const point = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
const thousands = (cents: number) => german(cents).replaceAll(/\B(?=(\d{3})+,)/g, '.');
const sometimes = (random: Random, share: number, text: () => string) => (random.chance(share) ? text() : '');

/** Draws the values of an item's cells; three in ten items are variants of the one before. */
function draw(random: Random, number: number, parent: string) {
  const good = random.pick(goods);
  const sku = `NK-${String(100_000 + number)}`;
  const digits = `4${String(260_000_000_00 + number).padStart(11, '0')}`.slice(0, 12);
  const check = gtinCheckDigit(digits);
  const usual = Math.max(99, Math.round(good.price * (0.5 + random.next())));
  return {
    good,
    sku,
    main: random.chance(0.3) && parent !== '' ? parent : sku,
    brand: random.pick(brands),
    color: random.pick(colors),
    material: random.pick(materials),
    size: sometimes(random, 0.4, () => random.pick(sizes)),
    cents: usual + (random.chance(0.02) ? 1_000_000 : 0),
    // A few are missing, and a few have a wrong check digit.
    ean: random.chance(0.93) ? `${digits}${check}` : random.chance(0.5) ? '' : `${digits}${(check + 1) % 10}`,
    stock: random.chance(0.15) ? 0 : random.int(500),
  };
}
type Drawn = ReturnType<typeof draw>;

/** Returns the cells of one item, in the order of the columns. */
const cellsOf = (random: Random, drawn: Drawn): string[] => [
  ...identity(random, drawn),
  ...prices(random, drawn),
  ...measures(random, drawn),
  ...pictures(random, drawn),
  ...offers(random, drawn),
];

function identity(random: Random, { good, sku, main, brand, color, size, material, ean }: Drawn): string[] {
  const title = `${brand === 'keine Angabe' ? '' : `${brand} `}${good.name} ${material} ${color}${size === '' ? '' : ` Gr. ${size}`}`;
  return [
    sku,
    main,
    title,
    `${random.pick(adjectives)} ${good.name} ${random.pick(benefits)}`,
    description(random, good.name, material),
    brand,
    sometimes(random, 0.8, () => `${brand} Vertriebs GmbH`),
    sometimes(
      random,
      0.7,
      () => `${brand.slice(0, 3).toUpperCase()}${random.int(90_000) + 10_000}.${random.int(90) + 10}`,
    ),
    ean,
    good.path,
    String(goods.indexOf(good) + 1001),
  ];
}

function prices(random: Random, { good, cents, stock }: Drawn): string[] {
  return [
    priceText(random, cents),
    sometimes(random, 0.6, () => german(Math.round(cents * 1.25))),
    point(Math.round(cents * 0.55)),
    sometimes(random, 0.2, () => `${german(Math.round(cents / 2))} €/${good.unit}`),
    sometimes(random, 0.2, () => good.unit),
    'EUR',
    random.chance(0.9) ? '19' : '7',
    String(stock),
    '5',
    stock === 0 ? 'nicht auf Lager' : 'auf Lager',
    random.pick(deliveryTimes),
    cents > 5000 ? '0,00' : '4,90',
  ];
}

function measures(random: Random, { good, color, size, material }: Drawn): string[] {
  return [
    german(Math.round(good.grams / 10)),
    sometimes(random, 0.5, () => String(random.int(200) + 5)),
    sometimes(random, 0.5, () => String(random.int(100) + 2)),
    sometimes(random, 0.5, () => `${random.int(80) + 1},5`),
    color,
    size,
    material,
    sometimes(random, 0.3, () => random.pick(['Damen', 'Herren', 'Unisex'])),
    sometimes(random, 0.3, () => random.pick(['Erwachsene', 'Kinder'])),
    random.chance(0.97) ? 'neu' : 'B-Ware',
    random.pick(countries),
    sometimes(random, 0.4, () => String(61_000_000 + random.int(9_999_999))),
  ];
}

function pictures(random: Random, { sku }: Drawn): string[] {
  const image = (index: number) => `https://bilder.nordkap.example/${sku}_${index}.jpg`;
  const shares = [0.96, 0.7, 0.4, 0.1];
  return [
    ...shares.map((share, index) => sometimes(random, share, () => image(index + 1))),
    `https://www.nordkap.example/artikel/${sku}?ref=feed`,
  ];
}

function offers(random: Random, { good, brand, color, material, cents }: Drawn): string[] {
  const action = random.chance(0.12);
  return [
    sometimes(random, 0.05, () => random.pick(['A', 'B', 'C', 'D'])),
    '1',
    good.unit,
    sometimes(random, 0.3, () => `${random.int(20) + 1} ${good.unit}`),
    sometimes(random, 0.4, () => random.pick(['Frühjahr/Sommer', 'Herbst/Winter'])),
    random.chance(0.1) ? 'ja' : 'nein',
    action ? 'ja' : 'nein',
    action ? german(Math.round(cents * 0.8)) : '',
    action ? '01.11.2026' : '',
    action ? '30.11.2026' : '',
    sometimes(random, 0.5, () => `${random.int(40) / 10 + 1}`.replace('.', ',')),
    sometimes(random, 0.5, () => String(random.int(900))),
    `${good.name.toLowerCase()}, ${color}, ${material.toLowerCase()}`,
    `Farbe: ${color}`,
    sometimes(random, 0.5, () => `Material: ${material}`),
    sometimes(random, 0.3, () => random.pick(benefits)),
    `${brand} Vertriebs GmbH`,
    sometimes(random, 0.9, () => `Hafenstraße ${random.int(90) + 1}, 24103 Kiel`),
    random.chance(0.95) ? '1' : '0',
    `2026-11-${String(random.int(20) + 1).padStart(2, '0')} 0${random.int(10)}:30:00`,
  ];
}

function priceText(random: Random, cents: number): string {
  const kind = random.int(20);
  if (kind === 0) return point(cents);
  if (kind === 1) return `${german(cents)} €`;
  if (kind === 2) return '';
  return cents >= 100_000 ? thousands(cents) : german(cents);
}

function description(random: Random, name: string, material: string): string {
  const sentences = Array.from(
    { length: 3 + random.int(5) },
    () => `Unser ${name} ist ein ${random.pick(adjectives)} Begleiter ${random.pick(benefits)}.`,
  );
  const list = Array.from({ length: 2 + random.int(4) }, () => `<li>${random.pick(benefits)}</li>`).join('');
  const line = random.chance(0.3) ? '\n' : ' ';
  return `<p>${sentences.join(' ')}</p>${line}<ul><li>Material: ${material}</li>${list}</ul>${random.chance(0.1) ? '<p>Hinweis: „Nicht für Kinder unter 3 Jahren“ & nur zur "privaten" Nutzung.</p>' : ''}`;
}

function* drawnItems(items: number, seed: number): Generator<{ drawn: Drawn; cells: string[] }> {
  const random = seeded(seed);
  let parent = '';
  for (let number = 0; number < items; number++) {
    const drawn = draw(random, number, parent);
    parent = drawn.main;
    yield { drawn, cells: cellsOf(random, drawn) };
  }
}

/** Returns the first items with their titles and prices in cents, as in their cells; null: the cell is empty. */
export function catalogueCents(
  items: number,
  seed = 1,
): {
  sku: string;
  title: string;
  cents: number;
  usual: number | null;
  list: number | null;
  cost: number;
  stock: number;
}[] {
  const cell = (cells: readonly string[], column: (typeof catalogueColumns)[number]) =>
    cells[catalogueColumns.indexOf(column)] ?? '';
  const filled = (cells: readonly string[], column: (typeof catalogueColumns)[number]) => cell(cells, column) !== '';
  return [...drawnItems(items, seed)].map(({ drawn: { sku, cents, stock }, cells }) => ({
    sku,
    title: cell(cells, 'Titel'),
    cents,
    stock,
    usual: filled(cells, 'Preis') ? cents : null,
    list: filled(cells, 'UVP') ? Math.round(cents * 1.25) : null,
    cost: Math.round(cents * 0.55),
  }));
}

/**
 * Yields the catalogue as CSV text in chunks (UTF-8, semicolon, quotes where needed, CRLF). The same seed gives the same file;
 * the first n items of a larger catalogue are those of a smaller one.
 */
export function* catalogueCsv(items: number, seed = 1): Generator<string> {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => (/[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';')}\r\n`;
  let text = line(catalogueColumns);
  for (const { cells } of drawnItems(items, seed)) {
    text += line(cells);
    if (text.length > 500_000) {
      yield text;
      text = '';
    }
  }
  yield text;
}
