import { describe, expect, test } from 'vitest';
import { ChannelField } from '#shared/channels/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import { processorMs } from '../../../test/stages/processor-time.ts';
import { SourceFinder, type Earlier, type Source } from './sources.ts';
import { hasCheckDigit, holdsMarkup, shareFitting } from './value-shapes.ts';

const part = (value: string): SourcePart => ({ type: '_field', value, caption: value });
const source = (name: string, values: string[] = [], more: Partial<Source> = {}): Source => ({
  part: part(name),
  names: [name],
  coverage: 1,
  isKey: false,
  made: false,
  values,
  ...more,
});
const field = (name: string, more: Record<string, unknown> = {}) =>
  ChannelField.parse({ name, title: name, group: 'g', requirement: 'Required', ...more });
const title = field('title', { title: 'Titel', sources: ['Artikelname', 'name', 'Kurzbezeichnung'] });
const price = field('price', { title: 'Preis', type: 'price', sources: ['VK brutto'] });
const image = field('image_link', { title: 'Hauptbild', type: 'image', sources: ['Bild', 'Bild 1', 'image'] });
const images = field('additional_image_link', {
  title: 'Weitere Bilder',
  type: 'image',
  sources: ['Bilder', 'images'],
  many: { most: 3, repeat: true },
});
const gtin = field('gtin', { title: 'GTIN', type: 'gtin', sources: ['EAN'] });
const fields = [title, price, image, images, gtin];

const suggest = (wanted: ChannelField | string, sources: Source[], earlier: Earlier[] = []) => {
  const name = typeof wanted === 'string' ? wanted : wanted.name;
  const finder = new SourceFinder(sources, fields, typeof wanted === 'string' ? [wanted] : [], earlier);
  return finder.suggest({ name, field: typeof wanted === 'string' ? undefined : wanted });
};
const best = (...args: Parameters<typeof suggest>) => {
  const [first] = suggest(...args);
  return first === undefined ? null : [first.part.value, first.reason];
};
const pictures = ['https://x.de/1.jpg', 'https://x.de/2.jpg', 'https://x.de/3.jpg'];

describe('CON-01 sources for fields of a template', () => {
  test("match by the field's name, title and usual names in any spelling", () => {
    expect(best(title, [source('TITLE')])).toEqual(['TITLE', 'heißt wie „title“']);
    expect(best(title, [source('g:title')])).toEqual(['g:title', 'heißt wie „title“']);
    expect(best(title, [source('artikel_name')])).toEqual(['artikel_name', 'üblicher Name: „Artikelname“']);
    expect(best(title, [source('Kurzbez.')])).toEqual(['Kurzbez.', 'Abkürzung von „Kurzbezeichnung“']);
    expect(best(price, [source('Preis (EUR)', ['1,00'])])?.[0]).toBe('Preis (EUR)');
    expect(best(title, [source('Gewicht'), source('Farbe')])).toBeNull();
  });

  test('a column named like another field is not suggested for this one', () => {
    expect(best(title, [source('manufacturerName')])).toBeNull();
    expect(best(image, [source('images', pictures), source('image', pictures)])?.[0]).toBe('image');
    expect(best(images, [source('image', pictures)])).toBeNull();
    expect(best(price, [source('priceQuantity', ['1', '1'])])).toBeNull();
  });

  test('values count too: prices, pictures and check digits', () => {
    expect(best(price, [source('Preis', ['rot', 'blau'])])).toBeNull();
    expect(best(price, [source('Preis', ['12,50 €', '1.299,00 €'])])).toEqual([
      'Preis',
      'heißt wie „Preis“; die Werte sind Preise',
    ]);
    const codes = ['4006381333931', '4012345678901', '9783161484100'];
    expect(best(gtin, [source('code', codes)])).toEqual(['code', 'die Prüfziffern stimmen']);
    expect(best(gtin, [source('code', ['1', '2', '3'])])).toBeNull();
    expect(best(image, [source('asset', pictures)])).toEqual(['asset', 'die Werte sind Bildadressen']);
  });

  test('a column that few items have is less certain, and an empty one is not suggested', () => {
    const sure = (coverage: number) => suggest(title, [source('title', [], { coverage })])[0]?.confidence ?? 0;
    expect(sure(1)).toBeGreaterThan(sure(0.1));
    expect(sure(0)).toBe(0);
  });

  test('the key of the catalogue is suggested for a field that identifies items', () => {
    const id = field('id', { unique: true, sources: ['Artikelnummer'] });
    const finder = new SourceFinder([source('nummer_intern', ['1', '2'], { isKey: true })], [id], [], []);
    expect(finder.suggest({ name: 'id', field: id })[0]?.reason).toBe('Schlüsselfeld des Katalogs');
  });

  test('a list gets the numbered columns, as many as the channel accepts', () => {
    const numbered = [1, 2, 3, 4, 5].map((number) => source(`Bild ${number}`, pictures));
    expect(suggest(images, numbered).map((one) => one.part.value)).toEqual(['Bild 2', 'Bild 3', 'Bild 4']);
    expect(suggest(image, numbered).map((one) => one.part.value)).toEqual(['Bild 1']);
  });

  test("the company's earlier choice for the same field comes first, fixed texts too", () => {
    const sources = [source('titel_lang'), source('title')];
    const earlier = [{ name: 'Title', part: part('titel_lang'), where: 'idealo', near: true }];
    expect(best(title, sources, earlier)).toEqual(['titel_lang', 'so im Export „idealo“']);
    // A field that this catalogue lacks is no source.
    expect(best(title, [source('title')], earlier)).toEqual(['title', 'heißt wie „title“']);
    const fixed = { type: '_string' as const, value: 'new', caption: '' };
    const [found] = suggest('zustand_neu', sources, [{ name: 'zustand_neu', part: fixed, where: 'Otto', near: false }]);
    expect(found).toMatchObject({ part: fixed, coverage: 1, examples: ['new'] });
  });

  test('a field without a template is matched by its own name', () => {
    expect(best('farbe_hersteller', [source('Farbe Hersteller')])).toEqual([
      'Farbe Hersteller',
      'heißt wie „farbe_hersteller“',
    ]);
  });

  test('a suggestion has up to three distinct examples', () => {
    const [found] = suggest(title, [source('title', ['a', 'a', 'b', 'c', 'd'])]);
    expect(found?.examples).toEqual(['a', 'b', 'c']);
  });
});

describe('kinds of values', () => {
  test('GTINs are recognised by length and check digit', () => {
    expect(['4006381333931', '96385074', '036000291452', '00012345600012'].filter(hasCheckDigit)).toHaveLength(4);
    expect(['4006381333930', '0000000000000', '123', 'A006381333931'].filter(hasCheckDigit)).toEqual([]);
  });

  test('values are compared with the channel’s choices and aliases, measures, lengths and dates', () => {
    const values = [{ value: 'new', aliases: ['neu', 'Neuware'] }];
    const choice = field('condition', { type: 'choice', values });
    expect(shareFitting(choice, ['NEW', 'neu', 'gebraucht', 'x'])).toBe(0.5);
    expect(shareFitting(field('n', { type: 'measure' }), ['1,5 kg', '20 cm', '3 Stück', '3'])).toBe(0.75);
    expect(shareFitting(field('t', { maxLength: 5 }), ['kurz', 'viel zu langer Text'])).toBe(0.5);
    expect(shareFitting(field('d', { type: 'date' }), ['2026-01-31', '31.01.2026', 'morgen', 'nie'])).toBe(0.5);
  });

  test('T6: markup is found in long texts of unfinished tags in less than 2 s', async () => {
    const unfinished = '<a'.repeat(100_000);
    expect(await processorMs(() => holdsMarkup([unfinished, unfinished]))).toBeLessThan(2000);
    expect([
      holdsMarkup([unfinished]),
      holdsMarkup([`${unfinished}>`]),
      holdsMarkup(['> 3 <b']),
      holdsMarkup([]),
    ]).toEqual([false, true, false, false]);
  });

  test('T6: long names of columns that repeat a word are compared in less than 2 s', async () => {
    const known = Array.from({ length: 200 }, (_, n) => field(`f${n}`, { sources: [`preis ${n}`, `Preis Nr ${n}`] }));
    const long = Array.from({ length: 60 }, (_, n) => source(`${n} ${'preis '.repeat(500)}`));
    const took = await processorMs(() => new SourceFinder(long, known, [], []));
    expect(took).toBeLessThan(2000);
  });
});
