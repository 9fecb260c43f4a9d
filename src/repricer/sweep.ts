import { sql } from 'kysely';
import { activeAccounts, type Account } from '#marketplaces/accounts.ts';
import type { Connector, OwnArticle } from '#marketplaces/connector.ts';
import type { Trx } from '#platform/db.ts';
import type { Log } from '#platform/log.ts';
import { permitted } from './account-calls.ts';
import { byIndex } from './by-index.ts';
import { takeOffers } from './offers.ts';
import type { SubmitParts } from './submit.ts';

/** Older offers are asked for, so that they never become too old for the gate; messages can fail to come for hours. */
const STALE_MS = 30 * 60_000;
const AGAIN_MS = 5 * 60_000;
const MOST = 400;

export type Stale = OwnArticle & { marketplace: string; item: string };

/** Asks marketplaces for the offers that are longest unknown, as far as their rates allow. Returns how many articles were told. */
export async function sweepOffers(parts: SubmitParts & { log: Log }): Promise<number> {
  const { database, open } = parts;
  const accounts = await database.system(activeAccounts);
  let told = 0;
  for (const account of accounts) {
    const connector = await open(account);
    if (connector?.capabilities().competitorOffers === true) told += await sweepAccount(parts, account, connector);
  }
  return told;
}

async function sweepAccount(
  parts: SubmitParts & { log: Log },
  account: Account,
  connector: Connector,
): Promise<number> {
  const { database, clock } = parts;
  const { rates, batch } = connector.capabilities();
  // At a turn no more than so many, so that other accounts and changes of rules get their turns.
  const most = Math.min(MOST, Math.max(1, batch.offers) * Math.max(1, rates.offers.burst));
  const now = clock.now();
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  // What gave no answer comes last, so that articles which nobody knows do not keep the others waiting.
  const { rows } = await database.company(account.company, (trx) =>
    sql<Stale>`select l.sku, l.asin, l.condition, l.marketplace, l.item from listings l left join article_offers s on s.company = l.company and s.master = l.master
        and s.marketplace = l.marketplace and s.asin = l.asin and s.condition = l.condition
      where l.company = ${account.company} and l.master = ${account.masterid} and l.account = ${account.id}
        and (s.event_at is null or s.event_at < ${ago(STALE_MS)}::timestamptz)
        and (l.offers_asked_at is null or l.offers_asked_at < ${ago(AGAIN_MS)}::timestamptz)
      order by l.offers_asked_at nulls first, l.item limit ${most}`.execute(trx),
  );
  let told = 0;
  for (const articles of permitted(parts, account, connector, 'offers', rows)) {
    // What does not answer now is asked again at a later turn; old offers hold prices, they never move them.
    told += await askOffers(parts, account, connector, articles).catch((error: unknown) => {
      parts.log.warn({ err: error, account: account.id }, 'offers could not be asked for');
      return 0;
    });
  }
  return told;
}

/** Asks for the offers of these articles in one call and takes them in; how many of them were new. @throws MarketplaceError */
export async function askOffers(
  { database, clock }: Pick<SubmitParts, 'database' | 'clock'>,
  account: Account,
  connector: Connector,
  articles: readonly Stale[],
): Promise<number> {
  await database.company(account.company, (trx) => noteAsked(trx, account, articles, clock.now()));
  const snapshots = await connector.offers(articles);
  const taken = await database.company(account.company, (trx) =>
    takeOffers(trx, account.company, snapshots, clock.now()),
  );
  return taken.filter((one) => one === 'taken').length;
}

/** `at` null: they are to be asked for again. */
export async function noteAsked(
  trx: Trx,
  account: Account,
  articles: readonly Stale[],
  at: Date | null,
): Promise<void> {
  await byIndex(trx);
  await sql`update listings set offers_asked_at = ${at?.toISOString() ?? null}::timestamptz
    where company = ${account.company} and master = ${account.masterid} and account = ${account.id}
      and marketplace = any(${[...new Set(articles.map(({ marketplace }) => marketplace))]}::text[])
      and item = any(${articles.map(({ item }) => item)}::text[])`.execute(trx);
}
