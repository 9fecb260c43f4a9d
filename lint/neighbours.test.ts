import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;

it("a file imports those of its own folder as './name', so that a folder moves as a whole", () => {
  const named = globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    const folder = dirname(file).replace('src/', '#');
    const imports = readFileSync(`${root}/${file}`, 'utf8').matchAll(/(?:from|import) '([^']+)'/g);
    return [...imports].filter(([, path = '']) => dirname(path) === folder).map(([, path]) => `${file}: ${path}`);
  });
  expect(named).toEqual([]);
});
