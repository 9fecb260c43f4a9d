import { type Database, OWN_NAME, PROGRAM_NAME } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/**
 * @throws a German sentence if other processes of this program are connected. With the embedded database there are none: its
 * folder is locked.
 */
export async function refuseOtherPrograms(database: Database): Promise<void> {
  if (database.embedded) return;
  // PostgreSQL's own view, not a table of ours.
  const { rows } = await pg<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and split_part(application_name, ' ', 1) = ${PROGRAM_NAME}
      and application_name <> ${OWN_NAME}`.execute(database.kysely);
  const running = rows[0]?.n ?? 0;
  if (running > 0)
    throw new Error(
      `Mit dieser Datenbank arbeitet noch ein Kontor (${running} Verbindungen). Bitte beenden Sie zuerst alle Prozesse.`,
    );
}
