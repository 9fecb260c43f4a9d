import { expect, test } from 'vitest';
import { DifferenceSettings, DifferenceSettingsSave, withoutLimits } from './schema.ts';

test('DIF-02 an action without any limit gets a warning; no action, or any limit, gets none', () => {
  const of = (settings: object) => withoutLimits(DifferenceSettings.parse(settings));
  expect(of({ action_on_difference: 'block_send' })).toMatch(/^Ohne Grenze .* Angehalten wird nur/);
  expect(of({ action_on_difference: 'send_notification' })).toMatch(/Benachrichtigt wird nur/);
  expect(of({ action_on_difference: 'block_send', pos_difference: 1 })).toBeUndefined();
  expect(of({ action_on_difference: 'block_send', neg_difference: 100 })).toBeUndefined();
  expect(of({})).toBeUndefined();
});

test('DIF-02 a limit is a whole number from 0 to 100; values that JavaScript would convert to one are refused', () => {
  const limitOf = (neg_difference: unknown) =>
    DifferenceSettingsSave.safeParse({ neg_difference }).data?.neg_difference;
  expect([0, 100, '7', ' 7 ', '', null].map(limitOf)).toEqual([0, 100, 7, 7, 0, 0]);
  for (const odd of [true, [5], '0x10', '1e1', '1.0', 1.5, -1, 101, 'abc', {}]) expect(limitOf(odd)).toBeUndefined();
});
