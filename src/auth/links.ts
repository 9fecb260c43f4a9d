import type { Clock } from '#platform/clock.ts';
import type { Accounts, Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { hashOf } from './secrets.ts';

type LinkDeps = { database: Database; clock: Clock; ids: Ids };
/** Runs in the transaction of the change. */
type Note = (trx: Trx) => Promise<void>;

const MINUTE_MS = 60 * 1000;

/** Minutes that a link to a new password is valid: one in a mail is used at once, one handed over by a person may take a day. */
export const RESET_MINUTES = { mail: 30, hand: 24 * 60 } as const;
const INVITATION_MS = 7 * 24 * 60 * MINUTE_MS;

/** The page of a link; the secret comes after #, which browsers never send to a server. */
export const resetLink = (publicUrl: string, secret: string) => `${publicUrl}/passwort-neu#${secret}`;
export const invitationLink = (publicUrl: string, secret: string) => `${publicUrl}/einladung#${secret}`;

/**
 * Creates the secret of a link to a new password; the user's earlier links become invalid. `by`: the company whose member creates
 * it.
 */
export async function makeReset(
  { database, clock, ids }: LinkDeps,
  userId: string,
  minutes: number,
  by?: { company: string; note: Note },
): Promise<string> {
  const secret = ids.secret();
  const expires_at = new Date(clock.now().getTime() + minutes * MINUTE_MS);
  await database.accounts(by?.company ?? '', async (trx) => {
    await removeResetsOf({ kysely: trx }, userId);
    await trx
      .insertInto('password_resets')
      .values({ hash: hashOf(secret), user_id: userId, expires_at })
      .execute();
    await by?.note(trx);
  });
  return secret;
}

/** Prolongs a link that could not be sent by mail, so that a person can hand it over. */
export async function prolongReset({ database, clock }: LinkDeps, secret: string): Promise<void> {
  const expires_at = new Date(clock.now().getTime() + RESET_MINUTES.hand * MINUTE_MS);
  await database.kysely.updateTable('password_resets').set({ expires_at }).where('hash', '=', hashOf(secret)).execute();
}

/** Whether a link still sets a new password: it was neither used nor deleted, and no newer one has replaced it. */
export async function isOpenReset({ database }: Pick<LinkDeps, 'database'>, secret: string): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('password_resets')
    .select('hash')
    .where('hash', '=', hashOf(secret))
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes a user's links to a new password. */
export async function removeResetsOf(database: Accounts, userId: string): Promise<void> {
  await database.kysely.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

/** Returns the user whose password a link resets. @throws 422 if it has expired */
export async function userOfReset({ database, clock }: LinkDeps, secret: string) {
  const found = await database.kysely
    .selectFrom('password_resets as r')
    .innerJoin('user as u', 'u.id', 'r.user_id')
    .select(['u.id', 'u.name', 'u.email'])
    .where('r.hash', '=', hashOf(secret))
    .where('r.expires_at', '>=', clock.now())
    .executeTakeFirst();
  if (!found) throw linkOver();
  return found;
}

/** Uses up a link. @throws 422 if it was used meanwhile */
export async function useReset(database: Accounts, secret: string): Promise<void> {
  const used = await database.kysely
    .deleteFrom('password_resets')
    .where('hash', '=', hashOf(secret))
    .executeTakeFirst();
  if (used.numDeletedRows !== 1n) throw linkOver();
}

/** `userId` undefined: invited with the installation's own token. */
type Inviter = { name: string; userId: string | undefined };

/** Invites an address; an existing invitation gets a new link that replaces the old one. Returns the secret of the link. */
export async function invite(
  deps: LinkDeps,
  { company, email, role, by }: { company: string; email: string; role: string; by: Inviter },
  note: Note,
): Promise<string> {
  const { secret, ...link } = newLink(deps, by);
  const row = { role, ...link };
  await deps.database.accounts(company, async (trx) => {
    await trx
      .insertInto('invitations')
      .values({ id: deps.ids.id(), organization_id: company, email: email.toLowerCase(), ...row })
      .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doUpdateSet(row))
      .execute();
    await note(trx);
  });
  return secret;
}

/**
 * Gives an open invitation a new link that replaces the old one. Returns the secret of the link; undefined if the invitation was
 * withdrawn or accepted, or its role changed, since it was read.
 */
export async function renewInvitation(
  deps: LinkDeps,
  { company, id, role, by }: { company: string; id: string; role: string; by: Inviter },
  note: Note,
): Promise<string | undefined> {
  const { secret, ...link } = newLink(deps, by);
  return deps.database.accounts(company, async (trx) => {
    const renewed = await trx
      .updateTable('invitations')
      .set(link)
      .where((eb) => eb.and({ organization_id: company, id, role }))
      .executeTakeFirst();
    if (renewed.numUpdatedRows !== 1n) return undefined;
    await note(trx);
    return secret;
  });
}

function newLink({ clock, ids }: LinkDeps, by: Inviter) {
  const secret = ids.secret();
  const now = clock.now();
  return {
    secret,
    hash: hashOf(secret),
    invited_by: by.name,
    inviter: by.userId ?? null,
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_MS),
  };
}

/** Returns the invitation of a link. @throws 422 if it has expired or was withdrawn */
export async function readInvitation({ database, clock }: LinkDeps, secret: string) {
  const found = await database.kysely
    .selectFrom('invitations as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(['i.email', 'i.role', 'o.id as company', 'o.name as companyName'])
    .where('i.hash', '=', hashOf(secret))
    .where('i.expires_at', '>=', clock.now())
    .executeTakeFirst();
  if (!found) throw linkOver();
  return found;
}

/** Whether a link's invitation is still open with this link: it was neither withdrawn nor sent again with another one. */
export async function isOpenInvitation({ database }: Pick<LinkDeps, 'database'>, secret: string): Promise<boolean> {
  const found = await database.kysely
    .selectFrom('invitations')
    .select('id')
    .where('hash', '=', hashOf(secret))
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns a company's open invitations, newest first. */
export const listInvitations = ({ database }: Pick<LinkDeps, 'database'>, company: string) =>
  database.kysely
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'invited_by as invitedBy', 'created_at', 'expires_at'])
    .where('organization_id', '=', company)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** Uses up an invitation. @throws 422 if it was withdrawn, or sent again, since it was read */
export async function useInvitation(database: Accounts, secret: string): Promise<void> {
  const used = await database.kysely.deleteFrom('invitations').where('hash', '=', hashOf(secret)).executeTakeFirst();
  if (used.numDeletedRows !== 1n) throw linkOver();
}

/** Deletes an invitation of a company; false if there is none with this id. */
export async function removeInvitation(database: Accounts, company: string, id: string): Promise<boolean> {
  const deleted = await database.kysely
    .deleteFrom('invitations')
    .where('organization_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** Deletes all invitations by a member who may no longer invite: any of them could be to an address of his own. */
export async function removeInvitationsOf(database: Accounts, company: string, inviter: string): Promise<void> {
  await database.kysely
    .deleteFrom('invitations')
    .where((eb) => eb.and({ organization_id: company, inviter }))
    .execute();
}

const linkOver = () =>
  new KontorError(422, 'link_over', 'Dieser Link gilt nicht mehr. Bitte fordern Sie einen neuen an.');
