import type { FailureKind } from '#marketplaces/port.ts';
import type { ActionAnswer, ActionSupport, Evidence } from '#marketplaces/orders-port.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const FLOW = {
  leaseMs: 2 * MINUTE,
  /** Delays before each read-back after an unanswered send; the last one repeats until `patience` is over. */
  looks: [MINUTE, 5 * MINUTE, 30 * MINUTE],
  /**
   * Delays before the look after an unanswered send that may safely be repeated, one per send: if it is not shown then, it is sent
   * again. Most failures pass within a minute, and each minute counts for the merchant's delivery figures. After them the send is
   * only read back, as above.
   */
  repeats: [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE],
  /** Interval at which an action that the marketplace is still processing is read back. */
  pendingLook: 2 * MINUTE,
  /**
   * After this time an action becomes unclear, for people to check, even if the marketplace still processes it or cannot be read.
   */
  patience: 24 * 60 * MINUTE,
  /** Delay before an action that could not be sent is tried again: the first one, doubled up to the longest. */
  pause: 5000,
  longestPause: 10 * MINUTE,
  authPause: 15 * MINUTE,
  /** Delay after a failed read-back when the marketplace does not say when to retry. */
  readPause: MINUTE,
  /** How often one action may be sent after all looks: a second time only if nothing arrived or repeating is harmless. */
  sends: 2,
  /** Delay before an order that must not be sent yet is checked again. */
  heldLook: MINUTE,
} as const;

/** The next state of an action; `after` is the delay in ms until it is processed again. `message` is for people. */
export type Step =
  | { to: 'done'; reference: string; message: string }
  | { to: 'refused'; message: string; issues: ActionAnswer['issues'] }
  | { to: 'submitted'; reference: string; after: number; message: string }
  /** `notSent`: certainly nothing was sent, so the attempt does not count. */
  | { to: 'new'; after: number; message: string; notSent: boolean }
  /** `reads`: read-backs that count as made already. */
  | { to: 'unknown'; after: number; message: string; reads?: number }
  | { to: 'unclear'; message: string };

const textOf = (issues: ActionAnswer['issues']): string => issues.map(({ message }) => message).join(' ');
const refusedText = 'Der Marktplatz hat es abgelehnt.';
const looksText = 'Kontor liest beim Marktplatz nach, bevor etwas noch einmal gesendet wird.';
export const unansweredText = `Gesendet, aber ohne Antwort. ${looksText}`;

/**
 * Returns the step after the marketplace's answer. Where the marketplace can be read back, an action is done only once it shows
 * there: if it accepted a parcel and lost it, the order would stay open there although it is shipped here.
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

/**
 * Returns the step after a failed send: if the marketplace may have carried it out, it is read back first. `tries`: starts of a
 * send; `sends`: those that may have arrived.
 */
export function afterFailure(
  failure: { kind: FailureKind; message: string; delayMs?: number | undefined; field?: string | undefined },
  support: ActionSupport,
  { tries, sends }: { tries: number; sends: number },
): Step {
  const { kind, message } = failure;
  if (kind === 'permanent')
    return { to: 'refused', message, issues: [{ code: 'REFUSED', message, field: failure.field }] };
  if (kind === 'auth') return { to: 'new', after: FLOW.authPause, message, notSent: true };
  if (kind === 'retryable') {
    const pause = failure.delayMs ?? Math.min(FLOW.longestPause, FLOW.pause * 2 ** Math.min(tries, 10));
    return { to: 'new', after: pause, message, notSent: true };
  }
  // A conflict means that the order is in another state there; that may be because our own action already happened.
  if (support.readBack === 'none') return { to: 'unclear', message: unclearText };
  // It answered, so sending the same again soon changes nothing.
  if (kind === 'conflict') return { to: 'unknown', after: FLOW.looks[0], message: unansweredText, reads: 1 };
  const repeat = support.repeat === 'safe' ? FLOW.repeats[sends - 1] : undefined;
  return { to: 'unknown', after: repeat ?? FLOW.looks[0], message: unansweredText };
}
const unclearText =
  'Niemand weiß, ob es geschehen ist: der Marktplatz hat nicht geantwortet und zeigt es nicht an. Bitte sehen Sie dort nach.';

export type SendProgress = { sends: number; reads: number; sinceSent: number; submitted: boolean };

/** Returns the step that follows from what the marketplace shows of an action. */
export function afterReading(
  evidence: Evidence,
  support: ActionSupport,
  { sends, reads, sinceSent, submitted }: SendProgress,
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
  // An accepted send only takes time, and one that was read before was not answered for another reason.
  const isUnanswered = !submitted && reads === 0;
  if (isUnanswered && support.repeat === 'safe' && sends <= FLOW.repeats.length) return repeated;
  const looksLeft = reads + 1 < FLOW.looks.length;
  // A parcel may be shown minutes after it was accepted: absence counts only after the last read-back.
  // A marketplace may have answered without saying what became of it, for example if it aborted the processing.
  const said = textOf(issues);
  if (looksLeft) {
    const message = said === '' ? unansweredText : `${said} ${looksText}`;
    return { to: 'unknown', after: FLOW.looks[reads + 1] ?? FLOW.pendingLook, message };
  }
  const maySend = support.repeat === 'safe' || (support.repeat === 'after_reading' && state === 'absent');
  if (maySend && sends < FLOW.sends) return repeated;
  return { to: 'unclear', message: said === '' ? unclearText : `${said} Bitte sehen Sie dort nach.` };
}

const repeated = {
  to: 'new',
  after: 0,
  message: 'Beim Marktplatz ist davon nichts zu sehen; es wird noch einmal gesendet.',
  notSent: false,
} as const;

/**
 * Returns the step after a failed read-back. The failure says nothing about the action, so it is read again, but for at most a
 * day.
 */
export function afterFailedReading(
  { delayMs = FLOW.readPause }: { delayMs?: number | undefined },
  { sinceSent, submitted }: Pick<SendProgress, 'sinceSent' | 'submitted'>,
): { again: number } | Extract<Step, { to: 'unclear' }> {
  if (sinceSent <= FLOW.patience) return { again: delayMs };
  const what = submitted ? 'Der Marktplatz hat es angenommen' : 'Gesendet, aber ohne Antwort';
  return {
    to: 'unclear',
    message: `${what}, und seit einem Tag lässt sich dort nicht nachlesen, was daraus wurde. Bitte sehen Sie dort nach.`,
  };
}
