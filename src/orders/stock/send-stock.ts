import {
  accountsToServe,
  byKey,
  type Account,
  type OpenConnector,
  type ServingDeps,
} from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import type { OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { TokenBuckets } from '#platform/token-buckets.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { dueOffers, type DueOffer, leaseOffers, type Outcome, storeOutcomes } from './due-offers.ts';

export type SendDeps = ServingDeps & { clock: Clock; open: OpenConnector; buckets: TokenBuckets; log: Log };
export type StockPort = OrderPort & Required<Pick<OrderPort, 'setStock'>>;

/** Calls per account in one poll. */
const CALLS = 20;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The longest delay after a failure that may pass: meanwhile a sold-out article can still be bought. */
const LONGEST = 5 * MINUTE;

export const stockRate = ({ company, id }: Account): string => `${company}/${id}/orders:stock`;

/** Sends changed numbers to marketplaces as far as their rates allow. Returns how many were sent. */
export async function sendStock(deps: SendDeps, turns = new SideBySide()): Promise<number> {
  const accounts = await accountsToServe(deps);
  return turns.turn(byKey(accounts), async (account) => {
    try {
      return await sendOfAccount(deps, account);
    } catch (error) {
      deps.log.error({ err: error, company: account.company, account: account.id }, 'stock could not be sent');
      return 0;
    }
  });
}

/** Returns the port of an account if it accepts stock. */
export async function stockPort({ open }: Pick<SendDeps, 'open'>, account: Account): Promise<StockPort | undefined> {
  const port = (await open(account))?.orders;
  return port !== undefined && takesStock(port) ? port : undefined;
}

const takesStock = (port: OrderPort): port is StockPort => port.setStock !== undefined;

async function sendOfAccount(deps: SendDeps, account: Account): Promise<number> {
  const { database, clock, buckets } = deps;
  const now = clock.now();
  const some = await database.company(account.company, (trx) => dueOffers(trx, account, now, 1));
  if (some.length === 0 || (await database.system(outgoingHold)) !== undefined) return 0;
  const port = await stockPort(deps, account);
  if (port === undefined) return 0;
  const { stockBatch: batch, rates } = port.support;
  const due = await database.company(account.company, (trx) => dueOffers(trx, account, now, CALLS * batch));
  const calls = await buckets.take(stockRate(account), rates.stock, Math.ceil(due.length / batch), now);
  let sent = 0;
  for (let call = 0; call < calls; call++) {
    const leased = await database.company(account.company, (trx) =>
      leaseOffers(trx, account, due.slice(call * batch, (call + 1) * batch), clock.now()),
    );
    if (leased.length === 0) continue;
    const { outcomes, isLimited } = await send(deps, account, port, leased);
    await database.company(account.company, (trx) => storeOutcomes(trx, account, outcomes, clock.now()));
    sent += leased.length;
    if (isLimited) break;
  }
  return sent;
}

/**
 * Makes one call and returns the result of each number. Absolute numbers may be sent again whatever happened. `isLimited`: no
 * further call may be made now.
 */
async function send(
  deps: SendDeps,
  account: Account,
  port: StockPort,
  offers: readonly DueOffer[],
): Promise<{ outcomes: Outcome[]; isLimited: boolean }> {
  const { clock } = deps;
  try {
    const { known, updates } = await afterLook(port, offers, clock.now());
    const answers =
      updates.length === 0
        ? []
        : await port.setStock(updates.map(({ offer, quantity }) => ({ sku: offer.sku, quantity })));
    const now = clock.now();
    const outcomes = [
      ...known,
      ...updates.map(({ offer, quantity }, n): Outcome => {
        const answer = answers[n];
        if (answer?.state === 'ACCEPTED')
          return { item: offer.item, base: quantity, state: 'accepted', message: '', tries: 0, not_before: now };
        const message = answer?.issues.map((issue) => issue.message).join(' ') ?? '';
        return later(offer, answer === undefined ? 'unknown' : 'refused', message, now);
      }),
    ];
    return { outcomes, isLimited: false };
  } catch (error) {
    return failed(deps, account, port, offers, error);
  }
}

/**
 * Subtracts sales we have not read yet, so that a number above 0 does not put back sold pieces: if the channel can be read, it is
 * read right before, and what is missing there is subtracted. A number that it already shows is not sent.
 */
async function afterLook(port: StockPort, offers: readonly DueOffer[], now: Date) {
  const nonZero = offers.filter(({ offered }) => offered > 0);
  const shown =
    port.readStock === undefined || nonZero.length === 0 ? [] : await port.readStock(nonZero.map(({ sku }) => sku));
  const bySku = new Map(shown.map(({ sku, quantity }) => [sku, quantity]));
  const known: Outcome[] = [];
  const updates: { offer: DueOffer; quantity: number }[] = [];
  for (const offer of offers) {
    const currentQuantity = bySku.get(offer.sku) ?? null;
    const unseen = currentQuantity === null || offer.shown === null ? 0 : Math.max(0, offer.shown - currentQuantity);
    const quantity = Math.max(0, offer.offered - unseen);
    if (currentQuantity === quantity)
      known.push({ item: offer.item, base: quantity, state: 'accepted', message: '', tries: 0, not_before: now });
    else updates.push({ offer, quantity });
  }
  return { known, updates };
}

async function failed(
  { log, clock, buckets }: SendDeps,
  account: Account,
  port: StockPort,
  offers: readonly DueOffer[],
  error: unknown,
): Promise<{ outcomes: Outcome[]; isLimited: boolean }> {
  const now = clock.now();
  log.warn({ err: error, account: account.id }, 'stock was not accepted');
  const failure = error instanceof MarketplaceError ? error : undefined;
  if (failure?.delayMs !== undefined)
    await buckets.empty(stockRate(account), port.support.rates.stock, failure.delayMs / 1000, now);
  const message = failure?.message ?? 'Kontor konnte den Bestand nicht senden.';
  const outcomes = offers.map((offer) =>
    // Without access each try fails; saving the account makes the numbers due.
    later(
      offer,
      failure?.kind === 'permanent' ? 'refused' : 'unknown',
      message,
      now,
      failure?.kind === 'auth' ? HOUR : LONGEST,
    ),
  );
  return { outcomes, isLimited: failure?.delayMs !== undefined };
}

/** Returns an outcome that retries a number not accepted, with a growing delay. */
export const later = (
  { item, tries }: Pick<DueOffer, 'item' | 'tries'>,
  state: 'refused' | 'unknown',
  message: string,
  now: Date,
  longest = LONGEST,
): Outcome => ({
  item,
  state,
  message,
  tries: tries + 1,
  not_before: new Date(
    now.getTime() + (state === 'refused' ? HOUR : Math.min(longest, MINUTE * 2 ** Math.min(tries, 6))),
  ),
});
