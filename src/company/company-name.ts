import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';

/** The name of the company that somebody works for; tokens do not bring it along. */
export async function companyNameOf(database: Database, principal: Principal): Promise<string> {
  return principal.companyName === '' ? companyNameById(database, principal.company) : principal.companyName;
}

/** The name of a company where nobody is asking; '' if it is gone. */
export async function companyNameById(database: Database, company: string): Promise<string> {
  const { rows } = await pg<{ name: string }>`select name from organization where id = ${company}`.execute(
    database.kysely,
  );
  return rows[0]?.name ?? '';
}
