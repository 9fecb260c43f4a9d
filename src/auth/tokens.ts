import { createHash } from 'node:crypto';
import { secondsFromNow } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Role, Token } from '#shared/account/schema.ts';
import { permissionsOf, roleOf } from './roles.ts';

/** API tokens are 256 random bits, so a plain hash is enough to store them by. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

export async function whoOfToken(database: Database, token: string): Promise<Principal | null> {
  return database.system(async (trx) => {
    const row = await trx
      .selectFrom('api_tokens')
      .select(['company', 'id', 'name', 'role'])
      .select((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', secondsFromNow(-60))]).as('stale'))
      .where('hash', '=', hashOf(token))
      .executeTakeFirst();
    if (!row) return null;
    if (row.stale)
      await trx
        .updateTable('api_tokens')
        .set((eb) => ({ last_used_at: eb.fn<Date>('now') }))
        .where((eb) => eb.and({ company: row.company, id: row.id }))
        .execute();
    return {
      company: row.company,
      companyName: '',
      userId: undefined,
      name: row.name,
      email: `token:${row.id}`,
      role: row.role,
      permissions: permissionsOf(row.role),
      by: 'token',
    };
  });
}

/** Adds a token; a `secret` given from outside (KONTOR_API_TOKEN) that is already there stays as it is. */
export async function addToken(
  trx: Trx,
  ids: Ids,
  company: string,
  token: { name: string; role: Role; secret: string },
): Promise<string> {
  const id = ids.id();
  const { name, role, secret } = token;
  await trx
    .insertInto('api_tokens')
    .values({ company, id, name, role, hash: hashOf(secret) })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
  return id;
}

export async function listTokens(trx: Trx, company: string): Promise<Token[]> {
  const rows = await trx
    .selectFrom('api_tokens')
    .select(['id', 'name', 'role', 'created_at', 'last_used_at'])
    .where('company', '=', company)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: roleOf(row.role),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

export async function removeToken(trx: Trx, company: string, id: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('api_tokens')
    .where((eb) => eb.and({ company, id }))
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}
