import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/** Nouns that follow a count in a sentence. */
const nouns =
  'Zeichen|Artikeln?|Zeilen|Einträgen?|Bytes|Spalten|Zellen|Feldern?|Werten?|Regeln|Preisen?|Angeboten?|Bestellungen|Dateien|Bildern?|Datensätzen?|Kategorien|Aktionen|Bedingungen|Änderungen|Mal';
const counted = new RegExp(
  `\\$\\{([^{}]*(?:\\{[^{}]*\\}[^{}]*)*)\\}(?:\\\\u00a0| )(?:(?:andere|eigene|ganze|leere|neue|weitere)n? )?(?:${nouns})\\b`,
  'g',
);

/** Expressions that format a number in German, or are a text already. */
const german =
  /format(?:Integer|Count|Decimal)\(|(?:integerText|countText|countWord|itemsWord|onItems|inGerman|number)\(|german\.format\(|integer\.format\(|count\.format\(|toLocaleString\('de-DE'/;

/** Expressions that are formatted texts by then: a limit that a template spells itself, or a text of the form. */
const texts = new Set(['detail', "first?.value ?? ''", 'length', 'limitText']);

it('GEN-01 counts in sentences are formatted with thousands separators, on every screen and in every message', () => {
  const bare = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts'] })
    .toSorted()
    .flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(counted)].flatMap(([whole, expression = '']) =>
        german.test(expression) || texts.has(expression) ? [] : [`${file}: ${whole}`],
      ),
    );
  expect(bare, 'Write counts with integerText (server, shared) or formatInteger (pages).').toEqual([]);
});

/** Files that read or write prices for machines: merchants, feeds and channels spell them in many ways. */
const spellings = /^src\/(?:engine|feed\/(?:import|stages|suggestions)|marketplaces|repricer\/(?:gate|model))\//;
/** The one formatter, alone or as `money` with its currency, words made with it, percentages, and values of the wire ('0.29'). */
const formatted = /moneyText\(|\bmoney\(|formatPercent\(|changeOf\(|padStart\(2/;
const barePrices: readonly RegExp[] = [
  /[\d}](?: |\\u00a0|\u00a0)?€/g,
  /\}(?: |\\u00a0)EUR\b/g,
  /style: 'currency'/g,
  /minimumFractionDigits: 2/g,
  /\$\{[^{}]*(?:cents\b|Cents\b|\/ 100\b)[^{}]*\}/g,
  />\s*\{[^{}]*(?:cents\b|Cents\b|\/ 100\b)[^{}]*\}\s*</g,
];
/** Returns code without comments, which no user sees. */
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
