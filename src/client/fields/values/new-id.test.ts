import { describe, expect, it } from 'vitest';
import { newRowIds, newRuleId } from './new-id.ts';

describe('new ids', () => {
  it('GEN-02 a rule id has ten characters of [A-Za-z0-9], and every such character occurs', () => {
    const ids = Array.from({ length: 2000 }, newRuleId);
    expect(ids.every((id) => /^[A-Za-z0-9]{10}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(2000);
    expect(new Set(ids.join('')).size).toBe(62);
  });

  it('GEN-02 row ids are the current time in milliseconds, counted up past ids that exist', () => {
    expect(newRowIds([], 1, 1000)).toEqual(['1000']);
    expect(newRowIds(['1000', '1002'], 3, 1000)).toEqual(['1001', '1003', '1004']);
  });
});
