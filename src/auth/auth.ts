import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { hashPassword } from './passwords.ts';

/** Makes a user with a password as member of a company. Throws on a used address (SQLSTATE 23505). */
export async function createUser(
  database: Database,
  ids: Ids,
  clock: Clock,
  user: { name: string; email: string; password: string; company: string; role: string },
): Promise<string> {
  const userId = ids.id();
  const now = clock.now();
  const password_hash = await hashPassword(user.password);
  await database.kysely.transaction().execute(async (trx) => {
    const { name, company, role } = user;
    const email = user.email.toLowerCase();
    await trx
      .insertInto('user')
      .values({ id: userId, name, email, emailVerified: true, password_hash, createdAt: now, updatedAt: now })
      .execute();
    await trx
      .insertInto('member')
      .values({ id: ids.id(), organizationId: company, userId, role, createdAt: now })
      .execute();
  });
  return userId;
}

/** The user of an e-mail address, with what is stored of his password. */
export const findUser = (database: Database, email: string) =>
  database.kysely
    .selectFrom('user')
    .select(['id', 'name', 'email', 'password_hash as passwordHash'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();

/** Gives a user another password. */
export async function setPassword(
  { database, clock }: { database: Database; clock: Clock },
  userId: string,
  password: string,
): Promise<void> {
  await database.kysely
    .updateTable('user')
    .set({ password_hash: await hashPassword(password), updatedAt: clock.now() })
    .where('id', '=', userId)
    .execute();
}

/** Makes a company; its id is the tenant of everything it owns. */
export async function createCompany(database: Database, ids: Ids, clock: Clock, name: string): Promise<string> {
  const company = ids.id();
  await database.kysely
    .insertInto('organization')
    .values({ id: company, name, slug: company.toLowerCase(), createdAt: clock.now() })
    .execute();
  return company;
}

/** Whether this installation has no user yet. */
export async function isEmpty(database: Database): Promise<boolean> {
  return (await database.kysely.selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined;
}
