import type { FailureKind, Issue, PriceAnswer } from '#marketplaces/port.ts';
import type { Row } from '#platform/db/row.ts';

/** A price to be sent. `sends`: how often it was really sent to the marketplace; `fence`: how often a send was started. */
export type Submission = Row<'price_submissions', (typeof submissionColumns)[number]>;
export const submissionColumns = [
  'company',
  'id',
  'master',
  'marketplace',
  'item',
  'account',
  'sku',
  'decision',
  'rule',
  'limits_version',
  'currency',
  'price_cents',
  'min_cents',
  'max_cents',
  'state',
  'sends',
  'fence',
  'sent_at',
  'accepted_at',
  // A good price that is restored.
  'restored',
  'created_at',
] as const;
export const submissionStates = ['new', 'sending', 'accepted', 'live', 'invalid', 'unknown', 'held'] as const;
export type SubmissionState = Submission['state'];

/** The next state of a submission, when it is checked again, and what people are told. */
export type Next = {
  state: SubmissionState;
  notBefore?: Date;
  held?: string;
  message?: string;
  issues?: readonly Issue[];
  reference?: string;
  /** The price that the marketplace shows instead: ours was not applied, whatever it answered. */
  shown?: number;
  /** The send did not happen, so it is not counted. */
  notSent?: true;
};

/** A submission and its next state, after it was sent or read. */
export type Settled = { row: Submission; next: Next };

export const SUBMIT = {
  /**
   * How long a send belongs to one process; its call is aborted with the lease, so that none is running when another process
   * takes over.
   */
  leaseMs: 60_000,
  /**
   * A call that starts later than this after its rows were checked might still run when their lease ends (a token request comes
   * before it).
   */
  callWithin: 10_000,
  /** Delay until a price is first read back, and until each further read. */
  firstLook: 30_000,
  look: 60_000,
  /** After an unanswered send: delay of the first read, and how long the marketplace may take before the price is sent again. */
  unknownLook: 10_000,
  unknownWait: 2 * 60_000,
  /** An accepted price that is not live by then is sent again. */
  liveWithin: 15 * 60_000,
  resends: 3,
  /** How long an unreadable price is read again, with a growing delay. */
  readWithin: 24 * 60 * 60_000,
  readPause: 15 * 60_000,
  tries: 30,
  authPause: 15 * 60_000,
} as const;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

/**
 * Returns the next state after the marketplace's answer to a send. ACCEPTED is not live; INVALID in an answer of 200 is a
 * failure.
 */
export function afterAnswer(answer: PriceAnswer | undefined, now: Date): Next {
  if (answer === undefined)
    return { state: 'unknown', notBefore: later(now, SUBMIT.unknownLook), message: unansweredText };
  const { state, reference, issues } = answer;
  if (state === 'ACCEPTED') return { state: 'accepted', notBefore: later(now, SUBMIT.firstLook), reference, issues };
  const message = issues.map((issue) => issue.message).join(' ') || 'Der Marktplatz hat den Preis abgelehnt.';
  return { state: 'invalid', reference, issues, message };
}

/**
 * Returns a submission to the queue if too much time passed between the last check of all switches and its call (others were
 * slow, the machine slept): it may have been stopped, or another process may have taken it for lost. undefined: it may be sent.
 */
export function tooLate({ sent_at }: Submission, now: Date): Next | undefined {
  const late = sent_at === null || now.getTime() - sent_at.getTime() > SUBMIT.callWithin;
  return late ? { state: 'new', notSent: true, notBefore: now } : undefined;
}

/** Returns a submission to the queue until its marketplace, which limited an earlier call, allows calls again. */
export const afterLimit = ({ delayMs = 0 }: { delayMs?: number | undefined }, now: Date): Next => ({
  state: 'new',
  notSent: true,
  notBefore: later(now, delayMs),
});

const unansweredText = 'Ungeklärt: gesendet, aber ohne Antwort. Der Preis wird zuerst beim Marktplatz nachgelesen.';

/**
 * Returns the next state after a failed send. A price that may have been applied is read back first, never sent again blindly.
 */
export function afterFailure(
  submission: Submission,
  failure: { kind: FailureKind; message: string; delayMs?: number | undefined; field?: string | undefined },
  now: Date,
): Next {
  const { kind, message, field } = failure;
  if (kind === 'unknown' || kind === 'conflict')
    return { state: 'unknown', notBefore: later(now, SUBMIT.unknownLook), message: unansweredText };
  if (kind === 'permanent')
    return {
      state: 'invalid',
      message,
      issues: [{ code: 'REFUSED', message, ...(field === undefined ? {} : { field }) }],
    };
  if (submission.fence >= SUBMIT.tries)
    return { state: 'invalid', notSent: true, message: `Nach ${SUBMIT.tries} Versuchen aufgegeben: ${message}` };
  if (kind === 'auth') return { state: 'new', notSent: true, notBefore: later(now, SUBMIT.authPause), message };
  const pause = failure.delayMs ?? Math.min(1000 * 2 ** Math.min(submission.fence, 10), 10 * 60_000);
  return { state: 'new', notSent: true, notBefore: later(now, pause), message };
}

const sentAt = ({ state, accepted_at, sent_at }: Submission, now: Date): Date =>
  (state === 'accepted' ? (accepted_at ?? sent_at) : sent_at) ?? now;

/**
 * Returns the next state after a failed read: the price is read again with a growing delay, so that others of the account are
 * read too. After a day people are told, and the next decision may be sent.
 */
export function afterFailedReading(
  submission: Submission,
  { message, delayMs = 0 }: { message: string; delayMs?: number | undefined },
  now: Date,
): Next {
  const waited = now.getTime() - sentAt(submission, now).getTime();
  if (waited >= SUBMIT.readWithin)
    return {
      state: 'invalid',
      message: `Seit einem Tag lässt sich beim Marktplatz nicht nachlesen, ob dieser Preis gilt: ${message} Bitte sehen Sie dort nach; der nächste Preis wird wieder gesendet.`,
    };
  const pause = Math.max(SUBMIT.unknownLook, delayMs, Math.min(waited / 4, SUBMIT.readPause));
  return { state: submission.state, notBefore: later(now, pause) };
}

/** Returns the next state from the price the marketplace shows, for a send that was accepted or unanswered. */
export function afterReading(submission: Submission, shown: number | null, now: Date): Next {
  if (shown === submission.price_cents) return { state: 'live' };
  const accepted = submission.state === 'accepted';
  // An invisible offer (hidden for a moment, shown in another currency) says nothing about its price.
  const timeLimit = accepted || shown === null ? SUBMIT.liveWithin : SUBMIT.unknownWait;
  if (now.getTime() - sentAt(submission, now).getTime() < timeLimit)
    return { state: submission.state, notBefore: later(now, SUBMIT.look) };
  const instead = shown === null ? {} : { shown };
  const where = shown === null ? 'zeigt kein Angebot von uns' : 'zeigt weiter einen anderen Preis';
  if (submission.sends > SUBMIT.resends)
    return { state: 'invalid', message: `${submission.sends}-mal gesendet, aber der Marktplatz ${where}.`, ...instead };
  return { state: 'new', notBefore: now, message: `Erneut zu senden: der Marktplatz ${where}.`, ...instead };
}
