import { loadMaster } from '#catalogue/masters.ts';
import { listAccounts } from '#marketplaces/accounts/accounts.ts';
import { expressionBuilder } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';

/** The offers a dashboard request is about: a company's sellers with their accounts, in one catalogue or in all. */
export type DashboardPlace = {
  company: string;
  masterid: string | undefined;
  sellers: ReadonlyMap<string, { accounts: string[]; masters: string[]; marketplaces: string[] }>;
};

/** Returns the sellers of the company, or the requested one. @throws 404 for a seller or a catalogue that is not the company's */
export async function dashboardPlace(
  trx: Trx,
  company: string,
  { masterid, sellerid }: { masterid: string | undefined; sellerid?: string },
): Promise<DashboardPlace> {
  if (masterid !== undefined) await loadMaster(trx, company, masterid);
  const accounts = (await listAccounts(trx, company)).filter(
    (account) => masterid === undefined || account.masterid === masterid,
  );
  const groups = [...Map.groupBy(accounts, ({ sellerId }) => sellerKey(sellerId))];
  const selected = sellerid === undefined ? groups : groups.filter(([seller]) => seller === sellerKey(sellerid));
  if (sellerid !== undefined && selected.length === 0) throw notFound('Diese Verkäuferkennung');
  const sellers = selected.map(
    ([seller, list]): [string, { accounts: string[]; masters: string[]; marketplaces: string[] }] => [
      seller,
      {
        accounts: list.map(({ id }) => id),
        masters: [...new Set(list.map((account) => account.masterid))],
        marketplaces: [...new Set(list.map(({ marketplace }) => marketplace))],
      },
    ],
  );
  return { company, masterid, sellers: new Map(sellers) };
}

export const accountsOf = ({ sellers }: DashboardPlace): string[] =>
  [...sellers.values()].flatMap(({ accounts }) => accounts);

/** Returns the condition on `listings l` for the own offers of these sellers. */
export const ownOffersOf = (ref: DashboardPlace) => {
  const eb = expressionBuilder<{ l: Tables['listings'] }, 'l'>();
  return eb.and([
    eb('l.company', '=', ref.company),
    eb('l.account', '=', anyOf(accountsOf(ref))),
    ...(ref.masterid === undefined ? [] : [eb('l.master', '=', ref.masterid)]),
  ]);
};
