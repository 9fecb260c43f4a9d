import type { Role } from '#shared/account/roles.ts';
import type { Database } from '#platform/db/database.ts';
import { companyOfEmail, firstCompanies } from '#auth/companies.ts';
import { KontorError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';

const OWNER: Role = 'owner';

/** Whether a user operates the installation. Owners of companies other than the operator's are its tenants. */
export async function isOperator(
  { kysely }: Database,
  { company, role }: Pick<Principal, 'company' | 'role'>,
  adminEmail: string | undefined,
): Promise<boolean> {
  return role === OWNER && (await operatingCompany({ kysely }, adminEmail)) === company;
}

/**
 * Returns the company whose owners operate the installation: the one that KONTOR_ADMIN_EMAIL belongs to or, without that setting,
 * the first one. If the address belongs to no member, the only company; among several nobody operates, because the first one may
 * be a tenant.
 */
export async function operatingCompany(
  { kysely }: Pick<Database, 'kysely'>,
  adminEmail: string | undefined,
): Promise<string | undefined> {
  const named = adminEmail === undefined ? undefined : await companyOfEmail({ kysely }, adminEmail);
  if (named !== undefined) return named;
  const [first, second] = await firstCompanies({ kysely }, 2);
  return adminEmail === undefined || second === undefined ? first : undefined;
}

/** @throws 403 for anyone but the operator */
export async function requireOperator(...args: Parameters<typeof isOperator>): Promise<void> {
  if (await isOperator(...args)) return;
  throw new KontorError(
    403,
    'operator_only',
    'Das darf nur, wer diese Installation betreibt: ein Inhaber der Firma, zu der die Adresse in KONTOR_ADMIN_EMAIL gehört, oder ohne diese Angabe der ersten Firma. Bitte wenden Sie sich an ihn.',
  );
}
