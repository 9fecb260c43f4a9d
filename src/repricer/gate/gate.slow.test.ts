import { describe, expect, it } from 'vitest';
import { FIGURES, gate, GATE, gateReasons, isSendable, type GateInput, type GateReason } from './gate.ts';
import { heldLabel } from '#shared/repricer/held.ts';
import { normalSafety, safetyFigures, safetyNames } from '#shared/repricer/safety.ts';

const now = Date.UTC(2026, 0, 15, 12);
const minutes = (n: number) => n * 60_000;

/** An input that passes every check; each test spoils one thing. */
const fine: GateInput = {
  now,
  price: 1399,
  decided: { min: 1000, max: 2000, version: '7:3' },
  limits: { min: 1000, max: 2000, standard: 1500, version: '7:3' },
  before: null,
  limitsReview: false,
  snapshotAt: now - minutes(60),
  current: 1500,
  dayAgo: 1500,
  sends: [],
  inFlight: false,
  offers: { at: now - minutes(1), newest: now - minutes(1), target: 1400 },
  switches: { rule: true, active: true, dryRun: false, stopped: false, breaker: false, alarm: false },
  canary: null,
  safety: normalSafety,
};
const verdictFor = (change: Partial<GateInput>) => gate({ ...fine, ...change });
const limits = (min: number | null, max: number | null, standard: number | null) => ({
  decided: { min, max, version: '1' },
  limits: { min, max, standard, version: '1' },
});
const send = (minutesAgo: number, from: number, to: number) => ({ at: now - minutes(minutesAgo), from, to });

describe('the gate', () => {
  it('REP-19 submits a price that passes every check, and reports one that is live already as unchanged', () => {
    expect(gate(fine)).toEqual({ kind: 'submit', price: 1399 });
    expect(verdictFor({ price: 1500 })).toEqual({ kind: 'unchanged' });
    expect(verdictFor({ current: null, dayAgo: null })).toEqual({ kind: 'submit', price: 1399 });
  });

  const holds: [string, GateReason, Partial<GateInput>][] = [
    ['the emergency stop', 'STOPPED', { switches: { ...fine.switches, stopped: true } }],
    ['a disabled add-on', 'ADDON_OFF', { switches: { ...fine.switches, active: false } }],
    ['a paused rule', 'RULE_PAUSED', { switches: { ...fine.switches, rule: false } }],
    ['a tripped breaker', 'BREAKER', { switches: { ...fine.switches, breaker: true } }],
    ['a safety figure that is not a number', 'SAFETY_WRONG', { safety: { ...normalSafety, step: Number.NaN } }],
    ['a safety figure outside its range', 'SAFETY_WRONG', { safety: { ...normalSafety, snapshotAge: 1e9 } }],
    ['an item with a sales alarm', 'SALES_ALARM', { switches: { ...fine.switches, alarm: true } }],
    ['a dry run', 'DRY_RUN', { switches: { ...fine.switches, dryRun: true } }],
    ['a missing minimum', 'LIMITS_MISSING', limits(null, 2000, 1500)],
    ['a minimum of zero', 'LIMITS_MISSING', limits(0, 2000, 1500)],
    ['a minimum that is not a number', 'LIMITS_MISSING', limits(Number.NaN, 2000, 1500)],
    ['a minimum with half cents', 'LIMITS_MISSING', limits(999.5, 2000, 1500)],
    ['a minimum above the maximum', 'LIMITS_MISSING', limits(2000, 1000, 1500)],
    ['a standard price outside the bounds', 'LIMITS_MISSING', limits(1000, 2000, 2001)],
    ['a maximum beyond the largest possible price', 'LIMITS_MISSING', limits(1000, 100_000_000, 1500)],
    ['another version of the bounds', 'LIMITS_CHANGED', { decided: { ...fine.decided, version: '7:2' } }],
    [
      'a missing version of the bounds',
      'LIMITS_CHANGED',
      { decided: { ...fine.decided, version: '' }, limits: { ...fine.limits, version: '' } },
    ],
    ['other bounds under the same version', 'LIMITS_CHANGED', { decided: { ...fine.decided, min: 900 } }],
    [
      'bounds that moved by a cent while a review is pending',
      'LIMITS_MOVED',
      { before: { min: 1001, max: 2000 }, limitsReview: true },
    ],
    ['bounds that halved', 'LIMITS_MOVED', { before: { min: 2001, max: 2000 } }],
    ['item data of three days ago', 'SNAPSHOT_OLD', { snapshotAt: now - minutes(72 * 60) }],
    ['no item data', 'SNAPSHOT_OLD', { snapshotAt: null }],
    ['a price below the minimum', 'OUT_OF_BOUNDS', { price: 999 }],
    ['a price above the maximum', 'OUT_OF_BOUNDS', { price: 2001 }],
    ['a price that is not a number', 'PRICE_WRONG', { price: Number.NaN }],
    ['a price with half a cent', 'PRICE_WRONG', { price: 1399.5 }],
    ['old offers', 'OFFERS_OLD', { offers: { ...fine.offers, at: now - minutes(61) } }],
    ['no offers', 'OFFERS_OLD', { offers: { at: null, newest: null, target: null } }],
    ['offers from the future', 'OFFERS_FUTURE', { offers: { at: now + minutes(6), newest: null, target: 1400 } }],
    ['newer offers', 'OFFERS_SUPERSEDED', { offers: { at: now - minutes(2), newest: now - minutes(1), target: 1400 } }],
    ["a competitor's implausibly low price", 'TARGET_IMPLAUSIBLE', { offers: { ...fine.offers, target: 299 } }],
    ["a competitor's implausibly high price", 'TARGET_IMPLAUSIBLE', { offers: { ...fine.offers, target: 15_001 } }],
    ['a price update in progress', 'IN_FLIGHT', { inFlight: true }],
    ['a price update a few minutes ago', 'TOO_SOON', { sends: [send(4, 1600, 1500)] }],
    [
      'twelve price updates in an hour',
      'TOO_OFTEN',
      { sends: Array.from({ length: 12 }, (_, n) => send(59 - n * 4, 1500 + n, 1499)) },
    ],
    [
      'two hundred price updates in a day',
      'TOO_OFTEN',
      { sends: Array.from({ length: 200 }, (_, n) => send(1400 - n * 6.5, 1600, 1500)) },
    ],
    [
      'a price that alternates between two values',
      'OSCILLATING',
      {
        sends: [55, 46, 37, 28, 19, 10].map((ago, n) =>
          send(ago, n % 2 === 0 ? 1500 : 1400, n % 2 === 0 ? 1400 : 1500),
        ),
      },
    ],
    [
      'a second large price step too soon',
      'STEP_PAUSE',
      { ...limits(500, 2000, 1500), price: 600, sends: [send(20, 2000, 1500)] },
    ],
    [
      'a price that already fell far enough in a day',
      'DAY_FALL',
      { ...limits(500, 2000, 1500), price: 700, current: 800, dayAgo: 1600 },
    ],
    [
      'an item outside the canary of a new rule',
      'CANARY',
      { canary: { since: now - minutes(5), sent: 20, total: 150, included: false } },
    ],
    ['a current price that is not a number', 'PRICE_WRONG', { current: Number.NaN }],
  ];
  it.each(holds)('REP-19 %s is held with %s', (_name, reason, change) => {
    expect(verdictFor(change)).toMatchObject({ kind: 'hold', reason });
  });

  it('REP-19 every reason to hold has a test case and a label', () => {
    for (const code of gateReasons) expect(heldLabel(code)).not.toBe(code);
    expect(new Set(holds.map(([, reason]) => reason))).toEqual(new Set(gateReasons));
  });

  it("REP-19 the gate's own ranges of the safety figures equal those offered to users", () => {
    for (const [name, range] of Object.entries(FIGURES)) {
      const known = safetyNames.find((one) => one === name);
      expect(known === undefined ? [] : [safetyFigures[known].least, safetyFigures[known].most]).toEqual(range);
    }
  });

  it('REP-19 the sender checks price and bounds once more', () => {
    expect(isSendable({ price: 5, min: 5, max: 5 })).toBe(true);
    for (const wrong of [null, undefined, 0, 4, 6, 5.5, Number.NaN, '5'])
      expect([wrong, isSendable({ price: wrong, min: 5, max: 5 })]).toEqual([wrong, false]);
    for (const wrong of [null, 0, Number.NaN, 1e12])
      expect(isSendable({ price: 5, min: wrong, max: wrong })).toBe(false);
  });

  it('REP-19 a large change goes in steps, a price out of bounds returns at once, a canary submits its first items', () => {
    expect(verdictFor({ ...limits(500, 2000, 1500), price: 600 })).toEqual({ kind: 'step', price: 1050 });
    expect(verdictFor({ ...limits(500, 9000, 1500), price: 9000 })).toEqual({ kind: 'step', price: 1950 });
    expect(verdictFor({ price: 1100, current: 100, dayAgo: null })).toEqual({ kind: 'step', price: 1000 });
    expect(verdictFor({ price: 1100, current: 9000, dayAgo: 9000 })).toEqual({ kind: 'step', price: 2000 });
    expect(verdictFor({ ...limits(500, 2000, 1500), price: 700, current: 900, dayAgo: 1600 })).toEqual({
      kind: 'step',
      price: 800,
    });
    const canary = { since: now - minutes(5), sent: 20, total: 150, included: false };
    expect(verdictFor({ canary: { ...canary, sent: 19 } })).toMatchObject({ kind: 'submit' });
    expect(verdictFor({ canary: { ...canary, included: true } })).toMatchObject({ kind: 'submit' });
    expect(verdictFor({ canary: { ...canary, total: 1000 } })).toMatchObject({ kind: 'submit' });
    expect(verdictFor({ canary: { ...canary, since: now - minutes(15) } })).toMatchObject({ kind: 'submit' });
    expect(verdictFor({ sends: [send(4, 1600, 1500)] })).toMatchObject({ again: now + minutes(1) });
  });

  it('REP-19 prices of a few cents can change too, since a step is at least one cent', () => {
    const cheap = { ...limits(1, 100, 30), offers: { ...fine.offers, target: null }, dayAgo: null };
    expect(verdictFor({ ...cheap, current: 3, price: 10 })).toEqual({ kind: 'step', price: 4 });
    expect(verdictFor({ ...cheap, current: 10, price: 3 })).toEqual({ kind: 'step', price: 7 });
    const small = { ...cheap, safety: { ...normalSafety, step: 1 } };
    expect(verdictFor({ ...small, current: 50, price: 60 })).toEqual({ kind: 'step', price: 51 });
    expect(verdictFor({ ...small, current: 60, price: 50 })).toEqual({ kind: 'step', price: 59 });
  });

  it('REP-19 in a million random inputs every submitted price is within the bounds, and over 30 % are submitted', () => {
    const random = seeded(20_260_115);
    let sent = 0;
    for (let n = 0; n < 1_000_000; n++) {
      const question = anyQuestion(random);
      const verdict = gate(question);
      if (verdict.kind !== 'submit' && verdict.kind !== 'step') continue;
      sent++;
      const { min, max } = question.limits;
      const { price } = verdict;
      if (
        min === null ||
        max === null ||
        !Number.isInteger(price) ||
        !(price >= min && price <= max) ||
        price < 1 ||
        question.switches.stopped ||
        question.switches.dryRun ||
        question.switches.alarm ||
        question.inFlight
      )
        throw new Error(`${JSON.stringify(question)} gave ${JSON.stringify(verdict)}`);
    }
    expect(sent / 1_000_000).toBeGreaterThan(0.3);
    expect(GATE.most).toBe(99_999_999);
  });
});

/** mulberry32: the same inputs on every machine. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const wrongNumbers = [null, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.5, 1e12];

/** Returns a mostly valid input with parts spoiled now and then, so that many pass and every check is reached. */
function anyQuestion(random: () => number): GateInput {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const rarely = (share: number) => random() < share;
  const spoiled = (value: number) =>
    rarely(0.01) ? (wrongNumbers[between(0, wrongNumbers.length - 1)] ?? null) : value;
  const min = between(1, 5000);
  const max = rarely(0.02) ? between(1, min) : min + between(0, 5000);
  const standard = rarely(0.02) ? between(1, 20_000) : between(min, Math.max(min, max));
  const price = rarely(0.1) ? between(-10, 12_000) : between(min, Math.max(min, max));
  const bounds = { min: spoiled(min), max: spoiled(max) };
  const same = rarely(0.97);
  const current = rarely(0.1) ? null : rarely(0.2) ? between(1, 12_000) : between(min, Math.max(min, max));
  const at = now - between(0, 50) * 60_000;
  return {
    now,
    price: rarely(0.01) ? (spoiled(price) ?? Number.NaN) : price,
    decided: { ...bounds, version: '1' },
    limits: {
      ...(same ? bounds : { min: spoiled(min), max: spoiled(max) }),
      standard: spoiled(standard),
      version: rarely(0.02) ? '2' : '1',
    },
    before: rarely(0.8)
      ? null
      : { min: Math.max(1, min + between(-500, 500)), max: Math.max(1, max + between(-500, 500)) },
    limitsReview: rarely(0.05),
    snapshotAt: rarely(0.02) ? null : now - between(0, 49) * 3_600_000,
    current,
    dayAgo: rarely(0.3) || current === null ? null : Math.max(1, current + between(-2000, 2000)),
    sends: rarely(0.6)
      ? []
      : Array.from({ length: between(1, 14) }, (_, n) => ({
          at: now - (15 - n) * 400_000,
          from: between(min, min + 100),
          to: between(min, min + 100),
        })),
    inFlight: rarely(0.02),
    offers: {
      at: rarely(0.02) ? now - between(-20, 200) * 60_000 : at,
      newest: rarely(0.02) ? now : at,
      target: rarely(0.05) ? between(1, 200_000) : Math.round(standard * (0.5 + random())),
    },
    switches: {
      rule: !rarely(0.02),
      active: !rarely(0.02),
      dryRun: rarely(0.02),
      stopped: rarely(0.02),
      breaker: rarely(0.02),
      alarm: rarely(0.02),
    },
    canary: rarely(0.8)
      ? null
      : { since: now - between(0, 30) * 60_000, sent: between(0, 40), total: between(1, 400), included: rarely(0.5) },
    safety: rarely(0.7) ? normalSafety : (manyFigures[between(0, manyFigures.length - 1)] ?? normalSafety),
  };
}

/** Figures across their ranges, now and then an invalid one. */
const manyFigures = ((random) =>
  Array.from({ length: 500 }, () => ({
    ...normalSafety,
    ...Object.fromEntries(
      safetyNames.map((name) => {
        const { least, most } = safetyFigures[name];
        return [name, random() < 0.002 ? Number.NaN : least + Math.floor(random() * (most - least + 1))];
      }),
    ),
  })))(seeded(3));
