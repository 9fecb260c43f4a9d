import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { importContent } from '#feed/import/reader/import-fixture.ts';

const table = (texts: readonly string[]) =>
  `sku;name\r\n${texts.map((text, index) => `${index};${text}\r\n`).join('')}`;

async function readBack(texts: readonly string[], encoding: string): Promise<string[]> {
  const { rows } = await importContent(iconv.encode(table(texts), encoding));
  return rows.map((row) => row[1] ?? '');
}

const prices = Array.from({ length: 100 }, (_, index) => `${index},90€`);

describe("detection of a file's encoding", () => {
  test.each([
    ['™ after capitals', ['Jacke GORE-TEX™ rot', 'Hose GORE-TEX™', 'Schuh GORE-TEX™']],
    ['German quotation marks', ['Messer „Classic“ rot', 'Messer „Profi“ blau', 'Gabel „basic“']],
    ['English quotation marks', ['Knife “Classic” red', 'Knife “pro” blue', 'Fork “Basic”']],
    ['ellipses after words', ['Mehr lesen…', 'Noch mehr…', 'Und dann…', 'so…']],
    ['bullets before words', ['•Baumwolle •Leinen', '•weich •warm', '•rot']],
    ['bullets after words', ['weich• warm•', 'rot• blau•', 'gross• klein•']],
    ['German single quotation marks', ['Messer ‚Classic‘', 'Messer ‚profi‘', 'Gabel ‚basic‘', 'Topf ‚maxi‘']],
    ['single angle quotation marks', ['Messer ›classic‹', 'Messer ‹profi›', 'Gabel ›basic‹', 'Topf ‹maxi›']],
    ['dashes after words', ['Voll– und Teilzeit', 'Ein– und Ausbau', 'Hin– und her', 'Vor– und nach']],
    ['™ after small letters', ['Teflon™', 'Gore-Tex™', 'Velcro™', 'Lycra™', 'Nylon™ rot']],
    ['apostrophes', ['Men’s shirt', 'Women’s shirt', 'Kids’ cap', 'doesn’t fade', 'l’huile']],
    ['prices in euro', prices],
  ])('recognises Windows-1252 despite signs that older encodings read as letters: %s', async (_, texts) => {
    expect(await readBack(texts, 'windows-1252')).toEqual(texts);
  });

  test.each(['cp850', 'macintosh'])(
    'recognises %s by its umlauts, also at the edges of words and in capitals',
    async (old) => {
      for (const texts of [
        ['Ölfilter', 'Äpfel', 'Übergrösse', 'äussere'],
        ['GRÖSSE', 'KÜHLSCHRANK', 'ÖLFILTER', 'MENÜ'],
        ['weiß', 'Maß', 'STRAßE', 'Größe'],
        ['Crème brûlée', 'à la façon', 'forêt'],
        ['Città', 'Qualità', 'Caffè', 'Perù', 'più'],
        ['à la carte', 'Beauté', 'Qualité', 'Été', 'Café au lait'],
        ['Café', 'Santé', 'Beauté', 'Qualité'],
      ])
        expect(await readBack(texts, old)).toEqual(texts);
    },
  );

  test('recognises MacRoman by umlauts next to quoted names', async () => {
    const texts = ['Messer „Classic“ für Öl', 'Messer „Profi“ grün', 'Gabel „Basic“'];
    expect(await readBack(texts, 'macintosh')).toEqual(texts);
  });
});
