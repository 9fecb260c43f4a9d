import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const textOf = (file: string) => readFileSync(`${root}/${file}`, 'utf8');

/** Selectors of graphics without text, of dragged elements, of what appears only on hover, and of the start of an animation. */
const drawn = new Set([
  'from',
  '.calendar',
  '.entry[data-dragging]',
  ".entry[aria-pressed='false'] svg",
  '.pencil',
  '.row[data-dragging]',
  '.switch:disabled',
  '.unsorted',
  '.body[data-stale] .bar',
  '.body[data-stale] .swatch',
  '.body[data-stale] .track',
  '.lines[data-stale] svg',
  '.meter[data-stale] .bar',
]);

/** Returns the selectors of all rules that make something transparent. */
const dimmedIn = (css: string): string[] =>
  [...css.replaceAll(/\/\*[^]*?\*\//g, '').matchAll(/([^{};]+)\{[^{}]*\bopacity: 0(?:\.\d+)?;/g)]
    .flatMap(([, selectors = '']) => selectors.split(','))
    .map((selector) => selector.trim());

it('text is never dimmed by opacity: .k-renewing marks values being refreshed and keeps their contrast', () => {
  const styles = globSync('src/client/**/*.css', { cwd: root }).flatMap((file) =>
    dimmedIn(textOf(file))
      .filter((selector) => !drawn.has(selector))
      .map((selector) => `${file}: ${selector}`),
  );
  const inline = globSync('src/client/**/*.tsx', { cwd: root }).filter((file) => /\bopacity: /.test(textOf(file)));
  expect([...styles, ...inline].toSorted()).toEqual([]);
});
