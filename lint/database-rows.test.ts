import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

/** Most row types written by hand (`pg<Row>`). Kysely's builder has no equally readable form for those that remain. */
const MOST = 28;

/**
 * Returns lines with a type argument to the tag, in files that are not tests. A condition or a single value is not a row: the
 * statement around it is typed.
 */
function typedByHand(): { line: string; above: string }[] {
  return globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'src/platform/db/pg.ts'] })
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(`${root}/${file}`, 'utf8').split('\n');
      return lines.flatMap((text, n) =>
        /\bpg<(?!(?:boolean|number|string|Date)>)/.test(text)
          ? [{ line: `${file}:${n + 1}`, above: lines.slice(Math.max(0, n - 2), n).join('\n') }]
          : [],
      );
    });
}

it('the number of pg<Row> calls, whose row types nothing checks, does not grow', () => {
  const found = typedByHand().map(({ line }) => line);
  expect(
    found.length,
    `A hand-written row type is not checked: use the query builder, whose rows have the generated table types.\n${found.join('\n')}`,
  ).toBeLessThanOrEqual(MOST);
});

it('every pg<Row> call has a comment above it that says why the query builder does not fit', () => {
  const silent = typedByHand().filter(({ above }) => !/\/\/ |\*\//.test(above));
  expect(silent.map(({ line }) => line)).toEqual([]);
});
