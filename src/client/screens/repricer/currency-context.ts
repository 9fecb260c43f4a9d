import { createContext, use } from 'react';
import { moneyText } from '#shared/values/money-text.ts';

/** The currency of a catalogue; '' if its marketplaces have several. */
export const CurrencyContext = createContext('EUR');

/** Formats prices of no particular marketplace in the catalogue's currency; without a sign if there are several. */
export function useCatalogueMoney(): (cents: number) => string {
  const currency = use(CurrencyContext);
  return (cents) => moneyText(cents, currency).trimEnd();
}

/** Returns the common currency; euro if there is none yet, '' if there are several. */
export function currencyOf(currencies: readonly string[]): string {
  const [first = 'EUR', ...others] = new Set(currencies);
  return others.length === 0 ? first : '';
}
