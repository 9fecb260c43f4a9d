import { describe, expect, test } from 'vitest';
import { processorMs } from '../../../../test/stages/processor-time.ts';
import { guessField, SEEN } from './guess.ts';

const address = (index: number) => `https://shop.example/bilder/${index}.jpg`;
const several = (mark: string) => Array.from({ length: 20 }, (_, index) => address(index)).join(mark);

describe("the guessed kind of a field's values", () => {
  test.each(['\n', ';', '; ', ' ', ',', '|'])(
    'ITE-05: several picture addresses separated by %j are guessed as pictures',
    (mark) => {
      expect(guessField('f1', [`${address(1)}${mark}${address(2)}`, address(3)])).toBe('image');
      expect(guessField('f1', [several(mark).slice(0, SEEN)])).toBe('image');
    },
  );

  test('ITE-05: JSON lists of pictures, complete or cut, and addresses with commas are guessed as pictures', () => {
    expect(guessField('f1', [JSON.stringify([address(1)])])).toBe('image');
    for (let more = 0; more < 50; more += 1) {
      const list = [`https://shop.example/${'x'.repeat(more)}.jpg`, ...several('\n').split('\n')];
      expect(guessField('f1', [JSON.stringify(list).slice(0, SEEN)])).toBe('image');
    }
    expect(guessField('f1', ['https://cdn.example/w_100,h_200/1.jpg'])).toBe('image');
    expect(guessField('bilder', ['https://cdn.example/w_100,h_200/1'])).toBe('image');
    expect(guessField('f1', ['["rot","blau"]', 'rot; blau'])).toBe('text');
  });
});

test('prices grouped with non-breaking spaces or apostrophes are guessed as prices', () => {
  expect(guessField('p', ['1\u00a0234,50\u00a0€', '9,90\u00a0€'])).toBe('price');
  expect(guessField('preis', ['1\u202f234,50', '1’234.50'])).toBe('price');
});

test('T6: a long value of blanks is guessed in less than 2 s', async () => {
  const values = [`1${' '.repeat(100_000)}x`];
  expect(await processorMs(() => guessField('Menge', values))).toBeLessThan(2000);
});

test.each(['12 €', '€ 12', '12   EUR', '$12', '12'])('„%s“ is guessed by its mark of money', (value) => {
  expect(guessField('Wert', [value])).toBe(value === '12' ? 'integer' : 'price');
});

test.each(['priceQuantity', 'Preiseinheit', 'Nettogewicht', 'Bruttogewicht (kg)', 'Kostenstelle'])(
  '„%s“ is not guessed as a price unless its values have a mark of money',
  (name) => {
    expect([guessField(name, ['1', '10']), guessField(name, ['1,5', '10']), guessField(name, ['10 €'])]).toEqual([
      'integer',
      'number',
      'price',
    ]);
  },
);
