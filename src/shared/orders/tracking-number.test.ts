import { expect, test } from 'vitest';
import { bareTracking } from './tracking-number.ts';

test('OIM-02 two tracking numbers in one text are not taken for one', () => {
  expect(bareTracking(' 0034 0434 1610\u00a09404 2557 ')).toBe('00340434161094042557');
  expect(bareTracking('1Z 999 AA1 01 2345 6784')).toBe('1Z999AA10123456784');
  expect(bareTracking('00340434161094042557\n00340434161094042564')).toBe('00340434161094042557 00340434161094042564');
});
