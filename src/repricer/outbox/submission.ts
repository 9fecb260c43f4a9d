import type { FailureKind, Issue, PriceAnswer } from '#marketplaces/port.ts';
import type { Row } from '#platform/db/row.ts';

/** A price on its way out. `sends`: how often it really went to the marketplace; `fence`: how often somebody began to send it. */
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
  // A good price that is put back.
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
  /** The price that the marketplace shows instead: ours did not come, whatever it answered. */
  shown?: number;
  /** The send did not happen, so it counts for nothing. */
  notSent?: true;
};

/** What becomes of a submission that was sent or read. */
export type Settled = { row: Submission; next: Next };

export const SUBMIT = {
  /** How long a send belongs to one process; its call is ended with it, so that none is under way when another process looks. */
  leaseMs: 60_000,
  /** A call that begins later than so long after its rows were asked about might still run when their lease is over (a call, and before it a token). */
  callWithin: 10_000,
  /** When it is first looked whether a price is live, and again after that. */
  firstLook: 30_000,
  look: 60_000,
  /** An answer that never came: first look, and how long the marketplace may take before the price is sent anew. */
  unknownLook: 10_000,
  unknownWait: 2 * 60_000,
  /** An accepted price that is not live by then is sent anew. */
  liveWithin: 15 * 60_000,
  resends: 3,
  /** How long one that cannot be read back is tried, ever more rarely. */
  readWithin: 24 * 60 * 60_000,
  readPause: 15 * 60_000,
  tries: 30,
  authPause: 15 * 60_000,
} as const;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

/** What the marketplace's answer to a send means. ACCEPTED is not live; INVALID in an answer of 200 is a failure. */
export function afterAnswer(answer: PriceAnswer | undefined, now: Date): Next {
  if (answer === undefined)
    return { state: 'unknown', notBefore: later(now, SUBMIT.unknownLook), message: unansweredText };
  const { state, reference, issues } = answer;
  if (state === 'ACCEPTED') return { state: 'accepted', notBefore: later(now, SUBMIT.firstLook), reference, issues };
  const message = issues.map((issue) => issue.message).join(' ') || 'Der Marktplatz hat den Preis abgelehnt.';
  return { state: 'invalid', reference, issues, message };
}

/**
 * What waited too long between the last look at all switches and its call (others were slow, the machine slept) is asked about once
 * more: meanwhile somebody may have stopped it, or another process may have taken it for lost. Undefined: it may go.
 */
export function tooLate({ sent_at }: Submission, now: Date): Next | undefined {
  const late = sent_at === null || now.getTime() - sent_at.getTime() > SUBMIT.callWithin;
  return late ? { state: 'new', notSent: true, notBefore: now } : undefined;
}

const unansweredText = 'Ungeklärt: gesendet, aber ohne Antwort. Der Preis wird zuerst beim Marktplatz nachgelesen.';

/** What a failed send means. Whatever may have been done is looked up first, never sent blindly again. */
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
 * A price that could not be read back stays as it is and is read again, the later the longer it waits: others of the account have their
 * turn. After a day people are told, and the next decision may go out.
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

/** What the price that the marketplace shows says about a send that was accepted or never answered. */
export function afterReading(submission: Submission, shown: number | null, now: Date): Next {
  if (shown === submission.price_cents) return { state: 'live' };
  const accepted = submission.state === 'accepted';
  // An offer that cannot be seen (hidden for a moment, shown in another currency) says nothing about its price.
  const patience = accepted || shown === null ? SUBMIT.liveWithin : SUBMIT.unknownWait;
  if (now.getTime() - sentAt(submission, now).getTime() < patience)
    return { state: submission.state, notBefore: later(now, SUBMIT.look) };
  const instead = shown === null ? {} : { shown };
  const where = shown === null ? 'zeigt kein Angebot von uns' : 'zeigt weiter einen anderen Preis';
  if (submission.sends > SUBMIT.resends)
    return { state: 'invalid', message: `${submission.sends}-mal gesendet, aber der Marktplatz ${where}.`, ...instead };
  return { state: 'new', notBefore: now, message: `Erneut zu senden: der Marktplatz ${where}.`, ...instead };
}
