import { describe, expect, it } from 'vitest';
import { sameDocument } from '#client/editor/document-shape.ts';
import { newRepricerRule } from '#shared/repricer/schema.ts';
import { asSent, missingIn, nameOf, repricerShape, typedPlace, unsavedRules, withoutNul } from './rule-form.ts';

const field = (value: string) => ({ type: '_field' as const, value });
const fresh = newRepricerRule('Neu1234567');
const whole = {
  ...fresh,
  name: 'Ganz',
  active: true,
  action: {
    ...fresh.action,
    diff_price: '0.00',
    min_price: field('a'),
    max_price: field('b'),
    standard_price: field('c'),
  },
};
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

describe('repricing rules in the form', () => {
  it('REP-03 a rule without a name is called ...', () => {
    expect([nameOf(fresh), nameOf({ name: '  ' }), nameOf(whole)]).toEqual(['...', '...', 'Ganz']);
  });

  it('REP-13 lists what is missing, and sends an incomplete rule as paused', () => {
    expect(missingIn(fresh)).toEqual(['Mindestpreis', 'Standardpreis', 'Maximalpreis', 'Preisdifferenz']);
    expect(missingIn(whole)).toEqual([]);
    expect(asSent(whole)).toBe(whole);
    expect(asSent({ ...whole, action: { ...whole.action, max_price: field(' ') } }).active).toBe(false);
  });

  it('lists the rules that are not saved', () => {
    expect(unsavedRules([whole], [{ ...whole }])).toEqual([]);
    expect(ids(unsavedRules([whole], [{ ...whole, name: 'x' }, fresh]))).toBe(
      'Ganz1234567Neu1234567'.replace('Ganz', 'Neu'),
    );
  });

  it('typing in one field is one undo step, a choice is a step of its own', () => {
    const sellers = (...list: { name: string; value: string }[]) => ({
      ...whole,
      action: { ...whole.action, exclude_sellers: list },
    });
    const [one, two] = [
      { name: '', value: 'A' },
      { name: 'x', value: 'B' },
    ];
    expect(typedPlace(whole, { ...whole, name: 'G' })).toBe('name');
    expect(typedPlace(whole, { ...whole, active: false })).toBeUndefined();
    expect(typedPlace(sellers(one, two), sellers(one, { ...two, value: 'BC' }))).toBe('seller.1.value');
    expect(typedPlace(sellers(one), sellers(one, two))).toBeUndefined();
  });

  it('tells the two versions of a rule in a conflict apart by what differs', () => {
    const at = (diff_price: string, part = {}) => ({ ...whole, ...part, action: { ...whole.action, diff_price } });
    const conflictOf = (mine: (typeof whole)[], theirs: (typeof whole)[]) =>
      repricerShape.merge([whole], mine, theirs).conflicts.map((one) => [one.mine, one.theirs]);
    expect(conflictOf([at('0.05')], [at('0.07')])).toEqual([
      ['Preisdifferenz „0,05\u00a0€“', 'Preisdifferenz „0,07\u00a0€“'],
    ]);
    expect(conflictOf([at('0.05', { name: 'A', active: false })], [at('0.05', { name: 'B' })])).toEqual([
      ['Name „A“, pausiert', 'Name „B“, aktiv'],
    ]);
    expect(conflictOf([at('0.05')], [])).toEqual([['Repricing-Regel „Ganz“ (aktiv)', 'gelöscht']]);
  });

  it('a deletion or another order by somebody else is a change, although a draft does not save it', () => {
    const other = { ...whole, id: 'Zwei123456' };
    expect(sameDocument(repricerShape, [whole, other], [{ ...whole }, other])).toBe(true);
    expect(sameDocument(repricerShape, [whole, other], [whole])).toBe(false);
    expect(sameDocument(repricerShape, [whole, other], [other, whole])).toBe(false);
    expect(repricerShape.countChanges([whole, other], [whole])).toBe(0);
  });

  it('takes the character NUL out of texts', () => {
    expect(withoutNul(whole)).toBe(whole);
    expect(withoutNul({ ...whole, name: 'a\0b' }).name).toBe('ab');
  });
});
