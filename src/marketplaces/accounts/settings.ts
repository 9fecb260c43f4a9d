import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { saveSecret, readSecret, removeSecret, enterAgain } from '#platform/crypto/credentials.ts';
import type { ConnectorKind } from '#marketplaces/connector-kind.ts';
import type { MarketplaceAccount, MarketplaceAccountSave } from '#shared/marketplace-accounts/schema.ts';
import {
  formFields,
  readForm,
  receiverOf,
  storedTexts,
  wrongFields,
  type FormField,
  type Texts,
} from './account-form.ts';
import { accountSecret, findAccount, saveAccount, type Account } from './accounts.ts';

const secretsOf = async (trx: Trx, vault: Vault, kind: ConnectorKind, { company, id, settings }: Account) =>
  storedTexts(
    await readSecret(trx, vault, accountSecret(company, id), { receiver: receiverOf(kind, storedTexts(settings)) }),
  );

/** Returns an account as the user sees it, without mailbox and orders: which secrets are set, never their values. */
export async function shownAccount(
  trx: Trx,
  vault: Vault,
  kind: ConnectorKind | undefined,
  account: Account,
): Promise<Omit<MarketplaceAccount, 'mailbox' | 'openOrders'>> {
  const { id, connector, name, masterid, marketplace, sellerId, currency, active } = account;
  const stored = storedTexts(account.settings);
  const secrets = kind === undefined ? {} : await secretsOf(trx, vault, kind, account);
  const fields = kind === undefined ? [] : formFields(kind);
  return {
    id,
    connector,
    name,
    masterid,
    marketplace,
    sellerId,
    currency,
    active,
    settings: Object.fromEntries(fields.filter(({ secret }) => !secret).map((one) => [one.id, stored[one.id] ?? ''])),
    secretsSet: fields.filter((one) => one.secret && (secrets[one.id] ?? '') !== '').map((one) => one.id),
  };
}

/** Returns an account of the company. @throws 404 for an id that the company does not have */
export async function loadAccount(trx: Trx, company: string, id: string): Promise<Account> {
  const account = await findAccount(trx, company, id);
  if (account === undefined) throw notFound('Dieses Konto beim Marktplatz');
  return account;
}

/** The same, and locks the account until the transaction ends: what is deleted meanwhile must not come back by a save. */
export async function holdAccount(trx: Trx, company: string, id: string): Promise<Account> {
  await trx
    .selectFrom('marketplace_accounts')
    .select('id')
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .execute();
  return loadAccount(trx, company, id);
}

/**
 * Saves an account and its secrets. `stamp` is a new value, so that connectors drop what they cached of the account. Stored
 * secrets are only ever sent to the addresses they were given for: if an address changes, its secrets must be entered again.
 */
export async function saveAccountForm(
  trx: Trx,
  vault: Vault,
  { kind, account, stamp }: { kind: ConnectorKind | undefined; account: Account; stamp: string },
  { name, sellerId, active, settings }: MarketplaceAccountSave,
): Promise<void> {
  const stored = storedTexts(account.settings);
  const changed = { ...account, name, sellerId, active };
  // A connector that the program does not know (any more) has no form; its stored settings stay unchanged.
  if (kind === undefined) return saveAccount(trx, { ...changed, settings: JSON.stringify({ ...stored, stamp }) });
  const fields = formFields(kind);
  const sent = readForm(kind, settings);
  const storedSecrets = await secretsOf(trx, vault, kind, account);
  requireAgain(fields, { stored, kept: storedSecrets, sent });
  const texts = Object.fromEntries(fields.map((field) => [field.id, textToStore(field, sent, storedSecrets)] as const));
  if (active) requireComplete(fields, texts);
  const [secret, plain] = [true, false].map((isSecret) =>
    Object.fromEntries(fields.filter((field) => field.secret === isSecret).map(({ id }) => [id, texts[id]])),
  );
  await saveAccount(trx, { ...changed, settings: JSON.stringify({ ...plain, stamp }) });
  const ref = accountSecret(account.company, account.id);
  await saveSecret(trx, vault, { ...ref, receiver: receiverOf(kind, sent) }, JSON.stringify(secret));
}

const inUse = ({ partOf }: FormField, texts: Texts): boolean => partOf === undefined || (texts[partOf] ?? '') !== '';

/** Returns the text to store: an empty secret keeps the stored one, and a secret whose address was removed is dropped. */
function textToStore(field: FormField, sent: Texts, storedSecrets: Texts): string {
  const text = sent[field.id] ?? '';
  if (!field.secret || text !== '') return field.secret && !inUse(field, sent) ? '' : text;
  return inUse(field, sent) ? (storedSecrets[field.id] ?? '') : '';
}

/**
 * Refuses a form whose address changed but whose secret was not entered again: each secret belongs to the addresses it was given
 * for.
 */
function requireAgain(fields: readonly FormField[], { stored, kept, sent }: Record<'stored' | 'kept' | 'sent', Texts>) {
  const addressChanged = (address: string) => (stored[address] ?? '') !== (sent[address] ?? '');
  const missing = fields.filter(
    (field) =>
      (kept[field.id] ?? '') !== '' &&
      (sent[field.id] ?? '') === '' &&
      inUse(field, sent) &&
      field.boundTo?.some(addressChanged) === true,
  );
  if (missing.length === 0) return;
  throw enterAgain(missing.map(({ id }) => `settings.${id}`));
}

function requireComplete(fields: readonly FormField[], texts: Texts): void {
  const empty = fields.filter((field) => field.required === true && texts[field.id] === '' && inUse(field, texts));
  if (empty.length === 0) return;
  throw wrongFields(
    'account_incomplete',
    'Aktiv kann das Konto erst sein, wenn alle Zugangsdaten eingetragen sind.',
    empty.map(({ id }) => ({ id, message: 'Fehlt noch' })),
  );
}

export async function removeAccount(trx: Trx, { company, id }: Account): Promise<void> {
  await removeSecret(trx, accountSecret(company, id));
  await trx.deleteFrom('marketplace_accounts').where('company', '=', company).where('id', '=', id).execute();
}
