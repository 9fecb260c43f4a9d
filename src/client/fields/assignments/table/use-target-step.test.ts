import { expect, it } from 'vitest';
import { stepOf } from './use-target-step.ts';

const plain = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };

it('MAP-02 Enter and the up and down arrows move from target to target, other keys do not', () => {
  expect(stepOf({ ...plain, key: 'Enter' })).toBe(1);
  expect(stepOf({ ...plain, key: 'Enter', shiftKey: true })).toBe(-1);
  expect([stepOf({ ...plain, key: 'ArrowDown' }), stepOf({ ...plain, key: 'ArrowUp' })]).toEqual([1, -1]);
  expect([stepOf({ ...plain, key: 'a' }), stepOf({ ...plain, key: 'ArrowDown', altKey: true })]).toEqual([0, 0]);
});
