import { createContext, use } from 'react';
import { moneyText } from '#shared/values/money-text.ts';

/** The currency that a catalogue is sold in; '' where its marketplaces have several. */
export const CurrencyContext = createContext('EUR');

/** Prices that belong to no single marketplace, in the catalogue's currency; without a sign where there are several. */
export function useCatalogueMoney(): (cents: number) => string {
  const currency = use(CurrencyContext);
  return (cents) => moneyText(cents, currency).trimEnd();
}

/** The one currency of these; euro where there is none yet, '' where there are several. */
export function currencyOf(currencies: readonly string[]): string {
  const [first = 'EUR', ...others] = new Set(currencies);
  return others.length === 0 ? first : '';
}
