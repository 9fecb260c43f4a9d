import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import { keepSecret, readSecret } from '#platform/crypto/credentials.ts';
import type { MarketplaceAccount, MarketplaceAccountSave } from '#shared/marketplace-accounts/schema.ts';
import { accountSecret, findAccount, saveAccount, type Account } from './accounts.ts';

/** The part of an account's settings that people fill in; what else stands there is the connector's own. */
const StoredSettings = z.object({
  clientId: z.string().default(''),
  apiUrl: z.string().default(''),
  tokenUrl: z.string().default(''),
  queueUrl: z.string().default(''),
  queueKeyId: z.string().default(''),
});
const Secrets = z.object({
  clientSecret: z.string().default(''),
  refreshToken: z.string().default(''),
  queueSecret: z.string().default(''),
});
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
    ...StoredSettings.parse(JSON.parse(settings)),
    clientSecretSet: secrets.clientSecret !== '',
    refreshTokenSet: secrets.refreshToken !== '',
    queueSecretSet: secrets.queueSecret !== '',
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
  const before = StoredSettings.parse(JSON.parse(account.settings));
  const kept = await secretsOf(trx, vault, account);
  const { clientId, apiUrl, tokenUrl, queueUrl, queueKeyId, name, sellerId, active } = sent;
  requireAgain(before, kept, sent);
  const secrets: Secrets = {
    clientSecret: sent.clientSecret === '' ? kept.clientSecret : sent.clientSecret,
    refreshToken: sent.refreshToken === '' ? kept.refreshToken : sent.refreshToken,
    // Without a queue there is nothing that its key could open.
    queueSecret: queueUrl === '' ? '' : sent.queueSecret === '' ? kept.queueSecret : sent.queueSecret,
  };
  const { queueSecret, ...login } = secrets;
  if (active && account.connector !== 'sandbox')
    requireComplete({ clientId, ...login, ...(queueUrl === '' ? {} : { queueKeyId, queueSecret }) });
  const settings = JSON.stringify({ clientId, apiUrl, tokenUrl, queueUrl, queueKeyId, stamp });
  await saveAccount(trx, { ...account, name, sellerId, active, settings });
  await keepSecret(trx, vault, accountSecret(account.company, account.id), JSON.stringify(secrets));
}

/** Each secret belongs to the addresses it was given for. */
function requireAgain(before: z.infer<typeof StoredSettings>, kept: Secrets, sent: MarketplaceAccountSave): void {
  const moved = before.apiUrl !== sent.apiUrl || before.tokenUrl !== sent.tokenUrl;
  const queueMoved = sent.queueUrl !== '' && before.queueUrl !== sent.queueUrl;
  const concerned = [
    ...(moved ? (['clientSecret', 'refreshToken'] as const) : []),
    ...(queueMoved ? (['queueSecret'] as const) : []),
  ];
  const missing = concerned.filter((one) => kept[one] !== '' && sent[one] === '');
  if (missing.length === 0) return;
  throw unprocessable(
    'secrets_again',
    'Eine Adresse hat sich geändert. Bitte geben Sie die zugehörigen Geheimnisse neu ein; es wurde nichts gespeichert.',
    missing.map((field) => ({ field, message: 'Bitte neu eingeben' })),
  );
}

function requireComplete(given: Readonly<Record<string, string>>): void {
  const empty = Object.entries(given).filter(([, text]) => text === '');
  if (empty.length === 0) return;
  throw unprocessable(
    'account_incomplete',
    'Aktiv kann das Konto erst sein, wenn alle Zugangsdaten eingetragen sind. Es wurde nichts gespeichert.',
    empty.map(([field]) => ({ field, message: 'Fehlt noch' })),
  );
}

export async function removeAccount(trx: Trx, { company, id }: Account): Promise<void> {
  await pg`delete from secrets where company = ${company} and place = ${accountSecret(company, id).place}`.execute(trx);
  await pg`delete from marketplace_accounts where company = ${company} and id = ${id}`.execute(trx);
}
