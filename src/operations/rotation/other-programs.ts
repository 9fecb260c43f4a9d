import { type Database, OWN_NAME, PROGRAM_NAME } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/** How many connections of other processes of this program the database has right now. The embedded one has none: its folder is locked. */
export async function otherPrograms(database: Database): Promise<number> {
  if (database.embedded) return 0;
  // What the server itself keeps is no table of ours.
  const { rows } = await pg<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and split_part(application_name, ' ', 1) = ${PROGRAM_NAME}
      and application_name <> ${OWN_NAME}`.execute(database.kysely);
  return rows[0]?.n ?? 0;
}
