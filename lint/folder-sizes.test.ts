import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Most files in a folder; larger folders are split by subject. */
const MOST_FILES = 25;
const source = fileURLToPath(new URL('../src', import.meta.url));

it('no folder of the source holds more than 25 files', () => {
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const byFolder = Map.groupBy(files, ({ parentPath }) => parentPath.slice(source.length + 1));
  const crowded = [...byFolder].filter(([, list]) => list.length > MOST_FILES).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});
