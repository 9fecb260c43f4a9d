import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Most files in a folder; larger folders are split by subject. */
const MOST_FILES = 25;
/** Most lines of a style sheet; the linter counts those of programs only. */
const MOST_LINES = 300;
const source = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

it('no folder of the source holds more than 25 files', () => {
  const byFolder = Map.groupBy(files, ({ parentPath }) => parentPath.slice(source.length + 1));
  const crowded = [...byFolder].filter(([, list]) => list.length > MOST_FILES).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});

it('no style sheet has more than 300 lines', () => {
  const sheets = files.filter(({ name }) => name.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(50);
  const linesOf = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;
  const long = sheets
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => linesOf(file) > MOST_LINES);
  expect(long.map((file) => file.slice(source.length + 1))).toEqual([]);
});
