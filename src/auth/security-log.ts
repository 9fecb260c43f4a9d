import type { Clock } from '#platform/clock.ts';
import { chainKeys } from '#platform/crypto/chain-keys.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { AuditEvent } from '#platform/http/audit.ts';

export type SecurityLogDeps = { database: Database; vault: Vault; clock: Clock };

const PAGE = 1000;
/** Retention in months: one year, and one month to review it. */
const KEPT_MONTHS = 13;

type Link = { number: number; hash: string };
type Stored = AuditEvent & Link & { at: Date };
const none: Link = { number: 0, hash: '' };

/**
 * Adds an event to the audit chain of its company, in the transaction of the change. It locks the row of the chain's head until
 * the transaction ends, so it should be the last step.
 */
export async function recordEvent(trx: Trx, { vault, clock }: SecurityLogDeps, event: AuditEvent): Promise<void> {
  const { company } = event;
  await trx
    .insertInto('security_log_heads')
    .values({ company, number: 0, hash: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const head = await trx
    .selectFrom('security_log_heads')
    .select(['number', 'hash'])
    .where('company', '=', company)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const number = head.number + 1;
  const stored = { ...event, address: event.address.slice(0, 100), subject: event.subject.slice(0, 500), number };
  const at = clock.now();
  const hash = markOf(vault, { ...stored, at }, head.hash);
  const { actorId, by, ...rest } = stored;
  await trx
    .insertInto('security_events')
    .values({ ...rest, at, hash, actor_id: actorId, actor_by: by })
    .execute();
  await trx.updateTable('security_log_heads').set({ number, hash }).where('company', '=', company).execute();
}

/** Adds an event for a change that has no transaction of its own. */
export const addEvent = (deps: SecurityLogDeps, event: AuditEvent): Promise<void> =>
  deps.database.company(event.company, (trx) => recordEvent(trx, deps, event));

/** Counts an attempt to sign in with an unknown address; the address is not stored. */
export async function countUnknownSignIn({ database, clock }: SecurityLogDeps): Promise<void> {
  await database.kysely
    .insertInto('unknown_sign_ins')
    .values({ day: clock.now().toISOString().slice(0, 10), tries: 1 })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet((eb) => ({ tries: eb('unknown_sign_ins.tries', '+', 1) })),
    )
    .execute();
}

// The format of this text must never change. JSON, because a value cannot shift the boundaries between fields.
const markOf = (vault: Vault, event: Omit<Stored, 'hash'>, before: string): string => {
  const { company, number, at, kind, result, actor, actorId, by, address, what, subject } = event;
  const text = [company, number, at.toISOString(), kind, result, actor, actorId, by, address, what, subject, before];
  return vault.mark(company, `security ${JSON.stringify(text)}`);
};

const sealOf = (vault: Vault, company: string, { number, hash }: Link): string =>
  vault.mark(company, `security checkpoint ${JSON.stringify([company, number, hash])}`);

/** Verifies the whole audit chain of a company and stores the result: where it breaks, in German; '' if it is intact. */
export async function verifySecurityLog(deps: SecurityLogDeps, company: string): Promise<string> {
  const broken = await firstBreak(deps, company);
  const now = deps.clock.now();
  await deps.database.company(company, (trx) =>
    trx
      .updateTable('security_log_heads')
      .set((eb) => ({ verified_at: now, broken, ...(broken === '' ? { verified_number: eb.ref('number') } : {}) }))
      .where('company', '=', company)
      .execute(),
  );
  return broken;
}

async function firstBreak(deps: SecurityLogDeps, company: string): Promise<string> {
  const { database } = deps;
  const keys = await chainKeys(deps, company, 'security_anchors');
  if (keys === undefined) return 'Das Ende, das beim Wechsel des Geheimnisses festgehalten wurde, ist verändert.';
  // Events added meanwhile are not checked: the check ends at the head as read here.
  const { head, checkpoint } = await database.company(company, async (trx) => ({
    head: await trx.selectFrom('security_log_heads').selectAll().where('company', '=', company).executeTakeFirst(),
    checkpoint: await lastCheckpoint(trx, company),
  }));
  if (head === undefined) return checkpoint === undefined ? '' : 'Das Ende des Protokolls fehlt.';
  if (checkpoint !== undefined && !keys.sealFits(checkpoint, (vault) => sealOf(vault, company, checkpoint)))
    return `Der Anfang bei Eintrag ${checkpoint.number + 1} ist nicht der, der beim Aufräumen festgehalten wurde.`;
  if (head.number < Math.max(head.verified_number, keys.least)) return `Nach Eintrag ${head.number} fehlen Einträge.`;
  let last: Link = checkpoint ?? none;
  while (last.number < head.number) {
    const events = await database.company(company, (trx) => eventsAfter(trx, company, last.number, head.number));
    if (events.length === 0) return `Nach Eintrag ${last.number} fehlen Einträge.`;
    for (const event of events) {
      if (event.number !== last.number + 1) return `Vor Eintrag ${event.number} fehlen Einträge.`;
      const { hash } = last;
      if (!keys.fits(event, (vault) => markOf(vault, event, hash))) return `Eintrag ${event.number} wurde verändert.`;
      last = event;
    }
  }
  return last.hash === head.hash ? '' : 'Das Ende des Protokolls wurde verändert.';
}

const lastCheckpoint = (trx: Trx, company: string) =>
  trx
    .selectFrom('security_checkpoints')
    .select(['number', 'hash', 'seal'])
    .where('company', '=', company)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

async function eventsAfter(trx: Trx, company: string, after: number, upTo: number) {
  return trx
    .selectFrom('security_events')
    .select(['company', 'number', 'at', 'kind', 'result', 'actor', 'actor_id as actorId', 'actor_by as by', 'address'])
    .select(['what', 'subject', 'hash'])
    .where('company', '=', company)
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .orderBy('number')
    .limit(PAGE)
    .execute();
}

/**
 * Deletes events older than 13 months. A checkpoint keeps the hash of the last deleted one, so that the remaining chain can be
 * verified.
 */
export async function deleteOldEvents({ database, vault, clock }: SecurityLogDeps, company: string): Promise<void> {
  const oldest = new Date(clock.now());
  oldest.setUTCMonth(oldest.getUTCMonth() - KEPT_MONTHS);
  await database.company(company, async (trx) => {
    // By number, not by time: a clock that was set back must not leave a gap.
    const firstRecent = await trx
      .selectFrom('security_events')
      .select((eb) => eb.fn.min<number | null>('number').as('number'))
      .where('company', '=', company)
      .where('at', '>=', oldest)
      .executeTakeFirst();
    const last = await trx
      .selectFrom('security_events')
      .select(['number', 'hash'])
      .where('company', '=', company)
      .$if(firstRecent?.number !== null && firstRecent?.number !== undefined, (query) =>
        query.where('number', '<', firstRecent?.number ?? 0),
      )
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    await trx
      .insertInto('security_checkpoints')
      .values({ company, ...last, made_at: clock.now(), seal: sealOf(vault, company, last) })
      .execute();
    await trx.deleteFrom('security_events').where('company', '=', company).where('number', '<=', last.number).execute();
  });
}
