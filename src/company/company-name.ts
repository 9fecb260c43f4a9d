import type { Database } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';

/** Returns the name of the principal's company; a token's principal does not contain it. */
export async function companyNameOf(database: Database, principal: Principal): Promise<string> {
  return principal.companyName === '' ? companyNameById(database, principal.company) : principal.companyName;
}

/** Returns a company's name by its id; '' if the company was deleted. */
export async function companyNameById(database: Database, company: string): Promise<string> {
  const found = await database.kysely
    .selectFrom('organization')
    .select('name')
    .where('id', '=', company)
    .executeTakeFirst();
  return found?.name ?? '';
}
