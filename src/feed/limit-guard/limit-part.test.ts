import { describe, expect, it } from 'vitest';
import { Mapping } from '#shared/assignments/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { limitChanges, limitPart } from './limit-part.ts';

/** A rule that copies `from` into `to` if `asked` is filled; `change` overrides its properties. */
const copies = (name: string, from: string, to: string, asked = 'titel', change: Record<string, unknown> = {}): Rule =>
  Rule.parse({
    id: name.padEnd(10, '0'),
    name,
    active: true,
    querys: [{ id: 'q0', field: asked, select: 'is_not_empty', value: '' }],
    actions: [{ id: 'a0', field: to, select: 'copy', value: [{ type: '_field', value: from }] }],
    ...change,
  });
const mapping = (name: string, field: string, target: string, active = true) =>
  Mapping.parse({
    id: name,
    name,
    active,
    data: [
      { id: 'r1', field: [{ type: '_field', value: field, caption: '' }], filter: 'is_equal', value: 'x', target },
    ],
  });
const fields = new Set(['min', '_mapping:Standard']);
const makers = (rules: Rule[], mappings: Mapping[] = []) => ({ rules, mappings });

describe('the rules and mappings that determine price limits', () => {
  it('M11 include those read indirectly, and the fields of their conditions', () => {
    const { parts, sources } = limitPart(
      makers(
        [copies('weit', 'ek', 'zwischen'), copies('nah', 'zwischen', 'min', 'marke'), copies('fremd', 'ek', 'text')],
        [mapping('Standard', 'gruppe', '9,90'), mapping('Farbe', 'farbe', 'rot')],
      ),
      fields,
    );
    expect(parts.map(({ name }) => name)).toEqual(['weit', 'nah', 'Standard']);
    const decide = (field: string) => sources !== 'all' && sources.has(field);
    expect(['ek', 'zwischen', 'titel', 'marke', 'gruppe', 'min', 'farbe', 'text'].filter(decide)).toEqual([
      'ek',
      'zwischen',
      'titel',
      'marke',
      'gruppe',
      'min',
    ]);
  });

  it('M11 a condition on all fields makes every rule one that may change limits', () => {
    const { parts, sources } = limitPart(
      makers([
        copies('alle', 'ek', 'min', 'x', {
          querys: [{ id: 'q', field: '@ALL@', select: 'contains', value: 'x' }],
        }),
        copies('fremd', 'ek', 'text'),
      ]),
      fields,
    );
    expect([sources, parts.length]).toEqual(['all', 2]);
  });

  it('M11 changes, additions, removals and pauses are listed by name; a mere reordering lists no names', () => {
    const near = copies('nah', 'ek', 'min');
    const far = copies('fern', 'uvp', 'min');
    const before = makers([near, far]);
    const names = (after: Rule[]) => limitChanges(before, makers(after), fields);
    expect(names([near, copies('fern', 'ek', 'min')])).toEqual(['fern']);
    expect(names([near, far, copies('neu', 'vk', 'min')])).toEqual(['neu']);
    expect(names([near])).toEqual(['fern']);
    expect(names([near, { ...far, active: false }])).toEqual(['fern']);
    expect(names([far, near])).toEqual([]);
  });

  it('M11 other changes are allowed: unrelated rules, paused ones, names and mappings', () => {
    const near = copies('nah', 'ek', 'min');
    const before = makers([near], [mapping('Standard', 'gruppe', '9,90')]);
    const after = makers(
      [
        copies('neu', 'titel', 'text'),
        { ...near, name: 'Anderer Name' },
        copies('pause', 'ek', 'min', 'x', { active: false }),
      ],
      [mapping('Standard', 'gruppe', '9,90'), mapping('Farbe', 'farbe', 'rot')],
    );
    expect(limitChanges(before, after, fields)).toBeUndefined();
    expect(limitChanges(before, makers([near], [mapping('Standard', 'gruppe', '8,90')]), fields)).toEqual(['Standard']);
  });
});
