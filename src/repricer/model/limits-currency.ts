import type { Account } from '#marketplaces/accounts/accounts.ts';

/**
 * Returns the currency of limits, which fields do not name: that of all accounts of the catalogue; EUR if they sell in several.
 */
export function currencyOfLimits(
  accounts: readonly Pick<Account, 'masterid' | 'currency'>[],
  masterid: string,
): string {
  const currencies = new Set(accounts.flatMap((account) => (account.masterid === masterid ? [account.currency] : [])));
  const [only = 'EUR'] = currencies;
  return currencies.size > 1 ? 'EUR' : only;
}
