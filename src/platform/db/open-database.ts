import type { Config } from '#platform/config.ts';
import { openEmbedded, openServer, type Database } from './database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { migrate } from './migrations.ts';
import { oneStartAtATime } from './start-lock.ts';

/** Opens the database of the settings and applies every migration of `folder`; `template` makes a first start faster. */
export async function openDatabase(
  config: Config,
  { folder, template }: { folder: string; template: string | undefined },
  log: Log,
): Promise<Database> {
  const database =
    config.databaseUrl === undefined
      ? await openEmbedded(config.databaseFolder, template)
      : openServer(config.databaseUrl, (error) => log.warn({ err: error }, 'database connection lost'));
  try {
    await oneStartAtATime(database, log, () => migrate(database, folder));
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
