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

describe('companies that compute much give way (T22)', () => {
  it('whoever takes a third of the machine is heavy after some seconds, whoever takes a fifth never', () => {
    expect(after(4, 667).loads.isHeavy('A')).toBe(false);
    expect(after(20, 667).loads.isHeavy('A')).toBe(true);
    expect(after(1000, 400).loads.isHeavy('A')).toBe(false);
  });

  it('one long question is enough, others do not count for it, and after a rest it is forgotten', () => {
    const { clock, loads } = after(1, 4000);
    expect([loads.isHeavy('A'), loads.isHeavy('B')]).toEqual([true, false]);
    clock.now += 5000;
    expect(loads.isHeavy('A')).toBe(false);
    loads.add('A', 1700);
    expect(loads.isHeavy('A')).toBe(true);
  });

  it('beside somebody who takes much more nobody is heavy', () => {
    const { loads } = after(1, 10_000);
    loads.add('B', 4000);
    expect([loads.isHeavy('A'), loads.isHeavy('B')]).toEqual([true, false]);
  });
});
