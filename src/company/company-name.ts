import { sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { Who } from '#platform/http/server.ts';

/** The name of the company that somebody works for; tokens do not bring it along. */
export async function companyNameOf(database: Database, who: Who): Promise<string> {
  return who.companyName === '' ? companyNameById(database, who.company) : who.companyName;
}

/** The name of a company where nobody is asking; '' if it is gone. */
export async function companyNameById(database: Database, company: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from organization where id = ${company}`.execute(
    database.kysely,
  );
  return rows[0]?.name ?? '';
}
