import { accountsToServe, byKey, type Account, type ServingDeps } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { type Connector, MarketplaceError, type OwnArticle } from '#marketplaces/port.ts';
import { hasArrived } from '#platform/clock.ts';
import { anyOf } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { takeWithinRate, waitAsNamed } from '#repricer/outbox/account-calls.ts';
import { notifyLockedOut } from '#repricer/outbox/locked-out.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { takeOffers } from './offers.ts';
import type { SubmitDeps } from '#repricer/outbox/submit.ts';

/** Offers older than this are polled before the gate rejects them as too old: messages can be missing for hours. */
const STALE_MS = 30 * 60_000;
const AGAIN_MS = 5 * 60_000;
const MOST = 400;
/** How many stale offers one search finds, how long its result is used, and how long when it found nothing. */
const AT_A_LOOK = 4000;
const POLL_MS = 60_000;
const QUIET_MS = 5000;

export type Stale = OwnArticle & { marketplace: string; item: string };

/**
 * The articles to request next, by account. The search reads every own offer of an account, while marketplaces allow a few
 * articles a second: one search serves many polls.
 */
export class PollingPlans {
  private readonly next = new Map<string, { until: number; articles: Stale[] }>();

  /** Undefined: a new search is due. */
  of(account: Account, now: number): Stale[] | undefined {
    const known = this.next.get(`${account.company}/${account.id}`);
    return known === undefined || hasArrived(known.until, now, POLL_MS) ? undefined : known.articles;
  }

  keep(account: Account, articles: Stale[], now: number): void {
    const until = now + (articles.length === 0 ? QUIET_MS : POLL_MS);
    this.next.set(`${account.company}/${account.id}`, { until, articles });
  }

  /** Removes those that were requested; when none remains the next poll searches again. */
  done(account: Account, count: number): void {
    const key = `${account.company}/${account.id}`;
    const known = this.next.get(key);
    known?.articles.splice(0, count);
    if (count > 0 && known?.articles.length === 0) this.next.delete(key);
  }
}

export type OfferPollingDeps = SubmitDeps & ServingDeps & { plans: PollingPlans };

/** Requests the offers that were updated longest ago, as far as the rates allow. Returns how many products got new offers. */
export async function pollOffers(deps: OfferPollingDeps, turns = new SideBySide()): Promise<number> {
  const { open, log } = deps;
  const accounts = await accountsToServe(deps);
  return turns.turn(byKey(accounts), async (account) => {
    try {
      const connector = await open(account);
      if (connector?.capabilities().competitorOffers === true) return await pollAccount(deps, account, connector);
    } catch (error) {
      // An account that cannot be opened does not stop the others.
      log.error({ err: error, company: account.company, account: account.id }, 'offers could not be polled');
    }
    return 0;
  });
}

async function pollAccount(deps: OfferPollingDeps, account: Account, connector: Connector): Promise<number> {
  const { database, plans, clock } = deps;
  const { rates, batch } = connector.capabilities();
  // A bounded number per poll, so that other accounts and rule changes are served too.
  const most = Math.min(MOST, Math.max(1, batch.offers) * Math.max(1, rates.offers.burst));
  const now = clock.now();
  let next = plans.of(account, now.getTime());
  if (next === undefined) {
    next = await database.company(account.company, (trx) => staleOffers(trx, account, now));
    plans.keep(account, next, now.getTime());
  }
  let updated = 0;
  for (const articles of await takeWithinRate(deps, account, connector, 'offers', next.slice(0, most))) {
    plans.done(account, articles.length);
    try {
      updated += await requestOffers(deps, account, connector, articles);
    } catch (error) {
      // A failed request is repeated in a later poll; old offers hold prices, they never change them.
      deps.log.warn({ err: error, account: account.id }, 'offers could not be polled');
      if (!(error instanceof MarketplaceError)) continue;
      await notifyLockedOut(deps, account, error);
      if (!(await waitAsNamed(deps, account, connector, 'offers', error))) continue;
      // No calls for a while: these articles are no reason, so they are requested again as soon as calls are allowed.
      await database.company(account.company, (trx) => recordPolled(trx, account, articles, null));
      break;
    }
  }
  return updated;
}

/**
 * Returns own offers of an account whose article has no recent offers; those that were requested without an answer come last, so
 * that they delay no other.
 */
async function staleOffers(trx: Trx, account: Account, now: Date): Promise<Stale[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  return trx
    .selectFrom('listings')
    .select(['sku', 'product_id as productId', 'condition', 'marketplace', 'item'])
    .where((eb) => eb.and({ company: account.company, master: account.masterid, account: account.id }))
    .where((eb) => eb.or([eb('offers_at', 'is', null), eb('offers_at', '<', ago(STALE_MS))]))
    .where((eb) => eb.or([eb('offers_asked_at', 'is', null), eb('offers_asked_at', '<', ago(AGAIN_MS))]))
    .orderBy('offers_asked_at', (order) => order.asc().nullsFirst())
    .orderBy('item')
    .limit(AT_A_LOOK)
    .execute();
}

/** Requests the offers of these articles in one call and stores them; returns how many were new. @throws MarketplaceError */
export async function requestOffers(
  { database, clock }: Pick<SubmitDeps, 'database' | 'clock'>,
  account: Account,
  connector: Connector,
  articles: readonly Stale[],
): Promise<number> {
  await database.company(account.company, (trx) => recordPolled(trx, account, articles, clock.now()));
  const snapshots = await connector.offers(articles);
  const results = await database.company(account.company, (trx) =>
    takeOffers(trx, account.company, snapshots, clock.now()),
  );
  return results.filter((one) => one === 'taken').length;
}

/** Records when these articles were requested; `at` null: they may be requested again. */
export async function recordPolled(
  trx: Trx,
  account: Account,
  articles: readonly Stale[],
  at: Date | null,
): Promise<void> {
  await disableSeqScans(trx);
  await trx
    .updateTable('listings')
    .set({ offers_asked_at: at })
    .where((eb) => eb.and({ company: account.company, master: account.masterid, account: account.id }))
    .where('marketplace', '=', anyOf([...new Set(articles.map(({ marketplace }) => marketplace))]))
    .where('item', '=', anyOf(articles.map(({ item }) => item)))
    .execute();
}
