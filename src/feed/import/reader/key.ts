import type { NamedColumn } from './columns.ts';
import type { ImportRun } from './import-run.ts';
import { Refusal } from './refusal.ts';
import type { SnapshotOutcome } from './snapshot.ts';

/**
 * Names of item number columns, best first, compared in lower case without separators and without `g:`. The merchant's own
 * numbers come before the shop's (`ID`), which change with the shop and which no marketplace knows.
 */
const itemNumbers = [
  'sku artikelnummer artikelnr artikelno artnr ordernumber supplierpid supplieraid articlenumber',
  'articlesku sellersku händlersku haendlersku verkäufersku verkaeufersku customlabel variantsku itemsku productsku',
  'productnumber produktnummer variantnumber variantennummer variationnumber variationsnummer',
  'id artikelid articleid productid produktid itemid offerid idoffer variantid itemnumber itemno',
  'hauptartikelnr hauptartikelnummer bestellnummer bestellnr supplierarticleid uniqid uniqueid',
  'entityid pid asin reference referenz merchantsku handelssku vendorsku setnum bookid',
]
  .join(' ')
  .split(' ');
/** `Custom label (SKU)` is the merchant's own number as well; `Lieferanten-SKU` is not. */
const skuWord = /(?:^|[^a-zäöü])sku(?:[^a-zäöü]|$)/u;
const suppliersWord = /lieferant|supplier|vendor/u;
const skuRank = itemNumbers.indexOf('id') - 0.5;
const tradeNumbers = 'ean gtin ean13 gtin13 barcode upc isbn isbn13 upcean mpn herstellernummer'.split(' ');
const numberWord =
  /(^|[^a-zäöü])(id|sku|nr|no|nummer|number|code|ref|reference|aid|pid)([^a-zäöü]|$)|(nummer|number|nr|artnum|_id|sku)([^a-zäöü]|$)/u;
const foreignWord =
  /kategor|categor|parent|haupt|brand|marke|hersteller|manufacturer|group|gruppe|tax|steuer|count|anzahl|theme/iu;

const neverWord = /phone|telefon|fax|plz|postal|postcode|hausnummer|preis|price|menge|quantity|version/iu;

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^g:/u, '')
    .replaceAll(/[\s_\-.:/#@*]+/gu, '');
}

const ambiguousNumbers = new Set('id reference referenz pid uniqid uniqueid entityid setnum bookid'.split(' '));

/** Whether only item numbers have this name, like `sku` and `EAN`; many other things have an `id`. */
export function isItemNumber(name: string): boolean {
  const plain = plainName(name);
  return (itemNumbers.includes(plain) && !ambiguousNumbers.has(plain)) || tradeNumbers.includes(plain);
}

/** Returns how well a name suits an item number: 0 is best; undefined: not at all. */
function nameRank(name: string): number | undefined {
  if (neverWord.test(name)) return undefined;
  const plain = plainName(name);
  const exact = itemNumbers.indexOf(plain);
  if (exact >= 0) return exact;
  const trade = tradeNumbers.indexOf(plain);
  if (trade >= 0) return 300 + trade;
  const words = name.replaceAll(/([a-zäöü])([A-ZÄÖÜ])/gu, '$1_$2').toLowerCase();
  const isForeign = foreignWord.test(words);
  if (skuWord.test(words) && !isForeign && !suppliersWord.test(words)) return skuRank;
  if (numberWord.test(words)) return isForeign ? 250 : 200;
  const leaf = name.split(/[/.]/u).at(-1) ?? '';
  if (isForeign || leaf === name || !isItemNumber(leaf)) return undefined;
  // A nested trade number (450) ranks below a first column that looks like own numbers (400).
  return tradeNumbers.includes(plainName(leaf)) ? 450 : 210;
}

/** Whether the name suits a column of item numbers. */
export const mayNumberItems = (name: string): boolean => nameRank(name) !== undefined;

function plausibleShape(values: readonly string[]): boolean {
  return (
    values.every(
      (value) => value.length <= 64 && /^[\p{L}\p{N}][\p{L}\p{N}\-_./+#]*$/u.test(value) && /\p{N}/u.test(value),
    ) && !values.every((value) => /^-?\d+[.,]\d{1,2}$/u.test(value) || /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/u.test(value))
  );
}

/**
 * Returns indexes of columns that may number the items, best first, judged by name and by the first rows. Whether a column
 * really is complete and unique is decided over all rows afterwards; nothing is ever dropped because of a guess.
 */
export function keyProposals(columns: readonly NamedColumn[], sample: readonly string[][]): number[] {
  const ranked: { index: number; rank: number }[] = [];
  columns.forEach((column, index) => {
    const values = sample.map((row) => row[index] ?? '');
    const unique =
      new Set(values).size === values.length && values.every((value) => value.trim() !== '' && value.length <= 128);
    if (!unique) return;
    const rank =
      nameRank(column.name) ?? (index === 0 && values.length >= 5 && plausibleShape(values) ? 400 : undefined);
    // A cell with several lines lists several numbers, those of an item's variants, and changes with them.
    const lists = values.filter((value) => value.includes('\n')).length > values.length / 5;
    if (rank !== undefined) ranked.push({ index, rank: lists ? rank + 1000 : rank });
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || a.index - b.index).map((entry) => entry.index);
}

/** Returns indexes of columns named like an item number, whatever they hold: hints when no key was found. */
export function keyLikeNames(columns: readonly NamedColumn[]): number[] {
  return columns
    .map((column, index) => ({ index, rank: nameRank(column.name) }))
    .filter((entry) => entry.rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .slice(0, 5)
    .map((entry) => entry.index);
}

/**
 * Returns the index of the column that the user or the catalogue named: by name, by header, then ignoring case and outer blanks.
 * @throws Refusal key_missing
 */
export function findKeyColumn(columns: readonly NamedColumn[], key: string): number {
  const keyName = key.trim().toLowerCase();
  const tests: ((column: NamedColumn) => boolean)[] = [
    (column) => column.name === key,
    (column) => column.header === key,
    (column) => column.name.toLowerCase() === keyName || column.header.trim().toLowerCase() === keyName,
  ];
  for (const test of tests) {
    const index = columns.findIndex(test);
    if (index >= 0) return index;
  }
  const names = columns
    .slice(0, 20)
    .map((column) => `„${column.name}“`)
    .join(', ');
  const more = columns.length > 20 ? ` und ${columns.length - 20} weitere` : '';
  throw new Refusal(
    'key_missing',
    `Das Schlüsselfeld „${key}“ kommt in der Datei nicht vor. Es wurde nichts importiert. Vorhandene Felder: ${names || 'keine'}${more}. Bitte wählen Sie eines davon oder prüfen Sie die Datei.`,
  );
}

/** Returns the column that the merchant wants as key; null: none wanted; undefined: the import proposes one. */
export function wishedKey(run: ImportRun): string | null | undefined {
  const { options, key } = run.request;
  return options.key === undefined ? key : options.key;
}

/** Warns when a key was wanted but no column qualifies: names the nearest columns and what they lack. */
export function warnAboutKey(run: ImportRun, outcome: SnapshotOutcome): void {
  if (outcome.key !== null || wishedKey(run) === null || outcome.accepted === 0) return;
  const rows = run.staging.rows || outcome.accepted;
  const near = outcome.candidates
    .filter((entry) => entry.filled > 0)
    .map((entry) => {
      const missing = rows - entry.filled;
      const doubled = entry.filled - entry.distinct;
      const flaws = [missing > 0 ? `${missing} leer` : '', doubled > 0 ? `${doubled} doppelt` : ''].filter(Boolean);
      return `„${entry.field}“ (${flaws.join(', ') || 'eindeutig'})`;
    });
  run.warnings.once(
    'no_key',
    `Keine Spalte ist vollständig und eindeutig, deshalb sind die Artikel nach ihrer Zeile nummeriert. ${near.length > 0 ? `Am nächsten kommen: ${near.join(', ')}. ` : ''}Bitte wählen Sie ein Schlüsselfeld, damit Änderungen erkannt werden.`,
  );
}
