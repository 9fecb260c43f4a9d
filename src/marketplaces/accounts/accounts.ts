import type { InferResult } from 'kysely';
import type { Database, Trx } from '#platform/db/database.ts';
import { UntilChanged } from '#platform/db/until-changed.ts';
import type { OwnProcess } from '#platform/processes/own-process.ts';
import type { Connector } from '#marketplaces/port.ts';

/** Where a master's items are sold: which connector speaks there, in which marketplace, as which seller. */
export type Account = {
  company: string;
  id: string;
  masterid: string;
  connector: string;
  marketplace: string;
  sellerId: string;
  currency: string;
  name: string;
  /** JSON that only the connector reads; its secrets stand in `secrets` under `account:<id>`. */
  settings: string;
  active: boolean;
};

/** Where an account's secrets are kept, as JSON that only its connector reads. */
export const accountSecret = (company: string, id: string) => ({ company, place: `account:${id}` });

/** Makes the connector of an account; undefined: the program has none of this name (any more). Given by main.ts. */
export type OpenConnector = (account: Account) => Promise<Connector | undefined>;

const accountRows = (trx: Trx) =>
  trx
    .selectFrom('marketplace_accounts')
    .select(['company', 'id', 'master', 'connector', 'marketplace', 'seller_id', 'currency', 'name', 'settings'])
    .select('active');
type Row = InferResult<ReturnType<typeof accountRows>>[number];
const toAccount = ({ master, seller_id, ...row }: Row): Account => ({ ...row, masterid: master, sellerId: seller_id });

export type ServingDeps = { database: Database; ownProcess: Pick<OwnProcess, 'takes'> };

/** Every account that is switched on, of any company. In a system transaction. */
export async function activeAccounts(trx: Trx): Promise<Account[]> {
  const rows = await accountRows(trx).where('active', '=', true).orderBy('company').orderBy('id').execute();
  return rows.map(toAccount);
}

/** A dozen loops ask for them all the time, and they hardly ever change. */
const activeNow = new UntilChanged(activeAccounts);

/** Every account that is switched on and that this process is one of the few to look after. */
export async function accountsToServe({ database, ownProcess }: ServingDeps): Promise<Account[]> {
  const accounts = await activeNow.of(database);
  return accounts.filter(({ company, id }) => ownProcess.takes(`${company}/${id}`));
}

/** All accounts of a company: any of its sellers is no competitor of any other. */
export async function listAccounts(trx: Trx, company: string): Promise<Account[]> {
  const rows = await accountRows(trx).where('company', '=', company).orderBy('created_at').orderBy('id').execute();
  return rows.map(toAccount);
}

/** The account with this id, if the company has it. */
export const findAccount = async (trx: Trx, company: string, id: string): Promise<Account | undefined> =>
  (await listAccounts(trx, company)).find((account) => account.id === id);

/** Whether a company has an account that is switched on, of any connector but these. */
export async function hasActiveAccount(trx: Trx, company: string, but: readonly string[]): Promise<boolean> {
  const active = (await listAccounts(trx, company)).filter((account) => account.active);
  return active.some(({ connector }) => !but.includes(connector));
}

/** How many offers of ours each account has. */
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
