import { describe, expect, it } from 'vitest';
import type { ChannelLine } from '#marketplaces/orders-port.ts';
import { asKnownLines } from './known-lines.ts';

/** 'id sku pieces', its shipping and the pieces of it that are cancelled. */
type Short = readonly [text: string, shipping?: number, cancelled?: number];
const parts = (text: string) => {
  const [id = '', sku = '', ordered = '1'] = text.split('|');
  return { id, sku, ordered: Number(ordered) };
};
const stored = (...lines: Short[]) =>
  lines.map(([text, shipping_cents = 0]) => ({
    line_id: parts(text).id,
    sku: parts(text).sku,
    ordered: parts(text).ordered,
    shipping_cents,
  }));
const file = (...lines: Short[]) =>
  lines.map(([text, shippingCents = 0, cancelled = 0]): ChannelLine => ({
    line: parts(text).id,
    sku: parts(text).sku,
    title: '',
    productId: '',
    ordered: parts(text).ordered,
    shipped: 0,
    cancelled,
    unitCents: 100,
    discountCents: 0,
    shippingCents,
    taxRate: null,
  }));
const ids = (known: ReturnType<typeof stored>, lines: ChannelLine[], ofPieces = false) => {
  const found = asKnownLines(known, lines, ofPieces);
  return found === 'other_lines' ? found : found.map(({ line }) => line);
};
const shipping = (known: ReturnType<typeof stored>, lines: ChannelLine[]) => {
  const found = asKnownLines(known, lines, false);
  return found === 'other_lines' ? found : found.map(({ shippingCents }) => shippingCents);
};

describe('lines of an order that is read from a second file', () => {
  it('OIM-01 lines that one profile names by article and another one by id are the same lines', () => {
    expect(ids(stored(['41|A'], ['42|B|2'], ['43|A']), file(['B|B|2'], ['A|A'], ['A (2)|A']))).toEqual([
      '42',
      '41',
      '43',
    ]);
    expect(ids(stored(['A|A'], ['A (2)|A']), file(['41|A'], ['42|A'], ['43|C']))).toEqual(['A', 'A (2)', '43']);
  });

  it('OIM-01 where nothing says which line is which, the order is refused instead of being doubled', () => {
    expect(ids(stored(['41|A|2']), file(['A|A'], ['A (2)|A']))).toBe('other_lines');
    expect(ids(stored(['41|A'], ['42|B']), file(['1|B'], ['2|A']))).toBe('other_lines');
    expect(ids(stored(['1|A'], ['2|B']), file(['91|A'], ['92|B'], ['93|C']))).toBe('other_lines');
    expect(ids(stored(['1|A'], ['2|B'], ['3|C']), file(['91|A'], ['92|B']))).toBe('other_lines');
    expect(ids(stored(['1|A']), file(['91|A|2']))).toBe('other_lines');
    expect(ids(stored(['1|A|3']), file(['p1|A'], ['p2|A'], ['p3|A']), true)).toBe('other_lines');
  });

  it('lines of the same profile, other articles and other pieces are what they are', () => {
    expect(ids(stored(['41|A']), file(['41|A'], ['42|A']))).toEqual(['41', '42']);
    expect(ids(stored(['41|A']), file(['42|B']))).toEqual(['42']);
    expect(ids(stored(['A|A']), file(['B|B']))).toEqual(['B']);
    // Kaufland's files may hold one piece of an order each.
    expect(ids(stored(['41|A']), file(['42|A']), true)).toEqual(['42']);
  });

  it('OIM-01 shipping stays on its line while its sum is the same, but not on a cancelled line beside open ones', () => {
    expect(shipping(stored(['1|A', 490], ['2|B']), file(['2|B', 490], ['1|A']))).toEqual([0, 490]);
    expect(shipping(stored(['1|A', 490], ['2|B']), file(['2|B', 590], ['1|A']))).toEqual([590, 0]);
    expect(shipping(stored(['1|A', 490], ['2|B']), file(['1|A', 0, 1], ['2|B', 490]))).toEqual([0, 490]);
    expect(shipping(stored(['1|A'], ['2|B', 490]), file(['1|A', 490, 1], ['2|B', 0, 1]))).toEqual([0, 490]);
  });
});
