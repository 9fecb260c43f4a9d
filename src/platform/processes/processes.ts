import type { Accounts, Trx } from '#platform/db/database.ts';
import { pg, secondsFromNow } from '#platform/db/pg.ts';

/** How often each process says that it is there: rarely, since every write wakes those that rest until something changes. */
export const SEEN_EVERY_MS = 60_000;
/** Whoever was silent for longer is dead, or away from the database: one word may be missed. */
const SILENT_SECONDS = 150;
/** For how long it is shown that one was there. */
const KEPT_SECONDS = 24 * 60 * 60;

export type ProcessRole = 'all' | 'web' | 'worker';
export type ProcessState = {
  readonly name: string;
  readonly role: ProcessRole;
  readonly program: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** It said lately that it is there. */
  readonly answers: boolean;
  /** Who keeps it from beginning jobs, since when. */
  readonly drained: { readonly by: string; readonly since: Date } | null;
};

const answers = pg<boolean>`seen_at > ${secondsFromNow(-SILENT_SECONDS)}`;

/** Who works on this database, or did a day ago, by name. */
export async function listProcesses(trx: Trx): Promise<ProcessState[]> {
  const rows = await trx.selectFrom('processes').selectAll().select(answers.as('answers')).orderBy('name').execute();
  return rows.map(({ drained_by: by, drained_at: since, started_at: startedAt, seen_at: seenAt, ...row }) => ({
    ...row,
    startedAt,
    seenAt,
    drained: by === null || since === null ? null : { by, since },
  }));
}

/** Those that answer and begin jobs, decide prices and look after accounts, by name. */
export async function livingWorkers(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom('processes')
    .select('name')
    .where('role', '!=', 'web')
    .where(answers)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Whether every process that answers can read passwords stored as Argon2id; those of versions before cannot. */
export async function othersReadArgon2id({ kysely }: Accounts): Promise<boolean> {
  const older = await kysely
    .selectFrom('processes')
    .select('name')
    .where('reads_argon2id', '=', false)
    .where(answers)
    .limit(1)
    .executeTakeFirst();
  return older === undefined;
}

/** Says that a process is there; it stays drained. */
export async function sayThere(trx: Trx, own: Pick<ProcessState, 'name' | 'role' | 'program'>): Promise<void> {
  const now = secondsFromNow(0);
  await trx
    .insertInto('processes')
    .values({ ...own, started_at: now, seen_at: now, reads_argon2id: true })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at: now }))
    .execute();
}

/** Removes what an earlier process of the same name left, and those that have been silent for a day; `alone`: all others. */
export async function forgetProcesses(trx: Trx, name: string, alone: boolean): Promise<void> {
  await trx
    .deleteFrom('processes')
    .where((eb) =>
      alone ? eb.lit(true) : eb.or([eb('name', '=', name), eb('seen_at', '<', secondsFromNow(-KEPT_SECONDS))]),
    )
    .execute();
}

/** Keeps a process from beginning jobs, or lets it begin them again (`by` undefined). Whether there is one of this name that begins any. */
export async function drainProcess(trx: Trx, name: string, by: string | undefined): Promise<boolean> {
  const drained = await trx
    .updateTable('processes')
    .set({ drained_by: by ?? null, drained_at: by === undefined ? null : secondsFromNow(0) })
    .where('name', '=', name)
    .where('role', '!=', 'web')
    .returning('name')
    .executeTakeFirst();
  return drained !== undefined;
}

export async function isDrained(trx: Trx, name: string): Promise<boolean> {
  const row = await trx
    .selectFrom('processes')
    .select('name')
    .where('name', '=', name)
    .where('drained_by', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
