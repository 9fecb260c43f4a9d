import type { Accounts, Trx } from '#platform/db/database.ts';

/** Whether a company requires a second factor of its users. */
export async function isFactorRequired(database: Accounts, company: string): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('organization')
    .select('second_factor_required')
    .where('id', '=', company)
    .executeTakeFirst();
  return found?.second_factor_required === true;
}

/**
 * Locks a company's factor policy until the accounts transaction ends, so that activating an account and dropping the requirement
 * exclude each other. `change`: locks it exclusively. Returns whether a second factor is required.
 */
export async function holdFactorPolicy(trx: Trx, company: string, change = false): Promise<boolean> {
  const policy = trx.selectFrom('organization').select('second_factor_required').where('id', '=', company);
  const found = await (change ? policy.forUpdate() : policy.forShare()).executeTakeFirst();
  return found?.second_factor_required === true;
}
