import type { FastifyInstance } from 'fastify';
import { createUser } from '#auth/auth.ts';
import {
  invitationLink,
  invite,
  isOpenInvitation,
  listInvitations,
  readInvitation,
  removeInvitation,
  renewInvitation,
  useInvitation,
} from '#auth/links.ts';
import { requireGoodPassword } from '#auth/passwords/password-rules.ts';
import { roleOf } from '#auth/roles.ts';
import type { Trx } from '#platform/db/database.ts';
import { isUniqueViolation, KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { type Role, roles } from '#shared/account/roles.ts';
import type { PersonalLink } from '#shared/account/schema.ts';
import { anyOf } from '#platform/db/pg.ts';
import { shownEmail, storedEmails } from '#auth/email-forms.ts';
import { api } from '#shared/http/api.ts';
import { recordOfUser } from './account-events.ts';
import { deliverLink, invitationMail, unneededInvitationMail } from './account-mails.ts';
import { companyNameOf } from './company-name.ts';
import { holdFactorPolicy, isFactorRequired } from './factor-policy.ts';
import { ownerOnly } from './member-routes.ts';
import { type AccountDeps, beginSignedIn } from './sign-in.ts';

/** Calls that invite users, accept invitations, and set how a company's users must sign in. */
export function invitationRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, clock, ids } = deps;

  route(app, api.invitations, async ({ principal }) => {
    const rows = await listInvitations(deps, principal.company);
    return rows.map(({ created_at, expires_at, role, email, ...row }) => ({
      ...row,
      email: shownEmail(email),
      role: roleOf(role),
      createdAt: created_at.toISOString(),
      expiresAt: expires_at.toISOString(),
    }));
  });

  route(app, api.invite, async ({ principal, body, audit }) => {
    audit.about(`${shownEmail(body.email)}, ${roles[body.role].label}`);
    const { company, name, userId } = principal;
    return sendInvitation(deps, principal, body, () =>
      invite(deps, { company, ...body, by: { name, userId } }, (trx) => audit.within(trx)),
    );
  });

  route(app, api.resendInvitation, async ({ principal, params, audit }) => {
    const found = (await listInvitations(deps, principal.company)).find(({ id }) => id === params.id);
    if (!found) throw notFound('Diese Einladung');
    const { company, name, userId } = principal;
    return sendInvitation(deps, principal, { email: found.email, role: roleOf(found.role) }, async () => {
      const { id, role } = found;
      const secret = await renewInvitation(deps, { company, id, role, by: { name, userId } }, (trx) =>
        audit.within(trx),
      );
      if (secret === undefined) throw notFound('Diese Einladung');
      return secret;
    });
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
    return { companyName, email: shownEmail(email), role: roleOf(role) };
  });

  route(app, api.acceptInvitation, async ({ body, request, reply }) => {
    const { company, companyName, email, role } = await readInvitation(deps, body.token);
    const { name, password } = body;
    await requireGoodPassword(password, { name, email, companyName });
    // Addresses are unique: if two requests accept at once, the second one fails on the address.
    const event = { kind: 'member', result: 'done', what: 'Einladung angenommen' } as const;
    const accepted = async (trx: Trx, user: string) => {
      await useInvitation({ kysely: trx }, body.token);
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

/** Sends the link whose secret `makeSecret` stores. */
async function sendInvitation(
  deps: AccountDeps,
  principal: Principal,
  { email, role }: { email: string; role: Role },
  makeSecret: () => Promise<string>,
): Promise<PersonalLink> {
  if (role === 'owner' && principal.role !== 'owner') throw ownerOnly();
  const { company, name } = principal;
  const known = await findPerson(deps, company, email);
  if (known?.own === true)
    throw unprocessable('email_taken', 'Diese Person gehört schon zu Ihrer Firma. Es wurde niemand eingeladen.', [
      { field: 'email', message: 'gehört schon zu Ihrer Firma' },
    ]);
  const secret = await makeSecret();
  const link = invitationLink(deps.publicUrl, secret);
  const companyName = await companyNameOf(deps.database, principal);
  const to = { id: deps.ids.id(), to: email, companyName };
  // Only the invited user learns that he has an account in another company: everything else is the same in both cases.
  const mail = known === undefined ? invitationMail(to, name, link) : unneededInvitationMail(to, name);
  const beforeSending = async () => {
    if (!(await isOpenInvitation(deps, secret))) throw overtaken();
  };
  return deliverLink(deps.sendPersonalMail, company, { ...mail, beforeSending }, link);
}

const overtaken = () =>
  new KontorError(
    409,
    'invitation_changed',
    'Die Einladung wurde in diesem Moment zurückgezogen oder noch einmal gesendet. Mit diesem Link wurde keine E-Mail gesendet, weil er nicht mehr gilt. Bitte laden Sie die Seite neu.',
  );

/** Returns the user of an address, and whether he belongs to this company. */
async function findPerson({ database }: AccountDeps, company: string, email: string) {
  const found = await database.kysely
    .selectFrom('user as u')
    .leftJoin('member as m', (join) => join.onRef('m.userId', '=', 'u.id').on('m.organizationId', '=', company))
    .select((eb) => eb('m.id', 'is not', null).as('own'))
    .where('u.email', '=', anyOf(storedEmails(email)))
    .executeTakeFirst();
  return found && { own: Boolean(found.own) };
}

const emailTaken = (cause: unknown) =>
  new KontorError(
    422,
    'email_taken',
    'Mit dieser E-Mail-Adresse gibt es in Kontor schon ein Konto, und eine Adresse gehört zu einer Firma. Bitte lassen Sie sich unter einer anderen Adresse einladen.',
    { fields: [{ field: 'email', message: 'bereits vergeben' }], cause },
  );

function policyRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, hasSellerAccount } = deps;

  route(app, api.signInPolicy, async ({ principal: { company } }) => ({
    factorRequired: await isFactorRequired(database, company),
    sellerAccount: await database.company(company, (trx) => hasSellerAccount(trx, company)),
    mail: await deps.canMail(company),
  }));

  route(app, api.saveSignInPolicy, async ({ principal, body, audit }) => {
    const { company } = principal;
    audit.about(body.factorRequired ? 'zweiter Faktor erforderlich' : 'zweiter Faktor freiwillig');
    if (principal.role !== 'owner')
      throw new KontorError(403, 'not_allowed', 'Nur der Inhaber kann einen zweiten Faktor verlangen.');
    await database.accounts(company, async (trx) => {
      await holdFactorPolicy(trx, company, true);
      if (!body.factorRequired && deps.factorForOrders && (await hasSellerAccount(trx, company)))
        throw unprocessable(
          'factor_needed',
          'Ihre Firma hat ein aktives Verkäuferkonto, über das Bestellungen mit Kundendaten kommen. So lange muss der zweite Faktor erforderlich bleiben. Es wurde nichts geändert.',
        );
      await trx
        .updateTable('organization')
        .set({ second_factor_required: body.factorRequired })
        .where('id', '=', company)
        .execute();
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}
