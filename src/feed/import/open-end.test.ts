import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { endsOpen } from './open-end.ts';
import { withFolder } from '#feed/import/reader/import-fixture.ts';

test.each([
  ['1;a\n', false],
  ['1;a\r\n\x1a', false],
  ['1;a', true],
])('T7: a file that ends with %j may have been cut: %j', (end, open) =>
  withFolder(async (folder) => {
    const file = path.join(folder, 'artikel.csv');
    fs.writeFileSync(file, `sku;name\n${end}`);
    expect(await endsOpen(file, { format: 'csv' })).toBe(open);
  }),
);
