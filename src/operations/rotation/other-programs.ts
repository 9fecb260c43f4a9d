import { type Database, PROGRAM_NAME } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/** How many connections of other processes of this program the database has right now. The embedded one has none: its folder is locked. */
export async function otherPrograms(database: Database): Promise<number> {
  if (database.embedded) return 0;
  // What the server itself keeps is no table of ours.
  const { rows } = await pg<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = ${PROGRAM_NAME} and pid <> pg_backend_pid()`.execute(
    database.kysely,
  );
  return rows[0]?.n ?? 0;
}
