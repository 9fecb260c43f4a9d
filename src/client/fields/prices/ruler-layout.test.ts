import { describe, expect, it } from 'vitest';
import { layOut, type Placed, type Point, rulerText } from './ruler-layout.ts';

const point = (kind: Point['kind'], cents: number): Point => ({ kind, label: kind, cents });
const points = (min: number, standard: number, max: number, own: number, rival: number, box: number): Point[] => [
  point('min', min),
  point('standard', standard),
  point('max', max),
  point('own', own),
  point('rival', rival),
  point('buybox', box),
];

/** Texts in the same lane that overlap. */
const overlapping = (placed: readonly Placed[]) =>
  placed.filter((one) =>
    placed.some(
      (other) =>
        other !== one &&
        other.lane === one.lane &&
        one.textX < other.textX + other.textWidth &&
        other.textX < one.textX + one.textWidth,
    ),
  );

describe('the price ruler', () => {
  it.each([250, 560])(
    'REP-19 no two texts overlap and none leaves the picture, however close the prices (%i px)',
    (width) => {
      const cases = [
        points(1000, 1500, 2000, 1399, 1400, 1400),
        points(1000, 1000, 1000, 1000, 1000, 1000),
        points(1000, 1001, 1002, 1001, 1001, 1002),
        points(1, 500_000, 99_999_999, 2, 3, 99_999_999),
        points(1000, 1500, 2000, 2000, 900, 90_000),
      ];
      for (let n = 0; n < 300; n++) {
        const at = (k: number) => 500 + ((n * 7919 + k * 104_729) % 3000);
        cases.push(points(at(1), at(2), at(3), at(4), at(5), at(6)));
      }
      for (const given of cases) {
        const { above, below } = layOut(given, 'EUR', width);
        expect([above.length, below.length]).toEqual([3, 3]);
        expect([...overlapping(above), ...overlapping(below)]).toEqual([]);
        for (const { x, textX, textWidth } of [...above, ...below]) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(width);
          expect(textX).toBeGreaterThanOrEqual(0);
          expect(textX + textWidth).toBeLessThanOrEqual(width);
        }
      }
    },
  );

  it('REP-19 prices stand in their order; one far away does not squeeze the others', () => {
    const { above, below } = layOut(points(1000, 1500, 2000, 1399, 1400, 50_000), 'EUR', 560);
    const x = (kind: Point['kind']) => [...above, ...below].find((placed) => placed.kind === kind)?.x ?? Number.NaN;
    expect(x('min')).toBeLessThan(x('own'));
    expect(x('own')).toBeLessThan(x('standard'));
    expect(x('max') - x('min')).toBeGreaterThan(300);
    expect(above.find(({ kind }) => kind === 'buybox')).toMatchObject({ beyond: true, x: 550 });
    expect(above.find(({ kind }) => kind === 'buybox')?.text).toMatch(/→$/);
  });

  it('REP-19 the text alternative lists the prices, cheapest first, in the currency of the marketplace', () => {
    const text = rulerText([point('max', 2000), point('own', 1399)], 'PLN');
    expect(text.replaceAll('\u00a0', ' ')).toBe('Preise auf einer Skala: own 13,99 PLN; max 20,00 PLN.');
  });
});
