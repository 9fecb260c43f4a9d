import { describe, expect, it } from 'vitest';
import { reasonCodes } from '#shared/repricer/decision.ts';
import { PriceDecision, SentPrice } from '#shared/repricer/history.ts';
import { decisionChapters, stateOf } from './decision-words.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const seller = (seller_id: string, listing: number, shipping = 0, is_buybox = false) => ({
  seller_id,
  listing_cents: listing,
  shipping_cents: shipping,
  landed_cents: listing + shipping,
  is_buybox,
});
const target = seller('K1', 1300, 100, true);
const decision = (part: Partial<PriceDecision> = {}, sum: Partial<PriceDecision['arithmetic']> = {}) =>
  PriceDecision.parse({
    id: 1,
    decidedAt: '2026-11-20T15:04:00Z',
    marketplace: 'M1',
    cause: 'offers:abc',
    rule: 'Regel00001',
    ruleName: 'Unterbieten',
    ruleRevision: 3,
    snapshot: 5,
    masterRules: 0,
    mappings: 0,
    offersAt: '2026-11-20T15:03:00Z',
    price_cents: 1349,
    reason: 'COMPETE_LOWEST',
    target_seller_id: 'K1',
    verdict: 'submit',
    held: '',
    sent: null,
    program: '1.0+abc',
    seal: null,
    ...part,
    arithmetic: {
      min_cents: 1000,
      max_cents: 2000,
      standard_cents: 1500,
      standard_given_cents: 1500,
      standard_clamped: false,
      own_shipping_cents: 50,
      diff_cents: 1,
      current_cents: 1500,
      target,
      computed_cents: 1349,
      first_target: target,
      competitors: [target, seller('K2', 1600)],
      removed: [{ seller_id: 'WIR', landed_cents: 1500, reason: 'OWN' }],
      ...sum,
    },
  });
const wordsFor = (made: PriceDecision, currency = 'EUR') =>
  Object.fromEntries(decisionChapters(made, currency).map(({ title, sentences }) => [title, sentences.map(plain)]));
const sent = (state: string, part: object = {}) =>
  SentPrice.parse({
    price_cents: 1349,
    from_cents: 1500,
    state,
    held: '',
    message: null,
    issues: [],
    sends: 1,
    sentAt: '2026-11-20T15:05:00Z',
    endedAt: null,
    ...part,
  });

describe('a price decision explained in sentences', () => {
  it("REP-19 explains the trigger, the limits, every offer, the calculation, the result and the gate's verdict", () => {
    expect(wordsFor(decision())).toEqual({
      Aufzeichnung: [expect.stringContaining('Noch nicht versiegelt')],
      Anlass: [
        'Auslöser: der Marktplatz meldete geänderte Angebote.',
        'Regel „Unterbieten“ (Regelstand 3), Artikeldaten aus Stand 5.',
        'Angebote vom 20.11.2026, 16:03.',
      ],
      Grenzen: ['Mindestpreis 10,00 €, Standardpreis 15,00 €, Maximalpreis 20,00 €.'],
      Angebote: [
        '3 Angebote liegen vor; als Wettbewerber zählen 2.',
        'Mit Versand, günstigste zuerst: K1 14,00 € (BuyBox); K2 16,00 €.',
        'Ausgelassen, eigenes Angebot: WIR 15,00 €.',
      ],
      Rechnung: [
        'Ziel ist K1 mit 14,00 € (13,00 € + 1,00 € Versand, in der BuyBox).',
        '14,00 € − 0,50 € eigener Versand − 0,01 € Preisdifferenz = 13,49 €.',
      ],
      Ergebnis: ['Gerechnet gegen den günstigsten Wettbewerber ergibt sich 13,49 €.'],
      Prüfung: ['Der Preis darf gesendet werden.'],
    });
  });

  it('GEN-01 REP-19 every amount stands in the currency of its marketplace', () => {
    const step = { verdict: 'step', reason: 'BELOW_MIN_NEXT_SELLER', sent: sent('new') } as const;
    const next = { target: seller('K2', 1600), standard_clamped: true };
    const words = Object.values(wordsFor(decision(step, next), 'PLN'))
      .flat()
      .join(' ');
    expect(words).toContain('15,00 PLN');
    expect(words).not.toContain('€');
  });

  it('REP-19 explains why a price was held, and which limit is missing', () => {
    const nothing = { competitors: [], removed: [], target: null, first_target: null, computed_cents: null };
    const made = decision(
      { price_cents: null, reason: 'HOLD_BOUNDS_INVALID', verdict: 'none' },
      { ...nothing, standard_cents: null, standard_given_cents: null },
    );
    expect(wordsFor(made)['Grenzen']).toEqual([
      'Mindestpreis 10,00 €, Standardpreis fehlt oder ist nicht lesbar, Maximalpreis 20,00 €.',
    ]);
    expect(wordsFor(made)['Ergebnis']).toEqual(['Ohne lesbare Preisgrenzen wird der Preis nicht angefasst.']);
    expect([wordsFor(made)['Angebote'], wordsFor(made)['Prüfung']]).toEqual([undefined, undefined]);
    expect(stateOf(made).word).toBe('kein Preis');
    expect(wordsFor(decision({ verdict: 'hold', held: 'LIMITS_MOVED' }))['Prüfung']).toEqual([
      'Gehalten: Preisgrenzen stark geändert. Der Preis wurde nicht gesendet.',
    ]);
  });

  it('REP-19 explains that the next offer becomes the target if the first would lead below the minimum; shortens long lists', () => {
    const next = seller('K2', 1600);
    const made = decision(
      { reason: 'BELOW_MIN_NEXT_SELLER', price_cents: 1549 },
      {
        computed_cents: 799,
        target: next,
        competitors: Array.from({ length: 9 }, (_, n) => seller(`S${n}`, 900 + n)),
      },
    );
    expect(wordsFor(made)['Rechnung']?.[2]).toBe(
      'Statt seiner ist K2 mit 16,00 € (ohne Versandkosten) das Ziel: 16,00 € − 0,50 € eigener Versand − 0,01 € Preisdifferenz.',
    );
    expect(wordsFor(made)['Ergebnis']?.[0]).toMatch(/^7,99 € läge unter dem Mindestpreis 10,00 €/);
    expect(wordsFor(made)['Angebote']?.[1]).toMatch(/S5 9,05 € und 3 weitere\.$/);
  });

  it('REP-19 tells what happened to the price at the marketplace', () => {
    const words = (['new', 'accepted', 'live', 'invalid', 'unknown', 'held'] as const).map(
      (state) => stateOf(decision({ sent: sent(state) })).word,
    );
    expect(words).toEqual(['wartet', 'angenommen', 'gilt', 'abgelehnt', 'ungeklärt', 'gehalten']);
    const issues = [{ code: '90220', message: 'Preis fehlt' }];
    const refused = decision({ sent: sent('invalid', { issues, sends: 4 }) });
    expect(wordsFor(refused)['Versand']).toEqual([
      'Der Marktplatz hat den Preis nicht übernommen.',
      'Gesendet am 20.11.2026, 16:05, 4 Mal.',
      'Preis fehlt (90220)',
    ]);
    const held = decision({ sent: sent('held', { held: 'BREAKER', sentAt: null }) });
    expect(wordsFor(held)['Versand']).toEqual(['Gehalten: Sicherung ausgelöst. Der Preis wurde nicht gesendet.']);
  });

  it('REP-19 names the revisions of the master rules and mappings that the limits were computed with', () => {
    expect(wordsFor(decision({ masterRules: 4, mappings: 2 }))['Anlass']?.[1]).toBe(
      'Regel „Unterbieten“ (Regelstand 3), Artikeldaten aus Stand 5, Master-Regeln in Stand 4, Mappings in Stand 2.',
    );
  });

  it('REP-19 tells which program version decided and whether the record is sealed and verified', () => {
    const seal = { number: 7, sealedAt: '2026-11-20T15:06:00Z', verifiedAt: null };
    const record = (part: Partial<PriceDecision>) => wordsFor(decision(part))['Aufzeichnung'];
    expect(record({})).toEqual([
      'Entschieden von Programmversion 1.0+abc. Noch nicht versiegelt; das geschieht etwa jede Minute.',
    ]);
    expect(record({ seal, program: '' })).toEqual([
      'Versiegelt am 20.11.2026, 16:06 (Siegel 7), seitdem noch nicht geprüft.',
    ]);
    expect(record({ seal: { ...seal, verifiedAt: '2026-11-21T02:30:00Z' } })?.[0]).toMatch(
      /\(Siegel 7\), unverändert, zuletzt geprüft am 21.11.2026, 03:30.$/,
    );
  });

  it('every reason has a sentence of its own', () => {
    const sentences = reasonCodes.map((reason) => wordsFor(decision({ reason }))['Ergebnis']?.[0]);
    expect(new Set(sentences).size).toBe(reasonCodes.length);
  });
});
