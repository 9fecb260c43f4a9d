import type { FailureKind } from '#marketplaces/port.ts';
import type { ActionAnswer, ActionSupport, Evidence } from '#marketplaces/orders-port.ts';

const MINUTE = 60_000;
export const FLOW = {
  leaseMs: 2 * MINUTE,
  /** After an unanswered send: when the marketplace is read, the last pause repeated until `patience` is over. */
  looks: [MINUTE, 5 * MINUTE, 30 * MINUTE],
  /** What a marketplace works on by itself is looked after so often. */
  pendingLook: 2 * MINUTE,
  /** After so long people look, whether the marketplace still works on it or does not let us read. */
  patience: 24 * 60 * MINUTE,
  /** An action that could not be sent: first pause, doubled up to the longest. */
  pause: 5000,
  longestPause: 10 * MINUTE,
  authPause: 15 * MINUTE,
  /** After a reading that failed without a word on when to come back. */
  readPause: MINUTE,
  /** How often one action may be sent: once, and once more where it is known or harmless. */
  sends: 2,
  /** An order that must not be sent yet is looked at again after so long. */
  heldLook: MINUTE,
} as const;

/** What becomes of an action, in ms from now where it goes on. `message` is for people. */
export type Step =
  | { to: 'done'; reference: string; message: string }
  | { to: 'refused'; message: string; issues: ActionAnswer['issues'] }
  | { to: 'submitted'; reference: string; after: number; message: string }
  /** `notSent`: surely nothing went out, so the send does not count. */
  | { to: 'new'; after: number; message: string; notSent: boolean }
  | { to: 'unknown'; after: number; message: string }
  | { to: 'unclear'; message: string };

const textOf = (issues: ActionAnswer['issues']): string => issues.map(({ message }) => message).join(' ');
const refusedText = 'Der Marktplatz hat es abgelehnt.';
export const unansweredText =
  'Gesendet, aber ohne Antwort. Kontor liest beim Marktplatz nach, bevor etwas noch einmal gesendet wird.';

/**
 * What an answer means. Where the marketplace shows what was done, it counts as done only when it shows: one that took a parcel and
 * forgot it would leave an order open there that is shipped here.
 */
export function afterAnswer(answer: ActionAnswer, support: ActionSupport): Step {
  const { state, reference, issues } = answer;
  if (state === 'refused') return { to: 'refused', issues, message: textOf(issues) || refusedText };
  if (state === 'done' && support.readBack !== 'full') return { to: 'done', reference, message: '' };
  const after = state === 'done' ? FLOW.looks[0] : FLOW.pendingLook / 4;
  const message =
    state === 'done'
      ? 'Angenommen. Kontor sieht nach, ob der Marktplatz es zeigt.'
      : 'Angenommen, wird beim Marktplatz verarbeitet.';
  return { to: 'submitted', reference, after, message };
}

/** What a failed send means: whatever may have been done is looked up first. */
export function afterFailure(
  failure: { kind: FailureKind; message: string; delayMs?: number | undefined; field?: string | undefined },
  support: ActionSupport,
  tries: number,
): Step {
  const { kind, message } = failure;
  if (kind === 'permanent')
    return { to: 'refused', message, issues: [{ code: 'REFUSED', message, field: failure.field }] };
  if (kind === 'auth') return { to: 'new', after: FLOW.authPause, message, notSent: true };
  if (kind === 'retryable') {
    const pause = failure.delayMs ?? Math.min(FLOW.longestPause, FLOW.pause * 2 ** Math.min(tries, 10));
    return { to: 'new', after: pause, message, notSent: true };
  }
  // A conflict says that the state there is another one: what was asked may be what happened.
  if (support.readBack === 'none') return { to: 'unclear', message: unclearText };
  return { to: 'unknown', after: FLOW.looks[0], message: unansweredText };
}
const unclearText =
  'Niemand weiß, ob es geschehen ist: der Marktplatz hat nicht geantwortet und zeigt es nicht an. Bitte sehen Sie dort nach.';

export type Sent = { sends: number; reads: number; sinceSent: number; submitted: boolean };

/** What the marketplace shows of an action says what becomes of it. */
export function afterReading(
  evidence: Evidence,
  support: ActionSupport,
  { sends, reads, sinceSent, submitted }: Sent,
): Step {
  const { state, reference, issues } = evidence;
  if (state === 'done') return { to: 'done', reference, message: '' };
  if (state === 'refused') return { to: 'refused', issues, message: textOf(issues) || refusedText };
  if (state === 'pending') {
    if (sinceSent > FLOW.patience)
      return { to: 'unclear', message: 'Der Marktplatz arbeitet seit einem Tag daran. Bitte sehen Sie dort nach.' };
    const message = 'Wird beim Marktplatz verarbeitet.';
    return submitted
      ? { to: 'submitted', reference, after: FLOW.pendingLook, message }
      : { to: 'unknown', after: FLOW.pendingLook, message };
  }
  const looksLeft = reads + 1 < FLOW.looks.length;
  // A parcel may be shown minutes after it was taken: absence counts only after the last look.
  if (looksLeft) return { to: 'unknown', after: FLOW.looks[reads + 1] ?? FLOW.pendingLook, message: unansweredText };
  const maySend = support.repeat === 'safe' || (support.repeat === 'after_reading' && state === 'absent');
  if (maySend && sends < FLOW.sends)
    return {
      to: 'new',
      after: 0,
      message: 'Beim Marktplatz ist nichts angekommen; es wird noch einmal gesendet.',
      notSent: false,
    };
  return { to: 'unclear', message: unclearText };
}

/** What a reading that failed means: it says nothing about the action, which is read again; but nobody waits for longer than a day. */
export function afterFailedReading(
  { delayMs = FLOW.readPause }: { delayMs?: number | undefined },
  { sinceSent, submitted }: Pick<Sent, 'sinceSent' | 'submitted'>,
): { again: number } | Extract<Step, { to: 'unclear' }> {
  if (sinceSent <= FLOW.patience) return { again: delayMs };
  const what = submitted ? 'Der Marktplatz hat es angenommen' : 'Gesendet, aber ohne Antwort';
  return {
    to: 'unclear',
    message: `${what}, und seit einem Tag lässt sich dort nicht nachlesen, was daraus wurde. Bitte sehen Sie dort nach.`,
  };
}
