import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { type Account, listAccounts } from '#marketplaces/accounts/accounts.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { unprocessable } from '#platform/errors.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';

type Reported = { item: string; marketplace: string; account: string; sku: string; currency: string };

/**
 * Checks that these offers can be priced as reported: each by an account of this catalogue, in that account's marketplace and
 * currency, and each article and each sku once. @throws 422 with the first invalid offer
 */
export async function requireSellable(trx: Trx, ref: CatalogueRef, offers: readonly Reported[]): Promise<void> {
  const accounts = await listAccounts(trx, ref.company);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  for (const [at, offer] of offers.entries()) requireFitting(ref, byId.get(offer.account), offer, at);
  requireOnce(
    offers.map(({ marketplace, item }) => [marketplace, item]),
    'listing_twice',
    'Ein Artikel kommt für denselben Marktplatz mehrmals vor. Es wurde nichts gespeichert. Bitte melden Sie je Artikel und Marktplatz ein Angebot.',
    'item',
  );
  requireOnce(
    offers.map(({ account, sku }) => [account, sku]),
    'sku_twice',
    'Eine SKU kommt mehrmals vor. Zwei Artikel mit derselben SKU würden einander den Preis ändern, jeder in seinen eigenen Grenzen. Es wurde nichts gespeichert. Bitte nennen Sie jede SKU nur bei dem Artikel, der sie hat.',
    'sku',
  );
  await requireFree(trx, ref, accounts, offers);
}

function requireFitting(
  { masterid }: CatalogueRef,
  account: Account | undefined,
  { marketplace, currency }: Reported,
  at: number,
): void {
  const refuse = (code: string, field: string, what: string, message: string) =>
    unprocessable(code, `${what} Es wurde nichts gespeichert.`, [{ field: `${at}.${field}`, message }]);
  if (account === undefined)
    throw refuse('no_account', 'account', 'Dieses Konto beim Marktplatz gibt es nicht.', 'Unbekanntes Konto');
  if (account.masterid !== masterid)
    throw refuse(
      'account_elsewhere',
      'account',
      `Das Konto „${account.name}“ gehört zu einem anderen Katalog; von hier aus würde es weder nach Angeboten fragen noch Preise senden.`,
      'Konto eines anderen Katalogs',
    );
  if (account.marketplace !== marketplace)
    throw refuse(
      'other_marketplace',
      'marketplace',
      `Das Konto „${account.name}“ verkauft auf einem anderen Marktplatz (${account.marketplace}); dorthin ginge der Preis.`,
      'Nicht der Marktplatz des Kontos',
    );
  if (account.currency !== currency)
    throw refuse(
      'other_currency',
      'currency',
      `Das Konto „${account.name}“ verkauft in ${account.currency}, das Angebot nennt ${currency}.`,
      `Nicht ${account.currency}`,
    );
}

/** Refuses a repeated key: it is unknown which of the two is meant. */
function requireOnce(keys: readonly (readonly string[])[], code: string, message: string, field: string): void {
  const seen = new Set<string>();
  for (const [at, parts] of keys.entries()) {
    const key = JSON.stringify(parts);
    if (seen.has(key))
      throw unprocessable(code, message, [{ field: `${at}.${field}`, message: 'Kommt weiter oben schon vor' }]);
    seen.add(key);
  }
}

/**
 * Refuses a sku that another catalogue sells under the same seller: it is priced within that catalogue's limits. One already
 * stored so may stay.
 */
async function requireFree(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  accounts: readonly Account[],
  offers: readonly Reported[],
): Promise<void> {
  const shopOf = ({ sellerId, marketplace }: Account) => `${sellerKey(sellerId)}\n${marketplace}`;
  const shops = new Map(accounts.map((account) => [account.id, shopOf(account)]));
  const here = new Set(offers.map(({ account }) => shops.get(account)));
  const elsewhere = accounts.filter((account) => account.masterid !== masterid && here.has(shopOf(account)));
  if (elsewhere.length === 0) return;
  const skus = anyOf([...new Set(offers.map(({ sku }) => sku))]);
  const stored = await trx
    .selectFrom('listings')
    .select(['master', 'account', 'item', 'sku'])
    .where('company', '=', company)
    .where('sku', '=', skus)
    .where('account', '=', anyOf([...new Set(offers.map(({ account }) => account)), ...elsewhere.map(({ id }) => id)]))
    .execute();
  const keyOf = (account: string, sku: string) => `${shops.get(account) ?? ''}\n${sku}`;
  const taken = new Set(stored.filter(({ master }) => master !== masterid).map((one) => keyOf(one.account, one.sku)));
  const known = new Set(
    stored.filter(({ master }) => master === masterid).map((one) => `${one.account}\n${one.sku}\n${one.item}`),
  );
  const wrong = offers.findIndex(
    ({ account, sku, item }) => taken.has(keyOf(account, sku)) && !known.has(`${account}\n${sku}\n${item}`),
  );
  if (wrong < 0) return;
  throw unprocessable(
    'sku_elsewhere',
    `Die SKU „${offers[wrong]?.sku ?? ''}“ desselben Verkäufers hat schon ein Artikel eines anderen Katalogs. Beide Kataloge würden einander den Preis ändern, jeder in seinen eigenen Grenzen. Es wurde nichts gespeichert.`,
    [{ field: `${wrong}.sku`, message: 'Gehört zu einem anderen Katalog' }],
  );
}
