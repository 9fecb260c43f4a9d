import type { Clock } from '#platform/clock.ts';
import type { Accounts, Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { anyOf } from '#platform/db/pg.ts';
import { asciiEmail } from '#shared/account/email.ts';
import { storedEmails } from './email-forms.ts';
import { removeResetsOf } from './links.ts';
import { hashPassword } from './passwords/passwords.ts';
import { formToStore } from './passwords/stored-passwords.ts';
import { removeTicketsOf } from './tickets.ts';

type NewUser = { readonly name: string; readonly email: string; readonly password: string };

/** Creates a user with a password as a member of a company. Throws for an address in use (SQLSTATE 23505). */
export async function createUser(
  database: Database,
  ids: Ids,
  clock: Clock,
  user: NewUser & { company: string; role: string },
  note?: (trx: Trx, id: string) => Promise<void>,
): Promise<string> {
  const { company, role } = user;
  const passwordHash = await hashPassword(user.password, await formToStore(database));
  return database.accounts(company, async (trx) => {
    const id = await insertMember(trx, ids, clock, { ...user, passwordHash, company, role });
    await note?.(trx, id);
    return id;
  });
}

export type Fill = (company: string) => Promise<(trx: Trx) => Promise<void>>;
type NewCompany = {
  readonly name: string;
  readonly owner: NewUser;
  /** Prepares the company's first data, and returns the function that inserts them. */
  readonly fill?: Fill | undefined;
};

/**
 * Creates a company with its owner and data in one transaction: an interrupted start must not leave a company without a user, or
 * an empty one.
 */
export async function createCompanyOf(
  database: Database,
  ids: Ids,
  clock: Clock,
  { name, owner, fill }: NewCompany,
): Promise<string> {
  const passwordHash = await hashPassword(owner.password, await formToStore(database));
  const company = ids.id();
  const add = await fill?.(company);
  await database.accounts(company, async (trx) => {
    await insertCompany(trx, clock, company, name);
    await insertMember(trx, ids, clock, { ...owner, passwordHash, company, role: 'owner' });
    await add?.(trx);
  });
  return company;
}

async function insertMember(
  trx: Trx,
  ids: Ids,
  clock: Clock,
  user: { name: string; email: string; passwordHash: string; company: string; role: string },
): Promise<string> {
  const [id, createdAt] = [ids.id(), clock.now()];
  const { name, passwordHash, company, role } = user;
  const email = asciiEmail(user.email).toLowerCase();
  await trx
    .insertInto('user')
    .values({ id, name, email, emailVerified: true, password_hash: passwordHash, createdAt, updatedAt: createdAt })
    .execute();
  await trx
    .insertInto('member')
    .values({ id: ids.id(), organizationId: company, userId: id, role, createdAt })
    .execute();
  return id;
}

/** Returns the user of an e-mail address, with the stored password hash. */
export const findUser = (database: Database, email: string) =>
  database.kysely
    .selectFrom('user')
    .select(['id', 'name', 'email', 'password_hash as passwordHash'])
    .where('email', '=', anyOf(storedEmails(email)))
    .executeTakeFirst();

/** Whether this is the stored hash of a user's password; if so, it stays that until the transaction ends. */
export async function lockPassword(trx: Trx, userId: string, passwordHash: string | null): Promise<boolean> {
  const found = await trx
    .selectFrom('user')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Sets a user's password. Links to a new password become invalid, and so do sign-ins with the old password that wait for their
 * second factor. `verified`: the stored hash that the user has proved to know. @throws 409 if another password was stored since
 */
export async function setPassword(
  { database, clock }: { database: Accounts; clock: Clock },
  userId: string,
  passwordHash: string,
  verified?: string | null,
): Promise<void> {
  const update = database.kysely
    .updateTable('user')
    .set({ password_hash: passwordHash, updatedAt: clock.now() })
    .where('id', '=', userId);
  const query = verified === undefined ? update : update.where('password_hash', '=', verified);
  const { numUpdatedRows } = await query.executeTakeFirst();
  if (verified !== undefined && numUpdatedRows !== 1n) throw setMeanwhile();
  await removeResetsOf(database, userId);
  await removeTicketsOf(database, userId);
}

const setMeanwhile = () =>
  new KontorError(
    409,
    'password_set_meanwhile',
    'Ihr Passwort wurde in diesem Augenblick anderswo neu gesetzt, zum Beispiel mit einem Link aus einer E-Mail. Jenes gilt, Ihre Änderung wurde nicht gespeichert. Bitte melden Sie sich mit dem neuen Passwort an und ändern Sie es dann. Waren Sie das nicht, setzen Sie es mit „Passwort vergessen?“ sofort neu.',
  );

/** Creates a company; its id is the tenant of everything it owns. */
export async function createCompany(database: Accounts, ids: Ids, clock: Clock, name: string): Promise<string> {
  const company = ids.id();
  await insertCompany(database.kysely, clock, company, name);
  return company;
}

async function insertCompany(kysely: Accounts['kysely'], clock: Clock, company: string, name: string): Promise<void> {
  await kysely
    .insertInto('organization')
    .values({ id: company, name, slug: company.toLowerCase(), createdAt: clock.now() })
    .execute();
}

/** Whether this installation has no user yet. */
export async function isEmpty(database: Database): Promise<boolean> {
  return (await database.kysely.selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined;
}
