import { expect, it } from 'vitest';
import { clampWidth, readWidths, withWidth, writeWidths } from './column-widths.ts';

it('column widths are read back as written; unreadable ones are left out', () => {
  const widths = { wert: 240, ziel: 300 };
  expect(readWidths(writeWidths(widths))).toEqual(widths);
  expect(readWidths('')).toEqual({});
  expect(readWidths('wert:viel,ziel:,__proto__:200,feld:160')).toEqual({ feld: 160 });
});

it("a column's width is clamped to 80–900 pixels, and can be reset", () => {
  expect([clampWidth(3), clampWidth(5000)]).toEqual([80, 900]);
  expect(readWidths('wert:1')).toEqual({ wert: 80 });
  expect(withWidth({ wert: 240 }, 'ziel', 300.4)).toEqual({ wert: 240, ziel: 300 });
  expect(withWidth({ wert: 240 }, 'wert', null)).toEqual({});
});
