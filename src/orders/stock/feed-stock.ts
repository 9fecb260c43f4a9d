import { accountsToServe, byKey, type Account } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import type { StockFeed, StockFeedEnd } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import { dueOffers, type DueOffer, type Outcome, storeOutcomes } from './due-offers.ts';
import {
  beginSubmission,
  endSubmission,
  findSubmission,
  pollLater,
  noteSubmission,
  type StockSubmission,
} from './feed-store.ts';
import { later, type SendDeps, stockPort } from './send-stock.ts';

const MINUTE = 60_000;
/** A process that died in the call is noticed after this time; the call itself ends long before. */
const CALL_MS = 5 * MINUTE;
/** A submission without a result is abandoned after this time: its numbers are sent individually. */
const GIVE_UP_MS = 24 * 60 * MINUTE;
/** A submission is sent without reading the channel's stock first: a smaller number could put back pieces sold meanwhile. */
const FEW_PIECES = 20;

const rateOf = ({ company, id }: Account) => `${company}/${id}/orders:stock-feed`;

/**
 * Sends numbers that are too many for individual calls as one submission per account, and reads its result. The most urgent
 * numbers are still sent individually. Returns how many numbers were submitted or settled.
 */
export async function feedStock(deps: SendDeps, turns = new SideBySide()): Promise<number> {
  const accounts = await accountsToServe(deps);
  return turns.turn(byKey(accounts), async (account) => {
    try {
      return await feedOfAccount(deps, account);
    } catch (error) {
      deps.log.error({ err: error, company: account.company, account: account.id }, 'stock could not be submitted');
      return 0;
    }
  });
}

async function feedOfAccount(deps: SendDeps, account: Account): Promise<number> {
  const { database, clock } = deps;
  const now = clock.now();
  const [waiting, some] = await database.company(account.company, async (trx) => [
    await findSubmission(trx, account),
    await dueOffers(trx, account, now, 1),
  ]);
  if (waiting === undefined ? some.length === 0 : waiting.lookAt > now) return 0;
  const feed = (await stockPort(deps, account))?.stockFeed;
  if (feed === undefined) return 0;
  return waiting === undefined ? submit(deps, account, feed) : read(deps, account, feed, waiting);
}

/** Submits the due numbers that come after those sent individually. */
async function submit({ database, clock, buckets, log }: SendDeps, account: Account, feed: StockFeed): Promise<number> {
  const now = clock.now();
  if ((await database.system(outgoingHold)) !== undefined) return 0;
  const due = await database.company(account.company, (trx) => dueOffers(trx, account, now, feed.above + feed.most));
  const chosen = due.slice(feed.above).filter(({ offered }) => offered === 0 || offered >= FEW_PIECES);
  if (chosen.length === 0 || (await buckets.take(rateOf(account), feed.rate, 1, now)) === 0) return 0;
  const lookAt = new Date(now.getTime() + CALL_MS);
  const numbers = await database.company(account.company, (trx) =>
    beginSubmission(trx, account, chosen, { now, lookAt }),
  );
  if (numbers.length === 0) return 0;
  try {
    const reference = await feed.submit(numbers);
    await note('submitted', reference);
    return numbers.length;
  } catch (error) {
    log.warn({ err: error, account: account.id }, 'a submission of stock was not accepted');
    const failure = error instanceof MarketplaceError ? error : undefined;
    if (failure === undefined || failure.kind === 'unknown' || failure.kind === 'conflict') await note('unknown', '');
    else {
      // Nothing was submitted; until the next attempt the numbers are sent individually.
      await database.company(account.company, (trx) => endSubmission(trx, account));
      await buckets.empty(rateOf(account), feed.rate, (failure.delayMs ?? CALL_MS) / 1000, clock.now());
    }
    return 0;
  }
  async function note(state: 'submitted' | 'unknown', reference: string) {
    const look_at = new Date(clock.now().getTime() + MINUTE);
    await database.company(account.company, (trx) => noteSubmission(trx, account, { state, reference, look_at }));
  }
}

async function read(
  { database, clock, log }: SendDeps,
  account: Account,
  feed: StockFeed,
  { reference, sentAt, numbers }: StockSubmission,
): Promise<number> {
  const end = await feed.read(numbers, { at: sentAt, reference }).catch((error: unknown): StockFeedEnd => {
    log.warn({ err: error, account: account.id }, 'a submission of stock could not be read');
    return { state: 'pending' };
  });
  const now = clock.now();
  const isGivenUp = now.getTime() - sentAt.getTime() > GIVE_UP_MS;
  if (end.state === 'pending' && !isGivenUp) {
    const lookAt = new Date(now.getTime() + MINUTE);
    await database.company(account.company, (trx) => pollLater(trx, account, lookAt));
    return 0;
  }
  await database.company(account.company, async (trx) => {
    if (end.state !== 'absent') await storeOutcomes(trx, account, outcomesOf(numbers, end, now), now);
    await endSubmission(trx, account);
  });
  return numbers.length;
}

/** Returns the result of each number. An accepted one is the channel's number; one sent individually meanwhile is due again. */
function outcomesOf(numbers: StockSubmission['numbers'], end: StockFeedEnd, now: Date): Outcome[] {
  const text = 'Der Marktplatz hat nicht gesagt, was aus dem Bestand wurde. Er wird einzeln gesendet.';
  return numbers.map(({ item, quantity }, index): Outcome => {
    const answer = end.state === 'done' ? end.answers[index] : undefined;
    const offer: Pick<DueOffer, 'item' | 'tries'> = { item, tries: 0 };
    if (answer?.state === 'ACCEPTED')
      return { item, base: quantity, state: 'accepted', message: '', tries: 0, not_before: now };
    // Assumed to be the channel's number, so that pieces missing at the next read count as sold; if it never arrived, that read
    // shows it.
    if (answer === undefined) return { ...later(offer, 'unknown', text, now), base: quantity };
    return later(offer, 'refused', answer.issues.map((issue) => issue.message).join(' '), now);
  });
}
