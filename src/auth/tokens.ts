import type { Database, Trx } from '#platform/db/database.ts';
import type { Row } from '#platform/db/row.ts';
import { secondsFromNow } from '#platform/db/pg.ts';
import type { AuditEvent } from '#platform/http/audit.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Permission } from '#shared/http/call.ts';
import { type Role, roleNames } from '#shared/account/roles.ts';
import type { Token } from '#shared/account/schema.ts';
import { permissionsOf, roleOf } from './roles.ts';
import { hashOf } from './secrets.ts';
import { recordEvent, type SecurityLogDeps } from './security-log.ts';

/** Display name of the installation's own token, and maker of the tokens it created. */
export const INSTALLATION = 'KONTOR_API_TOKEN';

/** `apiToken`: the installation's own token, as the environment variable sets it now. */
export type TokenDeps = SecurityLogDeps & { apiToken: string | undefined };

/**
 * Returns the principal of a token. It may do what its role and its selected permissions allow, and never more than its maker may
 * do now; once the maker is gone it is invalid. Its name always reads as a token's, so that it cannot pose as a person in a
 * history.
 */
export async function principalOfToken(deps: TokenDeps, token: string, address: string): Promise<Principal | null> {
  const { database, clock, apiToken } = deps;
  const row = await database.system(async (trx) => {
    const found = await trx
      .selectFrom('api_tokens')
      .select(['company', 'id', 'name', 'role', 'maker', 'maker_name', 'permissions', 'last_used_at', 'expires_at'])
      .select((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', secondsFromNow(-60))]).as('stale'))
      .where('hash', '=', hashOf(token))
      .where((eb) =>
        eb.or([eb('expires_at', '>', clock.now()), ...(token === apiToken ? [eb('expires_at', 'is', null)] : [])]),
      )
      .executeTakeFirst();
    if (found?.stale)
      await trx
        .updateTable('api_tokens')
        .set((eb) => ({ last_used_at: eb.fn<Date>('now') }))
        .where((eb) => eb.and({ company: found.company, id: found.id }))
        .execute();
    if (found?.last_used_at === null) await recordEvent(trx, deps, firstUse(found, address));
    return found;
  });
  if (!row) return null;
  // Tokens created by the installation's own token are invalid without it.
  if (row.maker === null && row.maker_name === INSTALLATION && apiToken === undefined) return null;
  const makerRole = row.maker === null ? row.role : await roleOfMember(database, row.company, row.maker);
  if (makerRole === undefined) return null;
  const makerMay = permissionsOf(makerRole);
  return {
    company: row.company,
    companyName: '',
    userId: undefined,
    name: tokenTitle(row),
    email: `token:${row.id}`,
    role: weaker(row.role, makerRole),
    permissions: chosenOf(row).filter((permission) => makerMay.includes(permission)),
    by: 'token',
    operator: row.maker === null && row.expires_at === null,
  };
}

/**
 * Returns the weaker of two roles. Some calls require a role, and a token made by an owner must not count as one after the owner
 * lost that role.
 */
function weaker(one: string, other: string): string {
  const [first, second] = [one, other].map((role) => roleNames.findIndex((name) => name === role));
  return (first ?? 0) < (second ?? 0) ? other : one;
}

const firstUse = (
  { company, id, ...token }: Row<'api_tokens', 'company' | 'id' | 'name' | 'maker_name'>,
  address: string,
): AuditEvent => ({
  company,
  kind: 'token',
  result: 'done',
  actor: tokenTitle(token),
  actorId: `token:${id}`,
  by: 'token',
  address,
  what: 'API-Zugang zum ersten Mal benutzt',
  subject: token.name,
});

/** Returns a token's display name: „Token „Warenwirtschaft“ von Frieda“. */
const tokenTitle = ({ name, maker_name }: Row<'api_tokens', 'name' | 'maker_name'>): string =>
  `Token „${name}“${maker_name === '' ? '' : ` von ${maker_name}`}`;

const chosenOf = ({ role, permissions }: Row<'api_tokens', 'role' | 'permissions'>): Permission[] => {
  const chosen = permissions?.split(' ');
  return permissionsOf(role).filter(
    (permission) => permission === 'enter' || chosen === undefined || chosen.includes(permission),
  );
};

async function roleOfMember(database: Database, company: string, userId: string): Promise<string | undefined> {
  const found = await database.kysely
    .selectFrom('member')
    .select('role')
    .where((eb) => eb.and({ organizationId: company, userId }))
    .executeTakeFirst();
  return found?.role;
}

type NewTokenRow = {
  name: string;
  role: Role;
  secret: string;
  /**
   * The user who creates it; null for the installation's own token, and for tokens that measurements and tests put into an empty
   * installation.
   */
  maker: string | null;
  makerName: string;
  permissions?: readonly Permission[];
  expiresAt: Date;
};

/** Adds a token that a user creates. */
export async function addToken(trx: Trx, ids: Ids, company: string, token: NewTokenRow): Promise<string> {
  const id = ids.id();
  const { name, role, secret, maker, makerName, permissions, expiresAt } = token;
  await trx
    .insertInto('api_tokens')
    .values({
      company,
      id,
      name,
      role,
      hash: hashOf(secret),
      maker,
      maker_name: makerName,
      expires_at: expiresAt,
      permissions: permissions?.join(' ') ?? null,
    })
    .execute();
  return id;
}

/**
 * Stores the installation's own token: with an owner's role, valid while the environment names it. If the environment names
 * another one, or another company's administrator, the former token and all that it created are deleted: replacing a stolen token
 * removes them too.
 */
export async function saveInstallationToken(trx: Trx, ids: Ids, company: string, secret: string): Promise<void> {
  const hash = hashOf(secret);
  const known = await trx
    .selectFrom('api_tokens')
    .select('id')
    .where((eb) => eb.and({ company, hash }))
    .executeTakeFirst();
  await trx
    .deleteFrom('api_tokens')
    .where('maker', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('maker_name', '=', INSTALLATION), eb('hash', '=', hash)]))
    .$if(known !== undefined, (query) => query.where('company', '<>', company))
    .execute();
  const token = { name: INSTALLATION, role: 'owner', maker_name: '', expires_at: null, permissions: null };
  await trx
    .insertInto('api_tokens')
    .values({ company, id: ids.id(), hash, maker: null, ...token })
    // An earlier version gave it an expiry, because it could not know the environment.
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ expires_at: null }).where('api_tokens.maker', 'is', null),
    )
    .execute();
}

export async function listTokens(trx: Trx, company: string): Promise<Token[]> {
  const rows = await trx
    .selectFrom('api_tokens')
    .select(['id', 'name', 'role', 'created_at', 'last_used_at', 'maker_name', 'expires_at', 'permissions'])
    .where('company', '=', company)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: roleOf(row.role),
    permissions: chosenOf(row),
    maker: row.maker_name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }));
}

/** Deletes a token; returns its name, or undefined if there is none with this id. */
export async function removeToken(trx: Trx, company: string, id: string): Promise<string | undefined> {
  const deleted = await trx
    .deleteFrom('api_tokens')
    .where((eb) => eb.and({ company, id }))
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}

/** Deletes all tokens that a user created in a company. */
export async function removeTokensOf(trx: Trx, company: string, maker: string): Promise<void> {
  await trx
    .deleteFrom('api_tokens')
    .where((eb) => eb.and({ company, maker }))
    .execute();
}
