import type { Accounts } from '#platform/db/database.ts';

/** Whether the people of a company must have a second factor. */
export async function isFactorRequired(database: Accounts, company: string): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('organization')
    .select('second_factor_required')
    .where('id', '=', company)
    .executeTakeFirst();
  return found?.second_factor_required === true;
}
