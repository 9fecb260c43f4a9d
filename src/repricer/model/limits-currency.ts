import type { Account } from '#marketplaces/accounts/accounts.ts';

/** Fields name no currency: they are in the one that all accounts of the catalogue sell in, where there are several in euro. */
export function currencyOfLimits(
  accounts: readonly Pick<Account, 'masterid' | 'currency'>[],
  masterid: string,
): string {
  const currencies = new Set(accounts.flatMap((account) => (account.masterid === masterid ? [account.currency] : [])));
  const [only = 'EUR'] = currencies;
  return currencies.size > 1 ? 'EUR' : only;
}
