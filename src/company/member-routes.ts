import type { FastifyInstance } from 'fastify';
import { makeReset, prolongReset, removeInvitationsOf, removeResetsOf, RESET_MINUTES, resetLink } from '#auth/links.ts';
import { roleOf } from '#auth/roles.ts';
import { beginSession, endSessionsOf } from '#auth/sessions.ts';
import { removeTokensOf } from '#auth/tokens.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { roles } from '#shared/account/roles.ts';
import { shownEmail } from '#auth/email-forms.ts';
import { api } from '#shared/http/api.ts';
import { deliverLink, onlyOpenReset, resetMail } from './account-mails.ts';
import { companyNameOf } from './company-name.ts';
import { companyOfUser } from './password-routes.ts';
import { removeViewsOf } from './saved-views.ts';
import { type AccountDeps, visitorOf } from './sign-in.ts';

export const ownerOnly = () =>
  new KontorError(403, 'not_allowed', 'Nur der Inhaber kann Inhaber anlegen, ändern oder entfernen.');

/** Calls about a company's members. */
export function memberRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database } = deps;

  route(app, api.members, async ({ principal }) => {
    const rows = await database.kysely
      .selectFrom('member as m')
      .innerJoin('user as u', 'u.id', 'm.userId')
      .select(['u.id', 'u.name', 'u.email', 'm.role'])
      .where('m.organizationId', '=', principal.company)
      .orderBy('u.name')
      .orderBy('u.id')
      .execute();
    return rows.map((row) => ({ ...row, email: shownEmail(row.email), role: roleOf(row.role) }));
  });

  route(app, api.deleteMember, async ({ principal, params, audit }) => {
    if (params.id === principal.userId)
      throw new KontorError(422, 'yourself', 'Sie können sich nicht selbst entfernen.');
    const member = { organizationId: principal.company, userId: params.id };
    const { email, role } = await memberFor(deps, principal, params.id);
    audit.about(`${email}, ${roles[roleOf(role)].label}`);
    await database.accounts(principal.company, async (trx) => {
      await requireOtherOwner(trx, principal.company, params.id);
      await requireStill(trx, member, role);
      await removeTokensOf(trx, principal.company, params.id);
      await removeInvitationsOf({ kysely: trx }, principal.company, params.id);
      await removeViewsOf(trx, principal.company, params.id);
      await trx
        .deleteFrom('member')
        .where((eb) => eb.and(member))
        .execute();
      // A user belongs to only one company here; when removed from it, neither session nor account may remain.
      await trx
        .deleteFrom('user')
        .where('id', '=', params.id)
        .where((eb) =>
          eb.not(eb.exists(eb.selectFrom('member').select('member.id').where('member.userId', '=', params.id))),
        )
        .execute();
      await audit.within(trx);
    });
    return { ok: true as const };
  });

  roleRoute(app, deps);
  passwordLinkRoute(app, deps);
  memberSessionsRoute(app, deps);
}

function roleRoute(app: FastifyInstance, deps: AccountDeps): void {
  route(app, api.saveMemberRole, async ({ principal, params: { id }, body: { role }, request, reply, audit }) => {
    const { email, role: before } = await memberFor(deps, principal, id);
    audit.about(`${email}, ${roles[roleOf(before)].label} → ${roles[role].label}`);
    if (role === 'owner' && principal.role !== 'owner') throw ownerOnly();
    if (role === before) return { ok: true as const };
    const own = id === principal.userId;
    const secret = await deps.database.accounts(principal.company, async (trx) => {
      if (role !== 'owner') {
        await requireOtherOwner(trx, principal.company, id);
        // His invitations may grant roles that he may no longer give.
        await removeInvitationsOf({ kysely: trx }, principal.company, id);
      }
      // The permissions of his tokens are derived from his role at each request.
      const changed = await trx
        .updateTable('member')
        .set({ role })
        .where((eb) => eb.and({ organizationId: principal.company, userId: id, role: before }))
        .executeTakeFirst();
      if (changed.numUpdatedRows !== 1n) throw stale();
      // A stolen session, or a stolen link to a new password, must not gain the new rights.
      await endSessionsOf({ kysely: trx }, id);
      await removeResetsOf({ kysely: trx }, id);
      await audit.within(trx);
      return own ? beginSession({ ...deps, database: { kysely: trx } }, id, visitorOf(request)) : undefined;
    });
    if (secret !== undefined) reply.header('set-cookie', deps.cookies.begin(secret));
    return { ok: true as const };
  });
}

function passwordLinkRoute(app: FastifyInstance, deps: AccountDeps): void {
  const { database, ids } = deps;

  route(app, api.memberPasswordLink, async ({ principal, params, audit }) => {
    const member = { organizationId: principal.company, userId: params.id };
    const { email, role } = await memberFor(deps, principal, params.id);
    audit.about(email);
    const secret = await makeReset(deps, params.id, RESET_MINUTES.mail, {
      company: principal.company,
      note: async (trx) => {
        await requireStill(trx, member, role);
        await audit.within(trx);
      },
    });
    const link = resetLink(deps.publicUrl, secret);
    const companyName = await companyNameOf(database, principal);
    const mail = resetMail({ id: ids.id(), to: email, companyName }, link);
    const checked = { ...mail, beforeSending: onlyOpenReset(deps, secret) };
    const delivered = await deliverLink(deps.sendPersonalMail, principal.company, checked, link);
    if (!delivered.sent) await prolongReset(deps, secret);
    return delivered;
  });
}

function memberSessionsRoute(app: FastifyInstance, deps: AccountDeps): void {
  route(app, api.endMemberSessions, async ({ principal: { company }, principal, params, audit }) => {
    const member = { organizationId: company, userId: params.id };
    const { email, role } = await memberFor(deps, principal, params.id);
    audit.about(email);
    // A user belongs to only one company here. If users ever belong to several, sessions belong to the company signed in to, and
    // no other may end them.
    if ((await companyOfUser(deps, params.id))?.id !== company)
      throw unprocessable('signed_in_elsewhere', 'Dieser Benutzer meldet sich bei einer anderen Firma an.');
    await deps.database.accounts(company, async (trx) => {
      await requireStill(trx, member, role);
      await endSessionsOf({ kysely: trx }, params.id);
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}

/** @throws 422 if the company would be left without an owner; concurrent removals or demotions of owners wait for each other */
async function requireOtherOwner(trx: Trx, company: string, userId: string): Promise<void> {
  const owners = await trx
    .selectFrom('member')
    .select('userId')
    .where((eb) => eb.and({ organizationId: company, role: 'owner' }))
    .forUpdate()
    .execute();
  if (owners.length > 0 && owners.every((owner) => owner.userId === userId))
    throw unprocessable(
      'last_owner',
      'Das ist der einzige Inhaber der Firma. Es wurde nichts geändert. Bitte machen Sie zuerst jemand anderen zum Inhaber.',
    );
}

/**
 * Locks a member with his role until the transaction ends: only owners may change a member who became an owner meanwhile. @throws
 * 409
 */
async function requireStill(trx: Trx, member: { organizationId: string; userId: string }, role: string): Promise<void> {
  const now = await trx
    .selectFrom('member')
    .select('role')
    .where((eb) => eb.and(member))
    .forUpdate()
    .executeTakeFirst();
  if (now?.role !== role) throw stale();
}

const stale = () =>
  new KontorError(
    409,
    'stale',
    'Der Benutzer wurde zwischenzeitlich geändert. Es wurde nichts gespeichert. Bitte laden Sie die Seite neu.',
  );

/**
 * Returns a member whom this principal may change. @throws 404 for users of other companies, 403 for an owner unless the
 * principal is one
 */
async function memberFor({ database }: AccountDeps, principal: Principal, userId: string) {
  const found = await database.kysely
    .selectFrom('member as m')
    .innerJoin('user as u', 'u.id', 'm.userId')
    .select(['m.role', 'u.email'])
    .where('m.organizationId', '=', principal.company)
    .where('m.userId', '=', userId)
    .executeTakeFirst();
  if (!found) throw notFound('Diesen Benutzer');
  if (found.role === 'owner' && principal.role !== 'owner') throw ownerOnly();
  return { ...found, email: shownEmail(found.email) };
}
