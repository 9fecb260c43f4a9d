import type { FastifyRequest } from 'fastify';
import { countUnknownSignIn } from '#auth/security-log.ts';
import type { Trx } from '#platform/db/database.ts';
import type { AuditEvent } from '#platform/http/audit.ts';
import type { AccountDeps } from './sign-in.ts';

type Happened = Pick<AuditEvent, 'kind' | 'result' | 'what'>;

/** Writes into the security log what somebody did with his account who is not signed in yet, or no longer. `within`: the transaction of the change. */
export async function recordOfUser(
  deps: AccountDeps,
  { ip }: Pick<FastifyRequest, 'ip'>,
  userId: string,
  happened: Happened,
  within?: Trx,
): Promise<void> {
  const user = await (within ?? deps.database.kysely)
    .selectFrom('user as u')
    .innerJoin('member as m', 'm.userId', 'u.id')
    .select(['u.name', 'u.email', 'm.organizationId as company'])
    .where('u.id', '=', userId)
    .orderBy('m.createdAt')
    .limit(1)
    .executeTakeFirst();
  if (!user) return;
  // Who fails has not shown that he is this person: then the person is what it is about.
  const known = happened.result === 'done';
  const event: AuditEvent = {
    ...happened,
    company: user.company,
    actor: known ? `${user.name} (${user.email})` : '',
    actorId: known ? userId : '',
    by: known ? 'session' : 'nobody',
    address: ip,
    subject: known ? '' : `${user.name} (${user.email})`,
  };
  await deps.audit(event, within);
}

/**
 * Writes a sign-in that failed, or that was refused since it came too early. The answer does not wait for it: its time would tell whether
 * there is such an account. Of an address that nobody has here only the number of failures is kept.
 */
export function recordFailedSignIn(
  deps: AccountDeps,
  request: FastifyRequest,
  userId: string | undefined,
  happened: Pick<Happened, 'result' | 'what'> = { result: 'failed', what: 'Falsches Passwort' },
): void {
  const { ip } = request;
  if (userId === undefined && happened.result === 'refused') return;
  setImmediate(() => {
    const written =
      userId === undefined
        ? countUnknownSignIn(deps)
        : recordOfUser(deps, { ip }, userId, { kind: 'sign_in', ...happened });
    written.catch((error: unknown) => deps.log.error({ err: error }, 'a failed sign-in could not be recorded'));
  });
}
