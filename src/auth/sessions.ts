import type { Clock } from '#platform/clock.ts';
import type { Accounts, Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { shownEmail } from './email-forms.ts';
import { isRole } from './roles.ts';
import { hashOf } from './secrets.ts';

const MINUTE_MS = 60 * 1000;
const IDLE_MS = 12 * 60 * MINUTE_MS;
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;
/** How old the last entry of a password or second factor may be when secrets, members or price limits are changed. */
const PROOF_MS = 15 * MINUTE_MS;
/** How long a session's former secret stays valid once the new one was seen, for requests already on their way. */
const FORMER_MS = MINUTE_MS;
/** How far the stored last use may lag: not every request writes it. */
const NOTED_EVERY_MS = 5 * MINUTE_MS;

/** Where a session was started: the client's address and its user agent. */
export type Visitor = { address: string; device: string };
export type SessionDeps = { database: Accounts; clock: Clock; ids: Ids };

/** Starts a session for a user who has just proved his identity; returns its secret, of which only a hash is stored. */
export async function beginSession(
  { database, clock, ids }: SessionDeps,
  userId: string,
  from: Visitor,
): Promise<string> {
  const token = ids.secret();
  const now = clock.now();
  await database.kysely
    .insertInto('sessions')
    .values({
      hash: hashOf(token),
      id: ids.id(),
      user_id: userId,
      created_at: now,
      last_used_at: now,
      proven_at: now,
      address: from.address,
      device: from.device,
    })
    .execute();
  await database.kysely
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('last_used_at', '<', ago(now, IDLE_MS)), eb('created_at', '<', ago(now, LONGEST_MS))]))
    .execute();
  return token;
}

export type SessionUser = {
  userId: string;
  name: string;
  email: string;
  role: string;
  company: string;
  companyName: string;
  session: { id: string; proven: boolean; factorMissing: boolean };
};

/**
 * Returns the user of a session secret; one query, because every request needs it. `use`: the request counts as use and prolongs
 * the session (12 h idle, 7 days at most, T15). A request with a former secret carries no proof of identity: that secret may have
 * been stolen.
 */
export async function userOfSession(
  { database, clock }: Pick<SessionDeps, 'database' | 'clock'>,
  token: string,
  use: boolean,
): Promise<SessionUser | null> {
  const now = clock.now();
  const hash = hashOf(token);
  const current = await sessionsWithUser(database).where('s.hash', '=', hash).executeTakeFirst();
  const row =
    current ??
    (await sessionsWithUser(database)
      .where('s.former_hash', '=', hash)
      .where((eb) => eb.or([eb('s.former_until', 'is', null), eb('s.former_until', '>', now)]))
      .executeTakeFirst());
  if (!row || !isRole(row.role) || row.last_used_at < ago(now, IDLE_MS) || row.created_at < ago(now, LONGEST_MS))
    return null;
  const noted = use && row.last_used_at < ago(now, NOTED_EVERY_MS) ? { last_used_at: now } : {};
  const seen = current?.renewed === true && current.former_until === null;
  const changes = seen ? { ...noted, former_until: ago(now, -FORMER_MS) } : noted;
  if (Object.keys(changes).length > 0)
    await database.kysely.updateTable('sessions').set(changes).where('id', '=', row.session).execute();
  const { userId, name, email, role, company, companyName, factorMissing } = row;
  const proven = current !== undefined && row.proven_at >= ago(now, PROOF_MS);
  return {
    userId,
    name,
    email: shownEmail(email),
    role,
    company,
    companyName,
    session: { id: row.session, proven, factorMissing: Boolean(factorMissing) },
  };
}

const sessionsWithUser = ({ kysely }: Accounts) =>
  kysely
    .selectFrom('sessions as s')
    .innerJoin('user as u', 'u.id', 's.user_id')
    .innerJoin('member as m', 'm.userId', 'u.id')
    .innerJoin('organization as o', 'o.id', 'm.organizationId')
    .select(['u.id as userId', 'u.name', 'u.email', 'm.role', 'o.id as company', 'o.name as companyName'])
    .select(['s.id as session', 's.last_used_at', 's.created_at', 's.proven_at', 's.former_until'])
    .select((eb) => eb('s.former_hash', 'is not', null).as('renewed'))
    .select((eb) =>
      eb
        .and([
          eb('o.second_factor_required', '=', true),
          eb.not(eb.exists(eb.selectFrom('passkeys as p').select('p.id').whereRef('p.user_id', '=', 'u.id'))),
          eb.not(
            eb.exists(
              eb
                .selectFrom('totp_factors as t')
                .select('t.user_id')
                .whereRef('t.user_id', '=', 'u.id')
                .where('t.confirmed_at', 'is not', null),
            ),
          ),
        ])
        .as('factorMissing'),
    )
    .orderBy('m.createdAt')
    .orderBy('o.id')
    .limit(1);

/**
 * Records that the user has just entered the password or second factor again, and replaces the session's secret `token` by
 * `renewed`: someone who stole the former one does not profit from the proof, and soon loses the session. Returns the secret to
 * send. `renewed` depends only on `token`, so it does not matter which of two answers a browser keeps, or whether one is lost.
 */
export async function renewSession(
  { database, clock }: Pick<SessionDeps, 'database' | 'clock'>,
  id: string,
  { token, renewed }: { token: string; renewed: string },
): Promise<string> {
  const now = clock.now();
  const renewal = await database.kysely
    .updateTable('sessions')
    .set({ hash: hashOf(renewed), former_hash: hashOf(token), former_until: null, proven_at: now })
    .where('id', '=', id)
    .where('hash', '=', hashOf(token))
    // Not twice within a minute: requests on their way with the secret before the last one would lose their session.
    .where((eb) => eb.or([eb('former_hash', 'is', null), eb('former_until', '<=', now)]))
    .executeTakeFirst();
  if (renewal.numUpdatedRows === 1n) return renewed;
  const session = await database.kysely
    .updateTable('sessions')
    .set({ proven_at: now })
    .where('id', '=', id)
    .returning('hash')
    .executeTakeFirst();
  return session?.hash === hashOf(renewed) ? renewed : token;
}

/** Returns a user's valid sessions, most recently used first. */
export async function listSessions({ database, clock }: Pick<SessionDeps, 'database' | 'clock'>, userId: string) {
  const now = clock.now();
  return database.kysely
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'address', 'device'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>=', ago(now, IDLE_MS))
    .where('created_at', '>=', ago(now, LONGEST_MS))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends the session with this secret. */
export async function endSession(database: Database, token: string): Promise<void> {
  const hash = hashOf(token);
  await database.kysely
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('hash', '=', hash), eb('former_hash', '=', hash)]))
    .execute();
}

/** Ends one session of a user; false if there is none with this id. */
export async function endSessionOf(database: Accounts, userId: string, id: string): Promise<boolean> {
  const deleted = await database.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** Ends all sessions of a user but `except`. */
export async function endSessionsOf(database: Accounts, userId: string, except?: string): Promise<void> {
  await database.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .execute();
}

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);
