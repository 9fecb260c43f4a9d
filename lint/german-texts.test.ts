import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/** Nouns that stand behind a count in a sentence. */
const nouns =
  'Zeichen|Artikeln?|Zeilen|Einträgen?|Bytes|Spalten|Zellen|Feldern?|Werten?|Regeln|Preisen?|Angeboten?|Bestellungen|Dateien|Bildern?|Datensätzen?|Kategorien|Aktionen|Bedingungen|Änderungen|Mal';
const counted = new RegExp(
  `\\$\\{([^{}]*(?:\\{[^{}]*\\}[^{}]*)*)\\}(?:\\\\u00a0| )(?:(?:andere|eigene|ganze|leere|neue|weitere)n? )?(?:${nouns})\\b`,
  'g',
);

/** What writes a number as Germans do, or is a text already. */
const german =
  /format(?:Integer|Count|Decimal)\(|(?:integerText|countText|countWord|itemsWord|onItems|inGerman|number)\(|german\.format\(|integer\.format\(|count\.format\(|toLocaleString\('de-DE'/;

/** Texts by the time they get here: a limit that a template spells itself, a text of the form. */
const texts = new Set(['detail', "first?.value ?? ''", 'length', 'limitText']);

it('GEN-01 a count in a sentence has its thousands points, on every screen and in every message', () => {
  const bare = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts'] })
    .toSorted()
    .flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(counted)].flatMap(([whole, expression = '']) =>
        german.test(expression) || texts.has(expression) ? [] : [`${file}: ${whole}`],
      ),
    );
  expect(bare, 'Write counts with integerText (server, shared) or formatInteger (pages).').toEqual([]);
});

/** Read or written for machines: what merchants, feeds and channels call a price is taken and given in many spellings. */
const spellings = /^src\/(?:engine|feed\/(?:import|stages|suggestions)|marketplaces|repricer\/(?:gate|model))\//;
/** The one formatter, by itself or as `money` with its currency, words made with it, shares, and the choices of the wire ('0.29'). */
const formatted = /moneyText\(|\bmoney\(|formatPercent\(|changeOf\(|padStart\(2/;
const barePrices: readonly RegExp[] = [
  /[\d}](?: |\\u00a0|\u00a0)?€/g,
  /\}(?: |\\u00a0)EUR\b/g,
  /style: 'currency'/g,
  /minimumFractionDigits: 2/g,
  /\$\{[^{}]*(?:cents\b|Cents\b|\/ 100\b)[^{}]*\}/g,
  />\s*\{[^{}]*(?:cents\b|Cents\b|\/ 100\b)[^{}]*\}\s*</g,
];
/** Without comments, which no user sees. */
const codeOf = (text: string) => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '');

it('GEN-01 money is written by one formatter, on every screen and in every message', () => {
  const bare = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts'] })
    .filter((file) => file !== 'src/shared/values/money-text.ts' && !spellings.test(file))
    .toSorted()
    .flatMap((file) => {
      const code = codeOf(readFileSync(`${root}/${file}`, 'utf8'));
      return barePrices
        .flatMap((price) => [...code.matchAll(price)].map(([whole]) => whole))
        .filter((whole) => !formatted.test(whole))
        .map((whole) => `${file}: ${whole}`);
    });
  expect(bare, 'Write money with moneyText.').toEqual([]);
});
