import type { FastifyInstance } from 'fastify';
import { createUser, findUser } from '#auth/auth.ts';
import { invitationLink, invite, listInvitations, readInvitation, removeInvitation } from '#auth/links.ts';
import { requireGoodPassword } from '#auth/password-rules.ts';
import { roleOf } from '#auth/roles.ts';
import type { Trx } from '#platform/db/database.ts';
import { isUniqueViolation, KontorError, notFound } from '#platform/errors.ts';
import type { Audit } from '#platform/http/audit.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { type PersonalLink, type Role, roles } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { recordOfUser } from './account-events.ts';
import { deliverLink, invitationMail } from './account-mails.ts';
import { companyNameOf } from './company-name.ts';
import { emailTaken, ownerOnly } from './member-routes.ts';
import { isFactorRequired } from './own-account-routes.ts';
import { type AccountDeps, beginSignedIn } from './sign-in.ts';

/** Inviting people, accepting an invitation, and how a company's people must sign in. */
export function invitationRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, clock, ids } = deps;

  route(app, api.invitations, async ({ principal }) => {
    const rows = await listInvitations(deps, principal.company);
    return rows.map(({ created_at, expires_at, role, ...row }) => ({
      ...row,
      role: roleOf(role),
      createdAt: created_at.toISOString(),
      expiresAt: expires_at.toISOString(),
    }));
  });

  route(app, api.invite, async ({ principal, body, audit }) => {
    audit.about(`${body.email}, ${roles[body.role].label}`);
    if (await findUser(database, body.email)) throw emailTaken();
    return sendInvitation(deps, principal, audit, body);
  });

  route(app, api.resendInvitation, async ({ principal, params, audit }) => {
    const found = (await listInvitations(deps, principal.company)).find(({ id }) => id === params.id);
    if (!found) throw notFound('Diese Einladung');
    return sendInvitation(deps, principal, audit, { email: found.email, role: roleOf(found.role) });
  });

  route(app, api.withdrawInvitation, async ({ principal: { company }, params, audit }) => {
    await database.accounts(company, async (trx) => {
      if (!(await removeInvitation({ kysely: trx }, company, params.id))) throw notFound('Diese Einladung');
      await audit.within(trx);
    });
    return { ok: true as const };
  });

  route(app, api.readInvitation, async ({ body }) => {
    const { companyName, email, role } = await readInvitation(deps, body.token);
    return { companyName, email, role: roleOf(role) };
  });

  route(app, api.acceptInvitation, async ({ body, request, reply }) => {
    const { id, company, companyName, email, role } = await readInvitation(deps, body.token);
    const { name, password } = body;
    await requireGoodPassword(password, { name, email, companyName });
    // The address is taken once: of two who accept at the same moment the second finds it taken.
    const event = { kind: 'member', result: 'done', what: 'Einladung angenommen' } as const;
    const accepted = async (trx: Trx, user: string) => {
      await removeInvitation({ kysely: trx }, company, id);
      await recordOfUser(deps, request, user, event, trx);
    };
    const member = { name, email, password, company, role };
    const userId = await createUser(database, ids, clock, member, accepted).catch((error: unknown) => {
      throw isUniqueViolation(error) ? emailTaken(error) : error;
    });
    return beginSignedIn(deps, { request, reply }, userId, 'Mit Einladung angemeldet');
  });

  policyRoutes(app, deps);
}

async function sendInvitation(
  deps: AccountDeps,
  principal: Principal,
  audit: Audit,
  { email, role }: { email: string; role: Role },
): Promise<PersonalLink> {
  if (role === 'owner' && principal.role !== 'owner') throw ownerOnly();
  const { company, name: by } = principal;
  const secret = await invite(deps, { company, email, role, by }, (trx) => audit.within(trx));
  const link = invitationLink(deps.publicUrl, secret);
  const companyName = await companyNameOf(deps.database, principal);
  const mail = invitationMail({ id: deps.ids.id(), to: email, companyName }, by, link);
  return deliverLink(deps.sendPersonalMail, company, mail, link);
}

function policyRoutes(app: FastifyInstance, deps: AccountDeps): void {
  route(app, api.signInPolicy, async ({ principal }) => ({
    factorRequired: await isFactorRequired(deps, principal.company),
    mail: await deps.canMail(principal.company),
  }));

  route(app, api.saveSignInPolicy, async ({ principal, body, audit }) => {
    audit.about(body.factorRequired ? 'zweiter Faktor erforderlich' : 'zweiter Faktor freiwillig');
    if (principal.role !== 'owner')
      throw new KontorError(403, 'not_allowed', 'Nur der Inhaber kann einen zweiten Faktor verlangen.');
    await deps.database.accounts(principal.company, async (trx) => {
      await trx
        .updateTable('organization')
        .set({ second_factor_required: body.factorRequired })
        .where('id', '=', principal.company)
        .execute();
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}
