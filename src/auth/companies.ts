import { anyOf } from '#platform/db/pg.ts';
import type { Accounts } from '#platform/db/database.ts';
import { storedEmails } from './email-forms.ts';

/** Returns the company that an address belongs to, the first one joined if there are several; undefined: no member has it. */
export async function companyOfEmail({ kysely }: Accounts, email: string): Promise<string | undefined> {
  const found = await kysely
    .selectFrom('user as u')
    .innerJoin('member as m', 'm.userId', 'u.id')
    .select('m.organizationId as company')
    .where('u.email', '=', anyOf(storedEmails(email)))
    .orderBy('m.createdAt')
    .limit(1)
    .executeTakeFirst();
  return found?.company;
}

/** Returns the ids of the oldest companies, at most `count`. */
export async function firstCompanies({ kysely }: Accounts, count: number): Promise<string[]> {
  const rows = await kysely
    .selectFrom('organization')
    .select('id')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(count)
    .execute();
  return rows.map(({ id }) => id);
}
