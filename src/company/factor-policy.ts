import type { Accounts, Trx } from '#platform/db/database.ts';

/** Whether the people of a company must have a second factor. */
export async function isFactorRequired(database: Accounts, company: string): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('organization')
    .select('second_factor_required')
    .where('id', '=', company)
    .executeTakeFirst();
  return found?.second_factor_required === true;
}

/**
 * Holds what the company asks of its people until the transaction of accounts ends: an account that becomes active, and a second factor
 * that is no longer asked for, come one after the other. `change`: holds it alone. Gives whether they must have a second factor.
 */
export async function holdFactorPolicy(trx: Trx, company: string, change = false): Promise<boolean> {
  const asked = trx.selectFrom('organization').select('second_factor_required').where('id', '=', company);
  const found = await (change ? asked.forUpdate() : asked.forShare()).executeTakeFirst();
  return found?.second_factor_required === true;
}
