import { expect, it } from 'vitest';
import { currencyOf } from './currency-context.ts';

it('a catalogue has the currency of its marketplaces: euro if it has none, empty if they differ', () => {
  expect([currencyOf([]), currencyOf(['PLN', 'PLN']), currencyOf(['EUR', 'SEK'])]).toEqual(['EUR', 'PLN', '']);
});
