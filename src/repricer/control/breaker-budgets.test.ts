import { expect, test } from 'vitest';
import { BreakerBudgets } from './breaker-budgets.ts';

const ref = { company: 'c', masterid: 'm' };
const at = (ms: number) => new Date(1_700_000_000_000 + ms);
const one = { changed: 1, atMinimum: 0, loss: 100 };

test('REP-19 without a count every change is checked; after one, half of the remaining budget is spent unchecked', () => {
  const budgets = new BreakerBudgets();
  expect(budgets.spend(ref, one, at(0))).toBe(false);
  budgets.keep(ref, { changed: 5, atMinimum: 9, loss: Number.MAX_SAFE_INTEGER }, at(0));
  expect([1, 2, 3].map((ms) => budgets.spend(ref, one, at(ms)))).toEqual([true, true, false]);
  expect(budgets.spend({ ...ref, masterid: 'other' }, one, at(3))).toBe(false);
});

test('REP-19 eight processes that counted at the same time together spend no more than the remaining budget', () => {
  const processes = Array.from({ length: 8 }, () => new BreakerBudgets(() => 3));
  for (const budgets of processes) budgets.keep(ref, { changed: 20, atMinimum: 99, loss: 99_999 }, at(0));
  const spent = processes.flatMap((budgets) => [1, 2, 3, 4].map((ms) => budgets.spend(ref, one, at(ms))));
  expect(spent.filter(Boolean)).toHaveLength(16);
});

test('REP-19 the budget ends with any of its figures, and after some seconds', () => {
  for (const missing of [
    { changed: 1, atMinimum: 9, loss: 999 },
    { changed: 9, atMinimum: 9, loss: 199 },
    { changed: 9, atMinimum: -3, loss: 999 },
  ]) {
    const budgets = new BreakerBudgets();
    budgets.keep(ref, missing, at(0));
    expect(budgets.spend(ref, one, at(1))).toBe(false);
  }
  const budgets = new BreakerBudgets();
  budgets.keep(ref, { changed: 90, atMinimum: 90, loss: 9999 }, at(0));
  expect(budgets.spend(ref, one, at(4999))).toBe(true);
  expect(budgets.spend(ref, one, at(5000))).toBe(false);
});

test('REP-19 twice as many processes as were counted still spend no more than the remaining budget', () => {
  const processes = Array.from({ length: 40 }, () => new BreakerBudgets(() => 20));
  for (const budgets of processes) budgets.keep(ref, { changed: 99, atMinimum: 999, loss: 999_999 }, at(0));
  const spent = processes.flatMap((budgets) => [1, 2, 3, 4, 5].map((ms) => budgets.spend(ref, one, at(ms))));
  expect(spent.filter(Boolean)).toHaveLength(80);
});
