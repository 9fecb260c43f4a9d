import type { ActionAnswer, ChannelOrder, Evidence } from '#marketplaces/orders-port.ts';
import { MarketplaceError, type Issue } from '#marketplaces/port.ts';
import { verdictOn } from './feed-report.ts';
import {
  CANCEL_REASONS,
  feedDocument,
  feedTypeOf,
  messageId,
  REFUND_REASONS,
  RETURN_REASONS,
  type FeedAction,
} from './feed-messages.ts';
import { createFeed, feedsBetween, findFeed, isUnderWay, reportOf, type FeedDeps } from './feeds.ts';
import type { AmazonFeed } from './order-answers.ts';
import { issueOf } from './refusals.ts';

/** A feed created within this span around a call may belong to the call: clocks differ. */
const BEFORE_MS = 2 * 60_000;
const AFTER_MS = 5 * 60_000;
/** Reading reports is slow (one in 45 s): with more feeds than these in the span, it stays unclear which one was ours. */
const MOST_FEEDS = 5;

type Signal = AbortSignal | undefined;
type Sent = { at: Date; reference: string };

/**
 * Cancels, takes back or refunds with one feed for all these actions, which share a feed type. Returns one answer per action, in
 * their order. @throws MarketplaceError
 */
export async function submitFeed(
  deps: FeedDeps,
  actions: readonly FeedAction[],
  signal: Signal,
): Promise<ActionAnswer[]> {
  const checked = actions.map((action) => ({ action, paid: isPaidBack(action), issue: unsendable(action) }));
  const fine = checked.filter(({ paid, issue }) => !paid && issue === undefined).map(({ action }) => action);
  const [first] = fine;
  const sent = first === undefined ? undefined : await submitted(deps, first, fine, signal);
  return checked.map(({ paid, issue }): ActionAnswer => {
    if (paid) return { state: 'done', reference: '', issues: [] };
    if (issue !== undefined) return { state: 'refused', reference: '', issues: [issue] };
    return sent ?? { state: 'refused', reference: '', issues: [] };
  });
}

async function submitted(
  deps: FeedDeps,
  first: FeedAction,
  actions: readonly FeedAction[],
  signal: Signal,
): Promise<ActionAnswer> {
  const type = feedTypeOf(first);
  try {
    const reference = await createFeed(deps, type, feedDocument(deps.account.sellerId, type, actions), signal);
    return { state: 'submitted', reference, issues: [] };
  } catch (error) {
    if (!(error instanceof MarketplaceError) || error.kind !== 'permanent') throw error;
    return { state: 'refused', reference: '', issues: [issueOf(error)] };
  }
}

const reasons: Readonly<Record<FeedAction['kind'], readonly string[]>> = {
  cancel: CANCEL_REASONS,
  return: RETURN_REASONS,
  refund: REFUND_REASONS,
};

/** Amazon learns of a return only by the refund: if all the money was refunded before, there is nothing to send. */
const isPaidBack = (action: FeedAction): boolean => action.kind === 'return' && action.cents === 0;

const withoutAmount = 'Amazon nimmt keine Erstattung ohne Betrag.';
const freePieces =
  'Amazon storniert einzelne Stücke nur, indem es ihren Preis erstattet; diese haben keinen. Es wurde nichts storniert. Bitte stornieren Sie alle Stücke der Position, oder einzelne bei Amazon selbst.';

/** Returns what Amazon would refuse or misread in an action, so that it is not sent. */
function unsendable(action: FeedAction): Issue | undefined {
  if (!reasons[action.kind].includes(action.reason))
    return { code: 'reason', message: `Amazon kennt den Grund „${action.reason}“ nicht.`, field: 'reason' };
  const pieces = action.kind === 'refund' ? 1 : action.quantity;
  if (!Number.isSafeInteger(pieces) || pieces < 1)
    return { code: 'quantity', message: 'Die Menge muss mindestens 1 sein.', field: 'quantity' };
  const isMoney = feedTypeOf(action) === 'POST_PAYMENT_ADJUSTMENT_DATA';
  if (isMoney && !(Number.isSafeInteger(action.cents) && action.cents > 0))
    return { code: 'cents', message: action.kind === 'cancel' ? freePieces : withoutAmount, field: 'cents' };
  return undefined;
}

type EvidenceInput = { sent: Sent; order: ChannelOrder | undefined };

/**
 * Returns what became of an action that was sent in a feed: from the feed's own report or, if its id was lost, from the reports
 * of the feeds created at that time. `look.order`: the order as it is now, for what an order shows. @throws MarketplaceError
 */
export async function feedEvidence(
  deps: FeedDeps,
  action: FeedAction,
  { sent, order }: EvidenceInput,
  signal: Signal,
): Promise<Evidence> {
  const { reference } = sent;
  if (isLineCancelled(action, order)) return { state: 'done', reference, issues: [] };
  if (reference === '') return searchEvidence(deps, action, sent, signal);
  const feed = await findFeed(deps, reference, signal);
  if (feed === undefined) return { state: 'unclear', reference, issues: [] };
  return evidenceOf(deps, feed, action, signal);
}

/** A line with no shipped or open piece was cancelled. Part of a line could also be cancelled by the buyer or by Amazon. */
function isLineCancelled(action: FeedAction, order: ChannelOrder | undefined): boolean {
  if (feedTypeOf(action) !== 'POST_ORDER_ACKNOWLEDGEMENT_DATA') return false;
  const line = order?.lines.find((one) => one.line === action.line);
  return line !== undefined && line.ordered > 0 && line.cancelled >= line.ordered;
}

async function evidenceOf(deps: FeedDeps, feed: AmazonFeed, action: FeedAction, signal: Signal): Promise<Evidence> {
  const reference = feed.feedId;
  const { processingStatus: status } = feed;
  if (isUnderWay(feed)) return { state: 'pending', reference, issues: [] };
  // The feed was cancelled before processing began.
  if (status === 'CANCELLED') return { state: 'absent', reference, issues: [] };
  const report = await reportOf(deps, feed, signal);
  const verdict = report && verdictOn(report, messageId(action.idemKey));
  if (verdict?.done === false) return { state: 'refused', reference, issues: verdict.issues };
  // A feed that was aborted may have been processed in part.
  if (status !== 'DONE' || verdict === undefined)
    return {
      state: 'unclear',
      reference,
      issues: [{ code: status, message: status === 'DONE' ? withoutReport : aborted }],
    };
  return { state: 'done', reference, issues: verdict.issues };
}

const aborted = 'Amazon hat die Verarbeitung abgebrochen; ob sie schon wirkte, ist unbekannt.';
const withoutReport = 'Amazon hat den Auftrag verarbeitet, aber nicht lesbar gemeldet, was daraus wurde.';

/** Searches for a feed whose id is unknown. A report names only messages that failed, so it only proves refusals. */
async function searchEvidence(deps: FeedDeps, action: FeedAction, sent: Sent, signal: Signal): Promise<Evidence> {
  const unclear: Evidence = { state: 'unclear', reference: '', issues: [] };
  const until = new Date(sent.at.getTime() + AFTER_MS);
  const now = deps.clock.now();
  const span = [new Date(sent.at.getTime() - BEFORE_MS), until] as const;
  const feeds = await feedsBetween(deps, feedTypeOf(action), span, signal);
  if (feeds === undefined || feeds.length > MOST_FEEDS) return unclear;
  // A feed that was created late in the span may not be listed yet.
  if (feeds.length === 0) return { ...unclear, state: now > until ? 'absent' : 'unclear' };
  const found: Evidence[] = [];
  for (const feed of feeds) found.push(await evidenceOf(deps, feed, action, signal));
  const refused = found.find(({ state }) => state === 'refused');
  if (refused !== undefined) return refused;
  // If one of them had been ours and succeeded, the line would be cancelled by now. A second cancellation does no harm anyway.
  const isWholeLine = feedTypeOf(action) === 'POST_ORDER_ACKNOWLEDGEMENT_DATA';
  if (isWholeLine && now > until && found.every(({ state }) => state === 'done'))
    return { ...unclear, state: 'absent' };
  return found.some(({ state }) => state === 'pending') ? { ...unclear, state: 'pending' } : unclear;
}
