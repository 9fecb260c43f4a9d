import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rule } from '#shared/rules/schema.ts';
import { mergeRows } from './merge-rows.ts';

const rule = (letter: string, name = letter): Rule => Rule.parse({ id: `Rule00000${letter}`, name, active: true });
const named = (rules: readonly Rule[]) => rules.map(({ name }) => name).join(' ');
const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((letter) => rule(letter)) as [Rule, Rule, Rule, Rule];

describe('merging two lists row by row', () => {
  it('GEN-05 takes over what only one side changed, added or deleted', () => {
    const merge = mergeRows([a, b, c], [rule('A', 'meine'), b, d], [a, rule('B', 'ihre'), c]);
    expect(named(merge.rows)).toBe('meine ihre D');
    expect(merge.conflicts).toEqual([]);
  });

  it('GEN-05 a rule that both sides changed is a conflict; mine is kept unless theirs is chosen', () => {
    const [mine, theirs] = [rule('B', 'meine'), rule('B', 'ihre')];
    const merge = mergeRows([a, b], [a, mine], [a, theirs]);
    expect(named(merge.rows)).toBe('A meine');
    expect(merge.conflicts).toEqual([{ id: b.id, mine, theirs }]);
    const chosen = mergeRows([a, b], [a, mine], [a, theirs], new Map([[b.id, 'theirs']]));
    expect(named(chosen.rows)).toBe('A ihre');
  });

  it('GEN-05 a rule that one side deleted and the other changed stays until the deletion is chosen', () => {
    const changed = rule('B', 'geändert');
    expect(named(mergeRows([a, b, c], [a, c], [a, changed, c]).rows)).toBe('A geändert C');
    expect(named(mergeRows([a, b, c], [a, changed, c], [a, c]).rows)).toBe('A geändert C');
    const gone = mergeRows([a, b, c], [a, c], [a, changed, c], new Map([[b.id, 'mine']]));
    expect(named(gone.rows)).toBe('A C');
    expect(gone.conflicts).toEqual([{ id: b.id, mine: null, theirs: changed }]);
  });

  it('GEN-05 the order of the side that sorted is kept; if both sorted, mine is kept and a conflict is reported', () => {
    expect(named(mergeRows([a, b, c], [c, a, b], [a, b, d, c]).rows)).toBe('C A B D');
    expect(named(mergeRows([a, b, c], [a, b, d, c], [c, a, b]).rows)).toBe('C A B D');
    const both = mergeRows([a, b, c], [c, b, a], [b, a, c]);
    expect(named(both.rows)).toBe('C B A');
    expect(both.orderConflict).toBe(true);
  });

  const list = fc
    .uniqueArray(fc.tuple(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G'), fc.constantFrom('', '1', '2')), {
      selector: ([id]) => id,
    })
    .map((made) => made.map(([letter, version]) => rule(letter, letter + version)));
  const contents = (rules: readonly Rule[]) => named(rules.toSorted((x, y) => (x.id < y.id ? -1 : 1)));

  it('GEN-05 changes of one side alone are taken as they are, and equal sides are no conflict', () => {
    fc.assert(
      fc.property(list, list, (base, other) => {
        const none = { conflicts: [], orderConflict: false };
        expect(mergeRows(base, other, base)).toEqual({ rows: other, ...none });
        expect(mergeRows(base, base, other)).toEqual({ rows: other, ...none });
        expect(mergeRows(base, other, other)).toEqual({ rows: other, ...none });
      }),
    );
  });

  it('GEN-05 no row that either side added or changed is lost, and no row occurs twice', () => {
    fc.assert(
      fc.property(list, list, list, (base, mine, theirs) => {
        const { rows, conflicts } = mergeRows(base, mine, theirs);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        const inConflict = new Set(conflicts.map(({ id }) => id));
        const found = new Map(rows.map((one) => [one.id, one.name]));
        const old = new Map(base.map((one) => [one.id, one.name]));
        for (const side of [mine, theirs]) {
          for (const { id, name } of side) {
            if (old.get(id) !== name && !inConflict.has(id)) expect(found.get(id)).toBe(name);
          }
        }
        for (const { id, mine: my, theirs: their } of conflicts) expect(found.get(id)).toBe((my ?? their)?.name);
      }),
    );
  });

  it('GEN-05 the merged contents do not depend on which side saves second', () => {
    fc.assert(
      fc.property(list, list, list, (base, mine, theirs) => {
        const one = mergeRows(base, mine, theirs);
        const choices = new Map(one.conflicts.map(({ id }) => [id, 'mine' as const]));
        const other = mergeRows(base, theirs, mine, new Map([...choices].map(([id]) => [id, 'theirs' as const])));
        expect(contents(mergeRows(base, mine, theirs, choices).rows)).toBe(contents(other.rows));
        expect(other.conflicts.length).toBe(one.conflicts.length);
      }),
    );
  });
});
