import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
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

type Row = {
  company: string;
  id: string;
  master: string;
  connector: string;
  marketplace: string;
  seller_id: string;
  currency: string;
  name: string;
  settings: string;
  active: boolean;
};
const toAccount = ({ master, seller_id, ...row }: Row): Account => ({ ...row, masterid: master, sellerId: seller_id });

/** Every account that is switched on, of any company. In a system transaction. */
export async function activeAccounts(trx: Trx): Promise<Account[]> {
  const { rows } = await pg<Row>`
    select company, id, master, connector, marketplace, seller_id, currency, name, settings, active
    from marketplace_accounts where active order by company, id`.execute(trx);
  return rows.map(toAccount);
}

/** All accounts of a company: any of its sellers is no competitor of any other. */
export async function listAccounts(trx: Trx, company: string): Promise<Account[]> {
  const { rows } = await pg<Row>`
    select company, id, master, connector, marketplace, seller_id, currency, name, settings, active
    from marketplace_accounts where company = ${company} order by created_at, id`.execute(trx);
  return rows.map(toAccount);
}

/** The account with this id, if the company has it. */
export const findAccount = async (trx: Trx, company: string, id: string): Promise<Account | undefined> =>
  (await listAccounts(trx, company)).find((account) => account.id === id);

/** How many offers of ours each account has. */
export async function ownOffers(trx: Trx, company: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pg<{ account: string; n: number }>`
    select account, count(*) as n from listings where company = ${company} group by account`.execute(trx);
  return new Map(rows.map(({ account, n }) => [account, Number(n)]));
}

export async function saveAccount(trx: Trx, account: Account): Promise<void> {
  const { company, id, masterid, connector, marketplace, sellerId, currency, name, settings, active } = account;
  await pg`insert into marketplace_accounts
      (company, id, master, connector, marketplace, seller_id, currency, name, settings, active)
    values (${company}, ${id}, ${masterid}, ${connector}, ${marketplace}, ${sellerId}, ${currency}, ${name}, ${settings}, ${active})
    on conflict (company, id) do update set master = excluded.master, connector = excluded.connector,
      marketplace = excluded.marketplace, seller_id = excluded.seller_id, currency = excluded.currency,
      name = excluded.name, settings = excluded.settings, active = excluded.active`.execute(trx);
}
