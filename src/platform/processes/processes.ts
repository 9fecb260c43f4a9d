import type { Accounts, Trx } from '#platform/db/database.ts';
import { pg, secondsFromNow } from '#platform/db/pg.ts';

/** Interval in ms at which a process reports that it is alive. */
export const SEEN_EVERY_MS = 60_000;
/** A process silent for longer is dead, or cut off from the database: one missed report is tolerated. */
const SILENT_SECONDS = 150;
/** How long an ended process stays listed, in seconds. */
const KEPT_SECONDS = 24 * 60 * 60;

export type ProcessRole = 'all' | 'web' | 'worker';
export type ProcessState = {
  readonly name: string;
  readonly role: ProcessRole;
  readonly program: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Whether it reported recently. */
  readonly answers: boolean;
  /** Who drained it, so that it takes no jobs, and when. */
  readonly drained: { readonly by: string; readonly since: Date } | null;
};

const answers = pg<boolean>`seen_at > ${secondsFromNow(-SILENT_SECONDS)}`;

/** Returns the processes that work on this database, or did within a day, by name. */
export async function listProcesses(trx: Trx): Promise<ProcessState[]> {
  const rows = await trx.selectFrom('processes').selectAll().select(answers.as('answers')).orderBy('name').execute();
  return rows.map(({ drained_by: by, drained_at: since, started_at: startedAt, seen_at: seenAt, ...row }) => ({
    ...row,
    startedAt,
    seenAt,
    drained: by === null || since === null ? null : { by, since },
  }));
}

/** Returns the names of living processes that take jobs, decide prices and look after accounts. */
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

/** Whether every living process can read passwords stored as Argon2id; earlier versions cannot. */
export async function everyProcessReadsArgon2id({ kysely }: Accounts): Promise<boolean> {
  const older = await kysely
    .selectFrom('processes')
    .select('name')
    .where('reads_argon2id', '=', false)
    .where(answers)
    .limit(1)
    .executeTakeFirst();
  return older === undefined;
}

/**
 * Reports that a process is alive; a drained one stays drained. Write nothing else in the same transaction: its id marks it as
 * one that ends no rest (db/snapshot-watch.ts).
 */
export async function reportAlive(trx: Trx, own: Pick<ProcessState, 'name' | 'role' | 'program'>): Promise<void> {
  const report = { seen_at: secondsFromNow(0), report_xid: pg<string>`pg_current_xact_id()::text` };
  await trx
    .insertInto('processes')
    .values({ ...own, ...report, started_at: report.seen_at, reads_argon2id: true })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(report))
    .execute();
}

/** Removes the row of an earlier process of the same name, and those silent for a day; `alone`: removes all others. */
export async function deleteProcesses(trx: Trx, name: string, alone: boolean): Promise<void> {
  await trx
    .deleteFrom('processes')
    .where((eb) =>
      alone ? eb.lit(true) : eb.or([eb('name', '=', name), eb('seen_at', '<', secondsFromNow(-KEPT_SECONDS))]),
    )
    .execute();
}

/** Keeps a process from taking jobs, or allows it again (`by` undefined). Returns whether such a process exists. */
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
