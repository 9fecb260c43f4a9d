import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEmbedded, openServer } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { ensureBuild } from '../../scripts/bundle/build.ts';
import { createDatabase, postgresPrograms, postgresTemplate, startPostgres } from '../servers/postgres.ts';
import { stopObjectStore } from '../servers/object-store.ts';
import { demandServers } from '../servers/servers.ts';

const root = new URL('../..', import.meta.url).pathname;
const migrations = join(root, 'migrations');

/** Creates one migrated database of each kind, which every test copies. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Tests of single modules need no database.
  if (vitest.projects.every(({ name }) => ['unit', 'slow'].includes(name))) return undefined;
  demandServers();
  // Otherwise two workers that both find the pages outdated would build them into the same folder at the same time.
  if (vitest.projects.some(({ name }) => name === 'browser')) await ensureBuild(root);
  // A script that starts several test runs has created them for all runs.
  if (process.env['KONTOR_TEST_TEMPLATE'] !== undefined) return undefined;
  return prepareDatabases();
}

/** Creates the databases, names them in the environment, and returns the function that removes them. */
export async function prepareDatabases(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-template-'));
  const template = join(folder, 'database');
  const database = await openEmbedded(template);
  await migrate(database, migrations);
  await database.close();
  // PostgreSQL's own two templates: nothing connects to them, and each start of a program would copy them too.
  for (const unused of ['1', '4']) await emptyFolder(join(template, 'base', unused));
  process.env['KONTOR_TEST_TEMPLATE'] = template;
  const programs = postgresPrograms();
  const server = programs === undefined ? undefined : await startPostgres(programs);
  if (server) {
    const migrated = openServer(await createDatabase(server.url, postgresTemplate), () => {});
    await migrate(migrated, migrations);
    await migrated.close();
    process.env['KONTOR_TEST_POSTGRES'] = server.url;
  }
  // Tests that need a store start it (servers/object-store.ts).
  process.env['KONTOR_TEST_OBJECT_STORE'] = join(folder, 'object-store');
  return async () => {
    stopObjectStore();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
}
