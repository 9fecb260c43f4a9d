import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Most files in a folder; larger folders are split by subject. */
const MOST_FILES = 25;
/** Most lines of a style sheet; the linter counts those of programs only. */
const MOST_LINES = 300;
const root = fileURLToPath(new URL('..', import.meta.url));
/** Not `migrations` and `test/data`: steps have one order, and samples are not read by people. */
const folders = ['src', 'seed', 'scripts', 'lint', 'bench', 'deploy', 'docs'].concat(
  ['browser', 'e2e', 'faults', 'servers', 'stages', 'tiny-market'].map((name) => join('test', name)),
);
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ folder: parentPath.slice(root.length), name }))
    // Figures of this machine, which are not committed.
    .filter(({ folder: place }) => place !== join('bench', 'results')),
);

it('no folder holds more than 25 files', () => {
  const crowded = [...Map.groupBy(files, ({ folder }) => folder)].filter(([, list]) => list.length > MOST_FILES);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

it('no style sheet has more than 300 lines', () => {
  const sheets = files.filter(({ name }) => name.endsWith('.css')).map(({ folder, name }) => join(folder, name));
  expect(sheets.length).toBeGreaterThan(50);
  const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
  expect(sheets.filter((file) => linesOf(file) > MOST_LINES)).toEqual([]);
});
