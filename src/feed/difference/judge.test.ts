import { describe, expect, it } from 'vitest';
import { judgeDifference } from './judge.ts';

const ignored = { action_on_difference: 'no_action', neg_difference: 0, pos_difference: 0 } as const;
const judged = (before: number, after: number) =>
  judgeDifference(ignored, { before, after, difference: null, drifts: [] }).action;

describe('a new snapshot, whatever the settings', () => {
  it('F17 is blocked if it is empty', () => {
    expect([judged(1, 0), judged(5000, 0)]).toEqual(['block', 'block']);
  });

  it('F17 is blocked if at least four fifths of 100 or more items are gone', () => {
    expect([judged(100, 20), judged(100, 21), judged(99, 1), judged(1000, 200), judged(1000, 201)]).toEqual([
      'block',
      'accept',
      'accept',
      'block',
      'accept',
    ]);
  });

  it('F17 is blocked if hardly one of 100 or more item numbers is left, although there are as many new ones', () => {
    const renumbered = (before: number, removed: number, newKey = false) => {
      const difference = { removed, added: removed, changed: 0 };
      return judgeDifference(ignored, { before, after: before, difference, drifts: [], newKey });
    };
    expect([renumbered(100, 79), renumbered(99, 99), renumbered(100, 100, true)].map(({ action }) => action)).toEqual([
      'accept',
      'accept',
      'accept',
    ]);
    const reason = (kept: string, added: string) =>
      expect.stringMatching(
        `^Von den bisher 1.000 Artikelnummern ${kept} im neuen Stand, ${added} sind neu\\..+Bitte prüfen Sie, ob der Lieferant die Nummern`,
      );
    expect(renumbered(1000, 1000)).toEqual({ action: 'block', reasons: [reason('sind keine', '1.000')] });
    expect(renumbered(1000, 999)).toEqual({ action: 'block', reasons: [reason('ist nur noch 1', '999')] });
    expect(renumbered(1000, 800)).toEqual({ action: 'block', reasons: [reason('sind nur noch 200', '800')] });
  });

  it('F17 is accepted if there was none before', () => {
    expect(judged(0, 0)).toBe('accept');
  });

  it.for([
    ['no_action', true, 'accept', 1],
    ['send_notification', true, 'notify', 1],
    ['block_send', true, 'block', 1],
    ['no_action', false, 'accept', 0],
    ['send_notification', false, 'accept', 0],
    ['block_send', false, 'accept', 0],
  ] as const)(
    'DIF-03 with %s and a drift that is grave (%s), the action is: %s',
    ([action, grave, expected, reasons]) => {
      const drift = { field: 'preis', kind: 'emptied', sentence: '„preis“ ist leer.', grave } as const;
      const facts = { before: 10, after: 10, difference: null, drifts: [drift] };
      const judgement = judgeDifference({ ...ignored, action_on_difference: action }, facts);
      expect(judgement).toEqual({ action: expected, reasons: reasons === 1 ? [drift.sentence] : [] });
    },
  );
});
