import { sql } from 'kysely';
import { z } from 'zod';
import type { Vault } from '#platform/crypto.ts';
import type { Trx } from '#platform/db.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import { keepSecret, readSecret } from '#platform/secrets.ts';
import type { MarketplaceAccount, MarketplaceAccountSave } from '#shared/marketplace-accounts.ts';
import { accountSecret, findAccount, saveAccount, type Account } from './accounts.ts';

/** The part of an account's settings that people fill in; what else stands there is the connector's own. */
const Kept = z.object({
  clientId: z.string().default(''),
  apiUrl: z.string().default(''),
  tokenUrl: z.string().default(''),
});
const Secrets = z.object({ clientSecret: z.string().default(''), refreshToken: z.string().default('') });
type Secrets = z.infer<typeof Secrets>;

async function secretsOf(trx: Trx, vault: Vault, { company, id }: { company: string; id: string }): Promise<Secrets> {
  return Secrets.parse(JSON.parse((await readSecret(trx, vault, accountSecret(company, id))) ?? '{}'));
}

/** An account as people see it: that secrets are set, never what they are. */
export async function shownAccount(trx: Trx, vault: Vault, account: Account): Promise<MarketplaceAccount> {
  const { id, connector, name, masterid, marketplace, sellerId, currency, active, settings } = account;
  const secrets = await secretsOf(trx, vault, account);
  return {
    id,
    connector,
    name,
    masterid,
    marketplace,
    sellerId,
    currency,
    active,
    ...Kept.parse(JSON.parse(settings)),
    clientSecretSet: secrets.clientSecret !== '',
    refreshTokenSet: secrets.refreshToken !== '',
  };
}

/** @throws 404 for an id that the company does not have */
export async function loadAccount(trx: Trx, company: string, id: string): Promise<Account> {
  const account = await findAccount(trx, company, id);
  if (account === undefined) throw notFound('Dieses Konto beim Marktplatz');
  return account;
}

/**
 * Saves an account and its secrets. `stamp`: anything new; it makes connectors forget what they know of the account. Kept secrets go
 * to no other address than they were given for: with a changed one they are to be given again.
 */
export async function keepAccount(
  trx: Trx,
  vault: Vault,
  account: Account,
  sent: MarketplaceAccountSave,
  stamp: string,
): Promise<void> {
  const before = Kept.parse(JSON.parse(account.settings));
  const kept = await secretsOf(trx, vault, account);
  const { clientId, apiUrl, tokenUrl, name, sellerId, active } = sent;
  const moved = before.apiUrl !== apiUrl || before.tokenUrl !== tokenUrl;
  const missing = (['clientSecret', 'refreshToken'] as const).filter((one) => kept[one] !== '' && sent[one] === '');
  if (moved && missing.length > 0)
    throw unprocessable(
      'secrets_again',
      'Die Adresse hat sich geändert. Bitte Client-Geheimnis und Refresh-Token neu eingeben; es wurde nichts gespeichert.',
      missing.map((field) => ({ field, message: 'Bitte neu eingeben' })),
    );
  const secrets: Secrets = {
    clientSecret: sent.clientSecret === '' ? kept.clientSecret : sent.clientSecret,
    refreshToken: sent.refreshToken === '' ? kept.refreshToken : sent.refreshToken,
  };
  if (active && account.connector !== 'sandbox') requireComplete({ clientId, ...secrets });
  const settings = JSON.stringify({ clientId, apiUrl, tokenUrl, stamp });
  await saveAccount(trx, { ...account, name, sellerId, active, settings });
  await keepSecret(trx, vault, accountSecret(account.company, account.id), JSON.stringify(secrets));
}

function requireComplete(given: Record<'clientId' | 'clientSecret' | 'refreshToken', string>): void {
  const empty = Object.entries(given).filter(([, text]) => text === '');
  if (empty.length === 0) return;
  throw unprocessable(
    'account_incomplete',
    'Aktiv kann das Konto erst sein, wenn alle Zugangsdaten eingetragen sind. Es wurde nichts gespeichert.',
    empty.map(([field]) => ({ field, message: 'Fehlt noch' })),
  );
}

export async function removeAccount(trx: Trx, { company, id }: Account): Promise<void> {
  await sql`delete from secrets where company = ${company} and place = ${accountSecret(company, id).place}`.execute(
    trx,
  );
  await sql`delete from marketplace_accounts where company = ${company} and id = ${id}`.execute(trx);
}
