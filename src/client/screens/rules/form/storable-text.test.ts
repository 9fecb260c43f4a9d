import { describe, expect, it } from 'vitest';
import { newRule, type Rule } from '#shared/rules/schema.ts';
import { storable } from './storable-text.ts';

let made = 0;
const fresh = (): Rule => newRule(() => `id${(made += 1)}`);

describe('storable text', () => {
  it('T9 NUL is removed from every text of a rule, and every place of one is reported', () => {
    const rule = fresh();
    const [condition] = rule.querys;
    const [action] = rule.actions;
    if (condition === undefined || action === undefined) throw new Error('a new rule has one of each');
    const dirty: Rule = {
      ...rule,
      name: 'A\0b',
      description: '\0',
      querys: [{ ...condition, field: 'ti\0tel', value: 'x\0\0y' }],
      actions: [
        {
          ...action,
          field: 'neu\0',
          value: [
            { type: '_string', value: 'gut' },
            { type: '_string', value: '\0schlecht' },
          ],
        },
      ],
    };
    const { rule: clean, paths } = storable(dirty);
    expect(JSON.stringify(clean)).not.toContain('\\u0000');
    expect(clean).toMatchObject({ name: 'Ab', description: '', querys: [{ field: 'titel', value: 'xy' }] });
    expect(clean.actions[0]).toMatchObject({ field: 'neu', value: [{ value: 'gut' }, { value: 'schlecht' }] });
    expect(paths).toEqual([
      'name',
      'description',
      'querys.0.field',
      'querys.0.value',
      'actions.0.field',
      'actions.0.value.1.value',
    ]);
  });

  it('T9 a rule without NUL stays the very same object', () => {
    const rule = fresh();
    expect(storable(rule).rule).toBe(rule);
  });
});
