import type { FastifyInstance } from 'fastify';
import { addPasskey, passkeyCreationOptions, removePasskey, userOfPasskey } from '#auth/passkeys.ts';
import { renewRecoveryCodes } from '#auth/recovery-codes.ts';
import { dropUnusedCodes, factorsOf, firstRecoveryCodes, requireCode, wrongCode } from '#auth/second-factors.ts';
import { endSessionOf, endSessionsOf, listSessions, renewSession } from '#auth/sessions.ts';
import { isTotpCode, removeTotp, startTotp } from '#auth/totp.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { factorChangedMail } from './account-mails.ts';
import { isFactorRequired } from './factor-policy.ts';
import { inBackground, requireOwnPassword } from './password-routes.ts';
import { type AccountDeps, personOf, siteOf } from './sign-in.ts';

type Person = ReturnType<typeof personOf>;

/** Calls of users on their own account: sessions, second factors, and renewed proof of identity. */
export function ownAccountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  proofRoutes(app, deps);
  openSessionRoutes(app, deps);
  appRoutes(app, deps);
  passkeyRoutes(app, deps);
}

function proofRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { cookies } = deps;

  route(app, api.prove, async ({ principal, body, request, reply }) => {
    const { userId, sessionId } = personOf(principal);
    if ('password' in body) await requireOwnPassword(deps, userId, body.password);
    else if ('code' in body) await requireCode(deps, userId, body.code);
    else if ((await userOfPasskey(deps, siteOf(request, deps.publicUrl), body)) !== userId)
      throw new KontorError(422, 'wrong_passkey', 'Dieser Passkey gehört zu einem anderen Konto.');
    const token = cookies.tokenIn(request.headers.cookie);
    if (token !== undefined) {
      const secret = await renewSession(deps, sessionId, { token, renewed: cookies.renewed(token) });
      reply.header('set-cookie', cookies.begin(secret));
    }
    return { ok: true as const };
  });
}

function openSessionRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, cookies } = deps;

  route(app, api.sessions, async ({ principal }) => {
    const { userId, sessionId } = personOf(principal);
    const rows = await listSessions(deps, userId);
    const ownFirst = rows.toSorted((one, other) => Number(other.id === sessionId) - Number(one.id === sessionId));
    return ownFirst.map(({ id, created_at, last_used_at, address, device }) => ({
      id,
      own: id === sessionId,
      createdAt: created_at.toISOString(),
      lastUsedAt: last_used_at.toISOString(),
      address,
      device,
    }));
  });

  route(app, api.endSession, async ({ principal: { company, userId }, params, audit }) => {
    if (userId === undefined) throw notFound('Diese Sitzung');
    await database.accounts(company, async (trx) => {
      if (!(await endSessionOf({ kysely: trx }, userId, params.id))) throw notFound('Diese Sitzung');
      await audit.within(trx);
    });
    return { ok: true as const };
  });

  route(app, api.endSessions, async ({ principal, reply, audit }) => {
    const { company, userId } = personOf(principal);
    await database.accounts(company, async (trx) => {
      await endSessionsOf({ kysely: trx }, userId);
      await audit.within(trx);
    });
    reply.header('set-cookie', cookies.end());
    return { ok: true as const };
  });
}

function appRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, ids } = deps;

  route(app, api.factors, async ({ principal }) => {
    const { userId, company } = personOf(principal);
    return { ...(await factorsOf(database, userId)), required: await isFactorRequired(deps.database, company) };
  });

  route(app, api.startApp, ({ principal }) => startTotp(deps, personOf(principal)));

  route(app, api.confirmApp, async ({ principal, body, audit }) => {
    const person = personOf(principal);
    const tries = await deps.attempts.take(`code:${person.userId}`, 5);
    const recoveryCodes = await database.accounts(person.company, async (trx) => {
      const inside = { ...deps, database: { kysely: trx } };
      if (!(await isTotpCode(inside, person.userId, body.code.replaceAll(/\s/g, ''), true))) throw wrongCode('app');
      const codes = await firstRecoveryCodes(inside.database, ids, person.userId);
      await audit.within(trx);
      return codes;
    });
    await tries.release();
    tellChange(deps, person, 'Eine Authenticator-App wurde eingerichtet.');
    return { recoveryCodes };
  });

  route(app, api.removeApp, async ({ principal, audit }) => {
    const person = personOf(principal);
    await database.accounts(person.company, async (trx) => {
      await requireFactorLeft(trx, person, 'app');
      if (!(await removeTotp({ kysely: trx }, person.userId))) throw notFound('Diese App');
      await dropUnusedCodes({ kysely: trx }, person.userId);
      await audit.within(trx);
    });
    tellChange(deps, person, 'Die Authenticator-App wurde entfernt.');
    return { ok: true as const };
  });

  route(app, api.renewRecoveryCodes, async ({ principal, audit }) => {
    const person = personOf(principal);
    const { app: byApp, passkeys } = await factorsOf(database, person.userId);
    if (!byApp && passkeys.length === 0)
      throw new KontorError(422, 'no_factor', 'Bitte richten Sie zuerst einen zweiten Faktor ein.');
    const recoveryCodes = await database.accounts(person.company, async (trx) => {
      const codes = await renewRecoveryCodes({ kysely: trx }, ids, person.userId);
      await audit.within(trx);
      return codes;
    });
    tellChange(deps, person, 'Neue Wiederherstellungscodes wurden erstellt, die alten gelten nicht mehr.');
    return { recoveryCodes };
  });
}

function passkeyRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, publicUrl, ids } = deps;

  route(app, api.newPasskeyQuestion, ({ principal, request }) =>
    passkeyCreationOptions(deps, siteOf(request, publicUrl), personOf(principal)),
  );

  route(app, api.addPasskey, async ({ principal, body, request, audit }) => {
    const person = personOf(principal);
    const recoveryCodes = await addPasskey(deps, siteOf(request, publicUrl), person, body, async (trx) => {
      const codes = await firstRecoveryCodes({ kysely: trx }, ids, person.userId);
      await audit.within(trx);
      return codes;
    });
    tellChange(deps, person, `Der Passkey „${body.name}“ wurde hinzugefügt.`);
    return { recoveryCodes };
  });

  route(app, api.removePasskey, async ({ principal, params, audit }) => {
    if (principal.userId === undefined) throw notFound('Diesen Passkey');
    const person = personOf(principal);
    await database.accounts(person.company, async (trx) => {
      await requireFactorLeft(trx, person, params.id);
      if (!(await removePasskey({ kysely: trx }, person.userId, params.id))) throw notFound('Diesen Passkey');
      await dropUnusedCodes({ kysely: trx }, person.userId);
      await audit.within(trx);
    });
    tellChange(deps, person, 'Ein Passkey wurde entfernt.');
    return { ok: true as const };
  });
}

/**
 * Locks the user's factors until the transaction ends, so that of two concurrent removals one fails. @throws 422 if the last
 * factor would be removed although the company requires one
 */
async function requireFactorLeft(trx: Trx, { userId, company }: Person, leaving: string): Promise<void> {
  await trx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute();
  const { app, passkeys } = await factorsOf({ kysely: trx }, userId);
  const all = [...(app ? ['app'] : []), ...passkeys.map(({ id }) => id)];
  if (!all.includes(leaving) || all.length > 1 || !(await isFactorRequired({ kysely: trx }, company))) return;
  throw new KontorError(
    422,
    'last_factor',
    'Ihre Firma verlangt einen zweiten Faktor. Bitte richten Sie erst einen anderen ein, bevor Sie diesen entfernen.',
  );
}

/** Notifies the user by e-mail, if the company can send any. */
function tellChange(deps: AccountDeps, { company, companyName, email }: Person, what: string): void {
  inBackground(deps, async () => {
    if (!(await deps.canMail(company))) return;
    const to = { id: deps.ids.id(), to: email, companyName };
    await deps.sendPersonalMail(company, factorChangedMail(to, what, deps.publicUrl));
  });
}
