import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { Who } from '#platform/http.ts';

/** The name of the company that somebody works for; tokens do not bring it along. */
export async function companyNameOf(database: Database, who: Who): Promise<string> {
  if (who.companyName !== '') return who.companyName;
  const { rows } = await sql<{ name: string }>`select name from organization where id = ${who.company}`.execute(
    database.kysely,
  );
  return rows[0]?.name ?? '';
}
