import { expect, it } from 'vitest';
import { seriesLook, totalLook } from './series-look.ts';

const luminance = (color: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string) => {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
};
const hue = (color: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
};

it('ORD-02 nine lines differ in hue; the tenth repeats the first hue with another dash pattern', () => {
  const looks = Array.from({ length: 27 }, (_, position) => seriesLook(position, false));
  expect(new Set(looks.slice(0, 9).map(({ color }) => color)).size).toBe(9);
  expect(looks[9]?.color).toBe(looks[0]?.color);
  expect(new Set(looks.map(({ color, dash }) => `${color} ${dash.join(',')}`)).size).toBe(27);
  expect(looks.slice(0, 9).map(({ dash }) => dash)).toEqual(Array.from({ length: 9 }, () => []));
  // Equal steps of 80 degrees at equal lightness are not equal on the RGB wheel, hence the tolerance.
  const steps = looks.slice(1, 9).map(({ color }, index) => (hue(color) - hue(looks[index]?.color ?? '') + 720) % 360);
  for (const step of steps) expect(Math.abs(step - 80)).toBeLessThan(45);
});

it('ORD-02 every line has a contrast of at least 3 to its background', () => {
  for (const [isDark, ground] of [
    [false, '#FFFFFF'],
    [true, '#1F2126'],
  ] as const)
    for (const look of [totalLook(isDark), ...Array.from({ length: 9 }, (_, position) => seriesLook(position, isDark))])
      expect([look.color, contrast(look.color, ground) >= 3]).toEqual([look.color, true]);
  expect(totalLook(false).color).toBe('#000000');
});
