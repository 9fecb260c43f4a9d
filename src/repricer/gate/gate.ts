/**
 * The last check of a price before it may be sent to a marketplace. It shares no code with the decision, not even the parsing of
 * prices (lint enforces it): a fault there must not pass here. Anything missing, contradictory or not a number holds the price;
 * nothing is ever filled in. Money is integer cents, times are milliseconds.
 */

export const GATE = {
  /** The largest allowed price, in cents. */
  most: 99_999_999,
  /** Changes of direction within an hour that are not yet oscillation. */
  turns: 4,
  offersFuture: 5 * 60_000,
  /** A target outside of these multiples of the standard price is a typing error or a trap. */
  lowOffer: 0.2,
  highOffer: 10,
  canaryItems: 20,
  canaryShare: 0.1,
  canaryTime: 15 * 60_000,
} as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Allowed ranges of a catalogue's own figures, least and most: percents, minutes, hours and counts. Repeated here, so that a
 * fault in stored or edited figures does not pass (a test compares them).
 */
export const FIGURES = {
  step: [1, 90],
  stepPause: [5, 1440],
  dayFall: [1, 95],
  limitsMove: [1, 1000],
  pause: [1, 1440],
  perHour: [1, 60],
  perDay: [1, 1000],
  offersAge: [5, 1440],
  snapshotAge: [1, 1080],
} as const;
type Figures = Readonly<Record<keyof typeof FIGURES, number>>;
const ranges: readonly [string, readonly [number, number]][] = Object.entries(FIGURES);

/** Their German texts are in shared/repricer/held.ts. */
export const gateReasons = [
  'RULE_PAUSED',
  'ADDON_OFF',
  'STOPPED',
  'SAFETY_WRONG',
  'BREAKER',
  'SALES_ALARM',
  'LIMITS_MISSING',
  'LIMITS_CHANGED',
  'LIMITS_MOVED',
  'SNAPSHOT_OLD',
  'PRICE_WRONG',
  'OUT_OF_BOUNDS',
  'OFFERS_OLD',
  'OFFERS_FUTURE',
  'OFFERS_SUPERSEDED',
  'TARGET_IMPLAUSIBLE',
  'IN_FLIGHT',
  'TOO_SOON',
  'TOO_OFTEN',
  'OSCILLATING',
  'DAY_FALL',
  'STEP_PAUSE',
  'CANARY',
  'DRY_RUN',
] as const;
export type GateReason = (typeof gateReasons)[number];

export type GateInput = {
  now: number;
  price: number;
  /** The limits of the decision and the current limits, each with their version. */
  decided: { min: number | null; max: number | null; version: string };
  limits: { min: number | null; max: number | null; standard: number | null; version: string };
  /** Limits of the last price that was sent; null: none was. */
  before: { min: number; max: number } | null;
  /** Only the limits of `before` count: a user without the right to set prices changed what limits come from. */
  limitsReview: boolean;
  snapshotAt: number | null;
  /** The last accepted price, and the price 24 hours ago. */
  current: number | null;
  dayAgo: number | null;
  /** Sends of the last 24 hours, the newest last. */
  sends: readonly { at: number; from: number | null; to: number }[];
  inFlight: boolean;
  offers: { at: number | null; newest: number | null; target: number | null };
  switches: { rule: boolean; active: boolean; dryRun: boolean; stopped: boolean; breaker: boolean; alarm: boolean };
  /**
   * Items already sent under the rules' present revision, and the number it may concern; null: the revision has proved itself.
   */
  canary: { since: number; sent: number; total: number; included: boolean } | null;
  /** The catalogue's figures. */
  safety: Figures;
};

/** `step`: not the requested price but the furthest on the way that a single send allows. `again`: when to try again. */
export type Verdict =
  | { kind: 'submit' | 'step'; price: number }
  | { kind: 'unchanged' }
  | { kind: 'hold'; reason: GateReason; again?: number };

const hold = (reason: GateReason, again?: number): Verdict =>
  again === undefined ? { kind: 'hold', reason } : { kind: 'hold', reason, again };
const isCents = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= GATE.most;

/** Returns whether a price may be sent, how far, or why not: switches first, then limits, data, bounds, pace and canary. */
export function gate(question: GateInput): Verdict {
  const { price, limits } = question;
  const verdict = switchesHold(question) ?? limitsHold(question) ?? dataHold(question);
  if (verdict !== undefined) return verdict;
  if (!isCents(price)) return hold('PRICE_WRONG');
  if (!isCents(limits.min) || !isCents(limits.max)) return hold('LIMITS_MISSING');
  if (price < limits.min || price > limits.max) return hold('OUT_OF_BOUNDS');
  if (price === question.current) return { kind: 'unchanged' };
  const held = tempoHold(question) ?? canaryHold(question);
  if (held !== undefined) return held;
  const reached = within(question, limits.min, limits.max);
  if (typeof reached !== 'number') return reached;
  // The same two comparisons again on the price that is sent: no step above may have changed it.
  if (!isCents(reached) || reached < limits.min || reached > limits.max) return hold('OUT_OF_BOUNDS');
  if (reached === question.current) return { kind: 'unchanged' };
  if (question.switches.dryRun) return hold('DRY_RUN');
  return { kind: reached === price ? 'submit' : 'step', price: reached };
}

/** Returns whether a price may be sent: the last comparison, on the very row that is sent. */
export function isSendable({ price, min, max }: { price: unknown; min: unknown; max: unknown }): boolean {
  return isCents(price) && isCents(min) && isCents(max) && min <= price && price <= max;
}

function switchesHold({ switches, safety }: GateInput): Verdict | undefined {
  if (switches.stopped) return hold('STOPPED');
  if (!switches.active) return hold('ADDON_OFF');
  if (!switches.rule) return hold('RULE_PAUSED');
  if (switches.breaker) return hold('BREAKER');
  if (switches.alarm) return hold('SALES_ALARM');
  if (safetyHolds(safety)) return hold('SAFETY_WRONG');
  return undefined;
}

/** Returns whether a figure is invalid or outside of its range, which holds every price. */
const safetyHolds = (safety: Readonly<Record<string, number>>): boolean =>
  ranges.some(([name, [least, most]]) => {
    const figure = safety[name];
    return !(Number.isSafeInteger(figure) && figure !== undefined && figure >= least && figure <= most);
  });

function limitsHold({
  limits,
  decided,
  before,
  limitsReview,
  now,
  snapshotAt,
  safety,
}: GateInput): Verdict | undefined {
  const { min, max, standard } = limits;
  if (!isCents(min) || !isCents(max) || !isCents(standard)) return hold('LIMITS_MISSING');
  if (!(min <= standard && standard <= max)) return hold('LIMITS_MISSING');
  if (limits.version === '' || decided.version !== limits.version || decided.min !== min || decided.max !== max)
    return hold('LIMITS_CHANGED');
  if (snapshotAt === null || !(now - snapshotAt <= safety.snapshotAge * HOUR)) return hold('SNAPSHOT_OLD');
  if (before !== null && (movedTooFar(before.min, min, safety) || movedTooFar(before.max, max, safety)))
    return hold('LIMITS_MOVED');
  if (before !== null && limitsReview && (before.min !== min || before.max !== max)) return hold('LIMITS_MOVED');
  return undefined;
}

const movedTooFar = (from: number, to: number, { limitsMove }: Figures): boolean =>
  !(Math.abs(to - from) * 100 <= from * limitsMove);

function dataHold({ offers, limits, now, safety }: GateInput): Verdict | undefined {
  if (offers.at === null || !(now - offers.at <= safety.offersAge * MINUTE)) return hold('OFFERS_OLD');
  if (!(offers.at - now <= GATE.offersFuture)) return hold('OFFERS_FUTURE');
  if (offers.newest !== null && offers.newest > offers.at) return hold('OFFERS_SUPERSEDED');
  const standard = limits.standard ?? Number.NaN;
  if (
    offers.target !== null &&
    !(offers.target >= standard * GATE.lowOffer && offers.target <= standard * GATE.highOffer)
  )
    return hold('TARGET_IMPLAUSIBLE');
  return undefined;
}

function tempoHold({ inFlight, sends, now, safety }: GateInput): Verdict | undefined {
  if (inFlight) return hold('IN_FLIGHT');
  const last = sends.at(-1);
  if (last === undefined) return undefined;
  if (!(now - last.at >= safety.pause * MINUTE)) return hold('TOO_SOON', last.at + safety.pause * MINUTE);
  const hour = sends.filter(({ at }) => now - at < HOUR);
  const [first] = hour;
  if (first !== undefined && hour.length >= safety.perHour) return hold('TOO_OFTEN', first.at + HOUR);
  if (sends.length >= safety.perDay) return hold('TOO_OFTEN', (sends[0]?.at ?? now) + 24 * HOUR);
  const ways = hour.flatMap(({ from, to }) => (from === null || from === to ? [] : [Math.sign(to - from)]));
  const reversals = ways.filter((way, index) => index > 0 && way !== ways[index - 1]).length;
  if (first !== undefined && reversals > GATE.turns) return hold('OSCILLATING', first.at + HOUR);
  return undefined;
}

function canaryHold({ canary, now }: GateInput): Verdict | undefined {
  if (canary === null || canary.included || now - canary.since >= GATE.canaryTime) return undefined;
  const allowed = Math.max(GATE.canaryItems, Math.ceil(canary.total * GATE.canaryShare));
  return canary.sent < allowed ? undefined : hold('CANARY', canary.since + GATE.canaryTime);
}

/** Returns the requested price, or as far towards it as one send and one day allow; never outside of the limits. */
function within(question: GateInput, min: number, max: number): number | Verdict {
  const { price, current, dayAgo, sends, now, safety } = question;
  if (current === null) return price;
  if (!isCents(current)) return hold('PRICE_WRONG');
  let reached = price;
  // At a few cents a percentage is less than one: a step is at least one cent, or such a price could never change.
  const lowest = Math.min(Math.ceil((current * (100 - safety.step)) / 100), current - 1);
  const highest = Math.max(Math.floor((current * (100 + safety.step)) / 100), current + 1);
  if (price < lowest || price > highest) {
    const last = sends.at(-1);
    const pause = safety.stepPause * MINUTE;
    if (last !== undefined && now - last.at < pause) return hold('STEP_PAUSE', last.at + pause);
    reached = Math.min(Math.max(price < lowest ? lowest : highest, min), max);
  }
  if (dayAgo !== null && reached < current) {
    const floor = Math.ceil((dayAgo * (100 - safety.dayFall)) / 100);
    if (reached < floor) {
      reached = Math.max(floor, min);
      // A price above its maximum must come down whatever the day's limit is; otherwise tomorrow is early enough.
      if (reached >= current || reached > max) return current > max ? max : hold('DAY_FALL');
    }
  }
  return reached;
}
