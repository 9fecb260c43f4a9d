import { embeddedDatabase, openServer, type Database } from './database.ts';
import type { Opening } from './embedded-thread.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { migrate } from './migrations.ts';
import { oneStartAtATime } from './start-lock.ts';

/** Opens the database, on a server or embedded, and applies every migration of `folder`. */
export async function openDatabase(opening: Opening, folder: string, log: Log): Promise<Database> {
  const database =
    'url' in opening
      ? openServer(opening.url, (error) => log.warn({ err: error }, 'database connection lost'))
      : await embeddedDatabase(opening);
  try {
    await oneStartAtATime(database, log, () => migrate(database, folder));
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
