import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Database, openEmbedded } from '#platform/db/database.ts';

/** Opens an embedded database for one test, with the tables of the migrations; it is removed after the test. */
export async function ownDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-own-'));
  const database = await openEmbedded(join(folder, 'database'), process.env['KONTOR_TEST_TEMPLATE']);
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  return database;
}
