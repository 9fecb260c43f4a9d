import { createHash } from 'node:crypto';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Role, Token } from '#shared/account/schema.ts';
import { permissionsOf } from './roles.ts';

/** API tokens are 256 random bits, so a plain hash is enough to store them by. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

export async function whoOfToken(database: Database, token: string): Promise<Principal | null> {
  return database.system(async (trx) => {
    const { rows } = await pg<{
      company: string;
      id: string;
      name: string;
      role: string;
      companyName: string;
      stale: boolean;
    }>`
      select t.company, t.id, t.name, t.role, t.last_used_at is null or t.last_used_at < now() - interval '1 minute' as stale
      from api_tokens t where t.hash = ${hashOf(token)}`.execute(trx);
    const row = rows[0];
    if (!row) return null;
    if (row.stale)
      await pg`update api_tokens set last_used_at = now() where company = ${row.company} and id = ${row.id}`.execute(
        trx,
      );
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
  await pg`insert into api_tokens (company, id, name, role, hash)
    values (${company}, ${id}, ${token.name}, ${token.role}, ${hashOf(token.secret)}) on conflict (hash) do nothing`.execute(
    trx,
  );
  return id;
}

export async function listTokens(trx: Trx, company: string): Promise<Token[]> {
  const { rows } = await pg<{ id: string; name: string; role: Role; created_at: Date; last_used_at: Date | null }>`
    select id, name, role, created_at, last_used_at from api_tokens where company = ${company} order by created_at`.execute(
    trx,
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

export async function removeToken(trx: Trx, company: string, id: string): Promise<boolean> {
  const gone = await pg`delete from api_tokens where company = ${company} and id = ${id}`.execute(trx);
  return gone.numAffectedRows === 1n;
}
