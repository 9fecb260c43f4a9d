import { expect, test } from 'vitest';
import { DifferenceSettings, withoutLimits } from './schema.ts';

test('DIF-02 an action without any limit says how little it does; no action and any limit say nothing', () => {
  const of = (settings: object) => withoutLimits(DifferenceSettings.parse(settings));
  expect(of({ action_on_difference: 'block_send' })).toMatch(/^Ohne Grenze .* Angehalten wird nur/);
  expect(of({ action_on_difference: 'send_notification' })).toMatch(/Benachrichtigt wird nur/);
  expect(of({ action_on_difference: 'block_send', pos_difference: 1 })).toBeUndefined();
  expect(of({ action_on_difference: 'block_send', neg_difference: 100 })).toBeUndefined();
  expect(of({})).toBeUndefined();
});
