import type { FastifyInstance } from 'fastify';
import { releaseAndRethrow } from '#auth/attempts.ts';
import { findUser, setPassword } from '#auth/auth.ts';
import { makeReset, RESET_MINUTES, resetLink, userOfReset, useReset } from '#auth/links.ts';
import { requireGoodPassword } from '#auth/passwords/password-rules.ts';
import { hashPassword, isPassword } from '#auth/passwords/passwords.ts';
import { endSessionsOf } from '#auth/sessions.ts';
import { formToStore } from '#auth/passwords/stored-passwords.ts';
import type { Accounts } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { recordOfUser } from './account-events.ts';
import { onlyOpenReset, passwordChangedMail, resetMail } from './account-mails.ts';
import { type AccountDeps, personOf } from './sign-in.ts';

const WRONG_PASSWORDS = 5;
/** Limits before a wait: links requested from one address, and e-mails to one account. */
const RESETS_FROM_ADDRESS = 20;
const RESETS_OF_ACCOUNT = 3;
const OWN_CHECK = { asker: 'known', bothForms: false } as const;

/** Calls that change a password, and that reset a forgotten one. */
export function passwordRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { database, attempts, cookies, ids } = deps;

  route(app, api.changePassword, async ({ principal, body, audit }) => {
    const person = personOf(principal);
    const verified = await requireOwnPassword(deps, person.userId, body.current);
    await requireGoodPassword(body.password, person);
    const passwordHash = await hashPassword(body.password, await formToStore(database));
    const store = (former: string | null) =>
      database.accounts(principal.company, async (trx) => {
        await setPassword({ ...deps, database: { kysely: trx } }, person.userId, passwordHash, former);
        if (body.endOthers) await endSessionsOf({ kysely: trx }, person.userId, person.sessionId);
        await audit.within(trx);
      });
    await store(verified).catch(async (error: unknown) => {
      // A sign-in at the same moment may have stored the same password in its present form.
      const now = await storedHash(database, person.userId);
      if (now === verified || !(await isPassword(body.current, now, OWN_CHECK))) throw error;
      await store(now);
    });
    tellChanged(deps, person.userId, person.email);
    return { ok: true as const };
  });

  route(app, api.forgotPassword, async ({ body, request }) => {
    await attempts.take(`reset:${request.ip}`, RESETS_FROM_ADDRESS);
    // The answer does not wait for work that only a known address causes: neither its text nor its time reveals which addresses
    // exist.
    inBackground(deps, () => sendReset(deps, body.email.toLowerCase()));
    return { ok: true as const };
  });

  route(app, api.resetPassword, async ({ body, request, reply }) => {
    const user = await userOfReset(deps, body.token);
    const company = await companyOfUser(deps, user.id);
    await requireGoodPassword(body.password, { ...user, companyName: company?.name ?? '' });
    const passwordHash = await hashPassword(body.password, await formToStore(database));
    const event = { kind: 'password', result: 'done', what: 'Passwort mit Link gesetzt' } as const;
    await database.accounts(company?.id ?? '', async (trx) => {
      await useReset({ kysely: trx }, body.token);
      await setPassword({ ...deps, database: { kysely: trx } }, user.id, passwordHash);
      await endSessionsOf({ kysely: trx }, user.id);
      await recordOfUser(deps, request, user.id, event, trx);
    });
    await attempts.clear(`account:${user.email}`);
    // The browser that opened the e-mailed link counts as known: attempts by strangers do not lock it out.
    reply.header('set-cookie', cookies.remember(user.id, ids.secret()));
    tellChanged(deps, user.id, user.email);
    return { ok: true as const };
  });
}

/** Returns the stored hash of the user's password. @throws 422 if the password is wrong, 429 after too many wrong ones (T16) */
export async function requireOwnPassword(deps: AccountDeps, userId: string, password: string): Promise<string | null> {
  const key = `proof:${userId}`;
  const tries = await deps.attempts.take(key, WRONG_PASSWORDS);
  const stored = await storedHash(deps.database, userId);
  const right = await isPassword(password, stored, OWN_CHECK).catch(releaseAndRethrow(tries));
  if (!right)
    throw new KontorError(422, 'wrong_password', 'Dieses Passwort stimmt nicht. Es wurde nichts gespeichert.', {
      fields: [{ field: 'current', message: 'Bitte geben Sie Ihr Passwort noch einmal ein.' }],
    });
  await deps.attempts.clear(key);
  return stored;
}

async function storedHash({ kysely }: Accounts, userId: string): Promise<string | null> {
  const query = kysely.selectFrom('user').select('password_hash').where('id', '=', userId);
  return (await query.executeTakeFirst())?.password_hash ?? null;
}

/** Returns the company by whose mail server a user gets e-mails. */
export const companyOfUser = ({ database }: Pick<AccountDeps, 'database'>, userId: string) =>
  database.kysely
    .selectFrom('member as m')
    .innerJoin('organization as o', 'o.id', 'm.organizationId')
    .select(['o.id', 'o.name'])
    .where('m.userId', '=', userId)
    .orderBy('m.createdAt')
    .limit(1)
    .executeTakeFirst();

async function sendReset(deps: AccountDeps, email: string): Promise<void> {
  const user = await findUser(deps.database, email);
  const company = user && (await companyOfUser(deps, user.id));
  if (!user || !company) return;
  await deps.attempts.take(`reset-of:${user.id}`, RESETS_OF_ACCOUNT);
  // A new link invalidates the previous one, so it is created only if it can be mailed. A mail that cannot be sent is reported
  // either way.
  const secret = (await deps.canMail(company.id)) ? await makeReset(deps, user.id, RESET_MINUTES.mail) : '';
  const to = { id: deps.ids.id(), to: user.email, companyName: company.name };
  const mail = resetMail(to, resetLink(deps.publicUrl, secret));
  await deps.sendPersonalMail(company.id, { ...mail, beforeSending: onlyOpenReset(deps, secret) });
}

function tellChanged(deps: AccountDeps, userId: string, email: string): void {
  inBackground(deps, async () => {
    const company = await companyOfUser(deps, userId);
    if (!company || !(await deps.canMail(company.id))) return;
    await deps.sendPersonalMail(
      company.id,
      passwordChangedMail({ id: deps.ids.id(), to: email, companyName: company.name }, deps.publicUrl),
    );
  });
}

/** Sends an e-mail that no answer waits for. Failures of the mail server are notified in Kontor; others are logged. */
export function inBackground({ log }: Pick<AccountDeps, 'log'>, work: () => Promise<unknown>): void {
  setImmediate(() => {
    work().catch((error: unknown) => log.warn({ err: error }, 'an e-mail about an account was not sent'));
  });
}
