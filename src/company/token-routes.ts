import type { FastifyInstance } from 'fastify';
import { permissionsOf } from '#auth/roles.ts';
import { addToken, INSTALLATION, listTokens, removeToken } from '#auth/tokens.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { roles } from '#shared/account/roles.ts';
import { MOST_TOKEN_DAYS } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { instantOfText, wallText } from '#shared/schedule/due-times.ts';
import { ownerOnly } from './member-routes.ts';
import { type AccountDeps, personOf } from './sign-in.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL_DAYS = 365;

/** Calls about API tokens, by which programs sign in. */
export function tokenRoutes(app: FastifyInstance, { database, clock, ids }: AccountDeps): void {
  route(app, api.tokens, ({ principal }) =>
    database.company(principal.company, (trx) => listTokens(trx, principal.company)),
  );

  route(app, api.createToken, async ({ principal, body, audit }) => {
    const { name, role } = body;
    audit.about(`${name}, ${roles[role].label}`);
    if (role === 'owner' && principal.role !== 'owner') throw ownerOnly();
    const permissions = permissionsOf(role).filter(
      (one) => one === 'enter' || (body.permissions?.includes(one) ?? true),
    );
    if (permissions.some((one) => !principal.permissions.includes(one)))
      throw new KontorError(403, 'not_allowed', 'Ein Zugang darf nicht mehr dürfen als Sie selbst.');
    if (permissions.length === 1)
      throw unprocessable('no_permission', 'Bitte wählen Sie mindestens ein Recht aus.', [
        { field: 'permissions', message: 'Bitte wählen Sie mindestens ein Recht aus.' },
      ]);
    const now = clock.now();
    const expiresAt = endOfToken(now, body.lastDay);
    audit.about(`${name}, ${roles[role].label}, bis ${dayText.format(expiresAt)}`);
    const [maker, makerName] =
      principal.operator === true ? [null, INSTALLATION] : [personOf(principal).userId, principal.name];
    const secret = ids.secret();
    const id = await database.company(principal.company, async (trx) => {
      const made = await addToken(trx, ids, principal.company, {
        name,
        role,
        secret,
        permissions,
        expiresAt,
        maker,
        makerName,
      });
      await audit.within(trx);
      return made;
    });
    return {
      id,
      name,
      role,
      permissions,
      maker: makerName,
      createdAt: now.toISOString(),
      lastUsedAt: null,
      expiresAt: expiresAt.toISOString(),
      token: secret,
    };
  });

  route(app, api.deleteToken, async ({ principal, params, audit }) => {
    const { company } = principal;
    await database.company(company, async (trx) => {
      const name = await removeToken(trx, company, params.id);
      if (name === undefined) throw notFound('Diesen API-Zugang');
      await audit.within(trx, name);
    });
    return { ok: true as const };
  });
}

/** Formats a day for users. */
const dayText = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'Europe/Berlin' });

const dayOf = (at: Date): string => wallText(at).slice(0, 10);

/** Returns the expiry of a new token. @throws 422 if it is in the past, or too far away */
function endOfToken(now: Date, lastDay: string | undefined): Date {
  if (lastDay === undefined) return new Date(now.getTime() + USUAL_DAYS * DAY_MS);
  // The end of that day in Berlin, as the list of tokens shows it.
  const end = new Date((instantOfText(`${lastDay}T23:59`)?.getTime() ?? 0) + 59_000);
  if (end <= now)
    throw unprocessable('expired', 'Der Zugang wäre schon abgelaufen. Es wurde nichts angelegt.', [
      { field: 'lastDay', message: 'Bitte wählen Sie einen Tag in der Zukunft.' },
    ]);
  const last = dayOf(new Date(now.getTime() + MOST_TOKEN_DAYS * DAY_MS));
  if (lastDay > last)
    throw unprocessable(
      'too_long',
      `Ein Zugang gilt höchstens ${MOST_TOKEN_DAYS} Tage. Es wurde nichts angelegt. Bitte wählen Sie einen früheren Tag und legen Sie später einen neuen Zugang an.`,
      [{ field: 'lastDay', message: `Höchstens ${MOST_TOKEN_DAYS} Tage` }],
    );
  return end;
}
