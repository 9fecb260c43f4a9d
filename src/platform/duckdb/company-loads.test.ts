import { describe, expect, it } from 'vitest';
import { CompanyLoads } from './company-loads.ts';

/** Returns the loads of two processors after companies computed `ms` in each second. */
function after(seconds: number, ms: number) {
  const clock = { now: 0 };
  const loads = new CompanyLoads(() => clock.now, 2);
  for (let second = 0; second < seconds; second++) {
    clock.now += 1000;
    loads.add('A', ms);
  }
  return { clock, loads };
}

describe('companies that compute much get a lower priority (T22)', () => {
  it('a company that uses a third of the machine is heavy after some seconds, one that uses a fifth never', () => {
    expect(after(4, 667).loads.isHeavy('A')).toBe(false);
    expect(after(20, 667).loads.isHeavy('A')).toBe(true);
    expect(after(1000, 400).loads.isHeavy('A')).toBe(false);
  });

  it('a single long query makes only its own company heavy, and only for some seconds', () => {
    const { clock, loads } = after(1, 4000);
    expect([loads.isHeavy('A'), loads.isHeavy('B')]).toEqual([true, false]);
    clock.now += 5000;
    expect(loads.isHeavy('A')).toBe(false);
    loads.add('A', 1700);
    expect(loads.isHeavy('A')).toBe(true);
  });

  it('next to a much heavier company, no other one is heavy', () => {
    const { loads } = after(1, 10_000);
    loads.add('B', 4000);
    expect([loads.isHeavy('A'), loads.isHeavy('B')]).toEqual([true, false]);
  });
});
