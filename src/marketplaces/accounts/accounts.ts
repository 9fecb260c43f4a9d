import type { InferResult } from 'kysely';
import type { Database, Trx } from '#platform/db/database.ts';
import { UntilChanged } from '#platform/db/until-changed.ts';
import type { OwnProcess } from '#platform/processes/own-process.ts';
import type { Connector } from '#marketplaces/port.ts';

/** An account through which a master's items are sold: the connector, the marketplace, and our seller id there. */
export type Account = {
  company: string;
  id: string;
  masterid: string;
  connector: string;
  marketplace: string;
  sellerId: string;
  currency: string;
  name: string;
  /** JSON that only the connector reads. The secrets are stored separately, in `secrets` under `account:<id>`. */
  settings: string;
  active: boolean;
};

/** The key of an account's secrets in the vault. They are stored as JSON that only the account's connector reads. */
export const accountSecret = (company: string, id: string) => ({ company, place: `account:${id}` });

/** Opens the connector of an account; undefined: the program has no connector of this name (any more). Provided by main.ts. */
export type OpenConnector = (account: Account) => Promise<Connector | undefined>;

const accountRows = (trx: Trx) =>
  trx
    .selectFrom('marketplace_accounts')
    .select(['company', 'id', 'master', 'connector', 'marketplace', 'seller_id', 'currency', 'name', 'settings'])
    .select('active');
type Row = InferResult<ReturnType<typeof accountRows>>[number];
const toAccount = ({ master, seller_id, ...row }: Row): Account => ({ ...row, masterid: master, sellerId: seller_id });

export type ServingDeps = { database: Database; ownProcess: Pick<OwnProcess, 'takes'> };

/** Returns every active account of all companies. Needs a system transaction. */
export async function activeAccounts(trx: Trx): Promise<Account[]> {
  const rows = await accountRows(trx).where('active', '=', true).orderBy('company').orderBy('id').execute();
  return rows.map(toAccount);
}

/** Cached: a dozen loops request the active accounts all the time, and they hardly ever change. */
const activeNow = new UntilChanged(activeAccounts);

/** Returns every active account that this process is responsible for, since several processes share them. */
export async function accountsToServe({ database, ownProcess }: ServingDeps): Promise<Account[]> {
  const accounts = await activeNow.of(database);
  return accounts.filter(({ company, id }) => ownProcess.takes(`${company}/${id}`));
}

/** Accounts by a key that is unique over all companies. */
export const byKey = (accounts: readonly Account[]): ReadonlyMap<string, Account> =>
  new Map(accounts.map((account) => [`${account.company}/${account.id}`, account]));

/** Returns all accounts of a company. None of its sellers counts as a competitor of another. */
export async function listAccounts(trx: Trx, company: string): Promise<Account[]> {
  const rows = await accountRows(trx).where('company', '=', company).orderBy('created_at').orderBy('id').execute();
  return rows.map(toAccount);
}

/** The account with this id, if the company has it. */
export const findAccount = async (trx: Trx, company: string, id: string): Promise<Account | undefined> =>
  (await listAccounts(trx, company)).find((account) => account.id === id);

/** Whether the account still exists; it then stays until the transaction ends. For work that began before the transaction. */
export async function accountExists(trx: Trx, company: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('marketplace_accounts')
    .select('id')
    .where((eb) => eb.and({ company, id }))
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a company has an active account of any connector other than those in `but`. */
export async function hasActiveAccount(trx: Trx, company: string, but: readonly string[]): Promise<boolean> {
  const active = (await listAccounts(trx, company)).filter((account) => account.active);
  return active.some(({ connector }) => !but.includes(connector));
}

/** Returns the number of our own offers, by account. */
export async function ownOffers(trx: Trx, company: string): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('listings')
    .select((eb) => ['account', eb.fn.countAll<number>().as('n')])
    .where('company', '=', company)
    .groupBy('account')
    .execute();
  return new Map(rows.map(({ account, n }) => [account, n]));
}

export async function saveAccount(trx: Trx, account: Account): Promise<void> {
  const { company, id, masterid, connector, marketplace, sellerId, currency, name, settings, active } = account;
  const row = { master: masterid, connector, marketplace, seller_id: sellerId, currency, name, settings, active };
  await trx
    .insertInto('marketplace_accounts')
    .values({ company, id, ...row })
    .onConflict((conflict) => conflict.columns(['company', 'id']).doUpdateSet(row))
    .execute();
}
