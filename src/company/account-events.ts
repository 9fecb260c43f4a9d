import type { FastifyRequest } from 'fastify';
import { shownEmail } from '#auth/email-forms.ts';
import { countUnknownSignIn } from '#auth/security-log.ts';
import type { Trx } from '#platform/db/database.ts';
import type { AuditEvent } from '#platform/http/audit.ts';
import type { AccountDeps } from './sign-in.ts';

type Happened = Pick<AuditEvent, 'kind' | 'result' | 'what'>;

/**
 * Records an action of a user on his own account who is not signed in (any more) in the security log. `within`: the transaction
 * of the change.
 */
export async function recordOfUser(
  deps: AccountDeps,
  { ip }: Pick<FastifyRequest, 'ip'>,
  userId: string,
  details: Happened,
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
  // A failed attempt does not prove who made it: then the user is the event's subject, not its actor.
  const known = details.result === 'done';
  const label = `${user.name} (${shownEmail(user.email)})`;
  const event: AuditEvent = {
    ...details,
    company: user.company,
    actor: known ? label : '',
    actorId: known ? userId : '',
    by: known ? 'session' : 'nobody',
    address: ip,
    subject: known ? '' : label,
  };
  await deps.audit(event, within);
}

/**
 * Records a sign-in that failed, or was refused because it came too early. The answer does not wait for it, because its time
 * would reveal whether the account exists. For unknown addresses only the number of failures is stored.
 */
export function recordFailedSignIn(
  deps: AccountDeps,
  request: FastifyRequest,
  userId: string | undefined,
  details: Pick<Happened, 'result' | 'what'> = { result: 'failed', what: 'Falsches Passwort' },
): void {
  const { ip } = request;
  if (userId === undefined && details.result === 'refused') return;
  setImmediate(() => {
    const written =
      userId === undefined
        ? countUnknownSignIn(deps)
        : recordOfUser(deps, { ip }, userId, { kind: 'sign_in', ...details });
    written.catch((error: unknown) => deps.log.error({ err: error }, 'a failed sign-in could not be recorded'));
  });
}
