import type { Database } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';

/** The name of the company that somebody works for; tokens do not bring it along. */
export async function companyNameOf(database: Database, principal: Principal): Promise<string> {
  return principal.companyName === '' ? companyNameById(database, principal.company) : principal.companyName;
}

/** The name of a company where nobody is asking; '' if it is gone. */
export async function companyNameById(database: Database, company: string): Promise<string> {
  const found = await database.kysely
    .selectFrom('organization')
    .select('name')
    .where('id', '=', company)
    .executeTakeFirst();
  return found?.name ?? '';
}
