import { findAccount, type Account, type OpenConnector } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import type { ActionSupport, OrderAction, OrderPort } from '#marketplaces/orders-port.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import type { TokenBuckets } from '#platform/token-buckets.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { addNotification } from '#notifications/notifications.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import { callsNow, waitAsNamed } from '#orders/intake/account-orders.ts';
import { addHint } from '#orders/intake/hints.ts';
import {
  afterAnswer,
  afterFailedReading,
  afterFailure,
  afterReading,
  FLOW,
  unansweredText,
  type Step,
} from './action-flow.ts';
import { beginSend, dueActions, expireSends, type DueAction, type StartedSend } from './due-actions.ts';
import { finishAction, leaveUnclear, refuseAction } from './settle-action.ts';
import { readActionBody } from '#orders/model/action-body.ts';

export type OutboxDeps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  open: OpenConnector;
  buckets: TokenBuckets;
  log: Log;
};

/** Actions per account in one poll. */
const LIMIT = 100;

/**
 * Sends waiting actions as far as the marketplaces' rates allow and returns the number sent. No other code reports actions on
 * orders to a marketplace.
 */
export async function sendDue(deps: OutboxDeps, turns = new SideBySide()): Promise<number> {
  const { database, clock } = deps;
  const due = await database.system(async (trx) => {
    await expireSends(trx, clock.now(), turns.served);
    // Feeds may wait for hours when there are many; parcels must not wait behind them.
    const parcels = await dueActions(trx, { states: ['new'], kinds: ['ship'] }, clock.now(), LIMIT);
    const others = await dueActions(
      trx,
      { states: ['new'], kinds: ['cancel', 'return', 'refund'] },
      clock.now(),
      LIMIT,
    );
    const waiting = [...parcels, ...others];
    return waiting.length === 0 || (await outgoingHold(trx)) !== undefined ? [] : waiting;
  });
  return eachAccount(deps, turns, due, async (account, port, rows) => {
    const bundles = new Map<string, StartedSend[]>();
    for (const row of rows) {
      const key = keyOf(port, row);
      // The actions of a bundle go in one call, so they count once against the rate.
      if (!bundles.has(key) && !(await takeSend(deps, account, port, row.kind))) continue;
      const started = await beginSend(database, row, clock.now());
      if (started !== undefined) bundles.set(key, [...(bundles.get(key) ?? []), started]);
    }
    const sends = [...bundles.values()];
    await Promise.all(sends.map((some) => send(deps, account, port, some)));
    return sends.flat().length;
  });
}

/** Returns the bundle key: actions with the same key are sent in one call. */
const keyOf = ({ bundle }: OrderPort, row: DueAction): string =>
  bundle?.keyOf(readActionBody(row.body)) ?? `alone ${row.id}`;

/** Takes one call for an action of this kind from the rate limit, false if it is used up; some kinds have a rate of their own. */
async function takeSend(
  { buckets, clock }: OutboxDeps,
  account: Account,
  { support }: OrderPort,
  kind: DueAction['kind'],
): Promise<boolean> {
  const { key, rate } = sendRate(account, support, kind);
  return (await buckets.take(key, rate, 1, clock.now())) === 1;
}

function sendRate({ company, id }: Account, { actions, rates }: OrderPort['support'], kind: DueAction['kind']) {
  const { rate } = actions[kind] ?? {};
  return { key: `${company}/${id}/orders:${rate === undefined ? 'act' : kind}`, rate: rate ?? rates.act };
}

/** Sends one action, or a bundle in one call. */
async function send(deps: OutboxDeps, account: Account, port: OrderPort, some: readonly StartedSend[]): Promise<void> {
  const { buckets, clock } = deps;
  const actions = some.map(({ action }) => action);
  let stepOf: (going: StartedSend, support: ActionSupport, index: number) => Step;
  try {
    const [only] = actions;
    const together = port.bundle !== undefined && actions.length > 1;
    const answers = together ? await port.bundle?.act(actions) : only === undefined ? [] : [await port.act(only)];
    stepOf = (_, support, index) => {
      const answer = answers?.[index];
      if (answer !== undefined) return afterAnswer(answer, support);
      return { to: 'unknown', after: FLOW.looks[0], message: unansweredText };
    };
  } catch (error) {
    const failure = failureOf(error);
    stepOf = ({ row }, support) => afterFailure(failure, support, { tries: row.fence, sends: row.sends });
    const [first] = some;
    if (failure.delayMs !== undefined && first !== undefined) {
      const { key, rate } = sendRate(account, port.support, first.row.kind);
      await buckets.empty(key, rate, failure.delayMs / 1000, clock.now());
    }
  }
  for (const [index, sent] of some.entries()) {
    const support = port.support.actions[sent.action.kind];
    const step: Step =
      support === undefined
        ? { to: 'refused', message: 'Der Marktplatz kann das nicht mehr.', issues: [] }
        : stepOf(sent, support, index);
    await settle(deps, account, sent.row, 'sending', step);
  }
}

/** An error that the connector did not classify may have come after the marketplace acted, so its kind is 'unknown'. */
const failureOf = (error: unknown): MarketplaceError =>
  error instanceof MarketplaceError ? error : new MarketplaceError('unknown', 'Unerwarteter Fehler', { cause: error });

/** Reads back actions whose result is not known and returns the number of reads. */
export async function readBackDue(deps: OutboxDeps, turns = new SideBySide()): Promise<number> {
  const { database, clock } = deps;
  const due = await database.system((trx) => dueActions(trx, { states: ['submitted', 'unknown'] }, clock.now(), LIMIT));
  return eachAccount(deps, turns, due, async (account, port, rows) => {
    let read = 0;
    for (const row of rows) {
      if ((await callsNow(deps, account, port, 'order', 1)) === 0) break;
      await readBack(deps, account, port, row, readActionBody(row.body));
      read += 1;
    }
    return read;
  });
}

async function readBack(
  deps: OutboxDeps,
  account: Account,
  port: OrderPort,
  row: DueAction,
  action: OrderAction,
): Promise<void> {
  const { clock, log } = deps;
  const at = row.sent_at ?? clock.now();
  const support = port.support.actions[action.kind];
  const sent = {
    sends: row.sends,
    reads: row.reads,
    sinceSent: clock.now().getTime() - at.getTime(),
    submitted: row.state === 'submitted',
  };
  try {
    const evidence = await port.readBack(action, { at, reference: row.reference });
    const none = { reasons: [], readBack: 'none', repeat: 'never', asynchronous: false } as const;
    await settle(deps, account, row, row.state, afterReading(evidence, support ?? none, sent));
  } catch (error) {
    log.warn({ err: error, account: account.id, action: row.id }, 'an order action could not be read back');
    const failure = failureOf(error);
    await waitAsNamed(deps, account, port, 'order', failure);
    const step = afterFailedReading(failure, sent);
    if ('to' in step) return settle(deps, account, row, row.state, step);
    const notBefore = new Date(clock.now().getTime() + step.again);
    await deps.database.company(row.company, (trx) => again(trx, row, notBefore));
  }
}

const again = (trx: Trx, { company, id, fence }: DueAction, not_before: Date) =>
  trx
    .updateTable('order_actions')
    .set({ not_before })
    .where((eb) => eb.and({ company, id, fence }))
    .execute();

/** Stores the result of an action, unless its fence or state has changed: then another process did so meanwhile. */
async function settle(
  deps: OutboxDeps,
  account: Account,
  row: DueAction,
  was: DueAction['state'],
  step: Step,
): Promise<void> {
  const { database, clock, ids } = deps;
  const now = clock.now();
  const { company, id, fence } = row;
  await database.company(company, async (trx) => {
    // The order is always locked before the rows of its actions.
    await trx
      .selectFrom('orders')
      .select('order_id')
      .where((eb) => eb.and({ company, channel: row.channel, order_id: row.order_id }))
      .forUpdate()
      .execute();
    const still = await trx
      .selectFrom('order_actions')
      .select('id')
      .where((eb) => eb.and({ company, id, fence, state: was }))
      .forUpdate()
      .executeTakeFirst();
    if (still === undefined) return;
    const ref = { company, id };
    if (step.to === 'done') await finishAction(trx, ids, ref, { ...step, issues: [] }, now);
    else if (step.to === 'refused') {
      await refuseAction(trx, ref, { ...step, reference: '' }, now);
      await notify(trx, account, row, 'wurde abgelehnt', step.message);
    } else if (step.to === 'unclear') {
      await leaveUnclear(trx, ref, step.message, now);
      await notify(trx, account, row, 'braucht Klärung', step.message);
    } else await advance(trx, row, step, now);
    // The order is read again: someone may have acted at the marketplace instead, and an action that is done without a read-back
    // is unverified.
    if ((step.to === 'done' && was === 'sending') || step.to === 'refused' || step.to === 'new')
      await addHint(trx, company, account.id, row.order_id, now, new Date(now.getTime() + 5000));
  });
}

async function advance(
  trx: Trx,
  { company, id, state }: DueAction,
  step: Extract<Step, { after: number }>,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('order_actions')
    .set((eb) => ({
      state: step.to,
      message: step.message,
      not_before: new Date(now.getTime() + step.after),
      lease_until: null,
      ...(step.to === 'submitted' && step.reference !== '' ? { reference: step.reference } : {}),
      ...(step.to === 'new' && step.notSent ? { sends: eb('sends', '-', 1) } : {}),
      ...(state === 'unknown' || state === 'submitted' ? { reads: eb('reads', '+', 1) } : {}),
      ...(step.to === 'unknown' && step.reads !== undefined ? { reads: step.reads } : {}),
    }))
    .where((eb) => eb.and({ company, id }))
    .execute();
}

const kindWords = { ship: 'Versandmeldung', cancel: 'Stornierung', return: 'Retoure', refund: 'Erstattung' } as const;

const notify = (trx: Trx, account: Account, row: DueAction, what: string, message: string) =>
  addNotification(trx, row.company, {
    id: `order-action-${row.id}-${row.fence}`,
    event: 'order',
    title: `${kindWords[row.kind]} zu Bestellung ${row.order_id} ${what}`,
    text: `${account.name}: ${message}`,
    path: orderPath(row.channel, row.order_id),
  });

/** Runs `work` for each account. An account that fails does not block the others; its actions wait. */
function eachAccount(
  { database, open, log }: OutboxDeps,
  turns: SideBySide,
  due: readonly DueAction[],
  work: (account: Account, port: OrderPort, rows: DueAction[]) => Promise<number>,
): Promise<number> {
  const byAccount = Map.groupBy(due, ({ company, channel }) => `${company}/${channel}`);
  return turns.turn(byAccount, async (rows) => {
    const [first] = rows;
    if (first === undefined) return 0;
    const { company, channel } = first;
    try {
      const account = await database.company(company, (trx) => findAccount(trx, company, channel));
      const port = account?.active === true ? (await open(account))?.orders : undefined;
      return account === undefined || port === undefined ? 0 : await work(account, port, rows);
    } catch (error) {
      log.error({ err: error, company, account: channel }, 'order actions of an account could not be sent or read');
      return 0;
    }
  });
}
