import { expect, it } from 'vitest';
import { currencyOf } from './currency-context.ts';

it('a catalogue has the one currency of its marketplaces, euro before the first, none where they differ', () => {
  expect([currencyOf([]), currencyOf(['PLN', 'PLN']), currencyOf(['EUR', 'SEK'])]).toEqual(['EUR', 'PLN', '']);
});
