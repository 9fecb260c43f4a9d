import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { databaseTypes, tablesFile } from './database-types.ts';

const root = new URL('..', import.meta.url);

it('the committed table types are those of the migrations', async () => {
  const generated = await databaseTypes(new URL('migrations', root).pathname);
  const committed = readFileSync(new URL(tablesFile, root), 'utf8');
  expect(
    committed === generated,
    `${tablesFile} is out of date: run \`npm run database-types\` and commit the file`,
  ).toBe(true);
});
