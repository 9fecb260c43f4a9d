import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { cancelJob } from './cancel-job.ts';
import { addJob, type JobDefinition } from './job-definition.ts';
import type { Job } from './job.ts';

/** A job whose work other jobs do in parts, on any free workers. It waits for them. */
export type PartedJob = { readonly company: string; readonly run: string; readonly kind: string };

const LOOK_EVERY_MS = 1000;
const subjectOf = (run: string, part: number): string => `part:${run}:${part}`;

const partColumns = ['id', 'subject', 'state', 'message', 'payload'] as const;
/** What is looked at while parts run; their results may be large. */
export type PartRow = Pick<Job, (typeof partColumns)[number]>;

/** Adds a job for each part. */
export async function addParts<P extends z.ZodType>(
  trx: Trx,
  ids: Ids,
  definition: JobDefinition<P>,
  { company, run }: PartedJob,
  payloads: readonly z.input<P>[],
): Promise<void> {
  for (const [part, payload] of payloads.entries())
    await addJob(trx, definition, { company, id: ids.id(), subject: subjectOf(run, part), payload });
}

/** Returns the jobs of all parts in order, of those that `fits`; undefined if one is missing or was cancelled. */
export async function partsOf(
  database: Database,
  { company, run, kind }: PartedJob,
  count: number,
  fits: (part: PartRow) => boolean = () => true,
): Promise<PartRow[] | undefined> {
  const subjects = Array.from({ length: count }, (_, part) => subjectOf(run, part));
  const rows = await database.company(company, (trx) =>
    trx
      .selectFrom('jobs')
      .select(partColumns)
      .where((eb) => eb.and({ company, kind }))
      .where('subject', 'in', subjects)
      .where('state', '<>', 'cancelled')
      .execute(),
  );
  const found = new Map(rows.filter(fits).map((row) => [row.subject, row]));
  const parts = subjects.flatMap((subject) => found.get(subject) ?? []);
  return parts.length === count ? parts : undefined;
}

/**
 * Waits until all parts are done and returns their jobs. `look` is `partsOf`; `onDone` receives the numbers of the finished parts
 * at each look. @throws 422 with the cause of the first part that failed, 409 if one was cancelled
 */
export async function allParts(
  look: () => Promise<readonly PartRow[] | undefined>,
  onDone: (done: readonly number[]) => void,
  signal: AbortSignal,
): Promise<readonly PartRow[]> {
  for (;;) {
    const parts = await look();
    if (parts === undefined) throw lostPart();
    const failed = parts.findIndex(({ state }) => state === 'failed');
    if (failed !== -1) throw failedPart(failed + 1, parts.length, parts[failed]?.message ?? '');
    const done = parts.flatMap(({ state }, part) => (state === 'done' ? [part] : []));
    if (done.length === parts.length) return parts;
    onDone(done);
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Returns the results of finished parts, as JSON texts in the order of the parts. */
export async function partResults(database: Database, company: string, parts: readonly PartRow[]): Promise<string[]> {
  const ids = parts.map(({ id }) => id);
  const rows = await database.company(company, (trx) =>
    trx.selectFrom('jobs').select(['id', 'result']).where('company', '=', company).where('id', 'in', ids).execute(),
  );
  const results = new Map(rows.map(({ id, result }) => [id, result]));
  return ids.map((id) => results.get(id) ?? '{}');
}

/** Cancels the parts that have not ended. */
export async function callOffParts(database: Database, { company, run, kind }: PartedJob): Promise<void> {
  await database.company(company, async (trx) => {
    const open = await trx
      .selectFrom('jobs')
      .select('id')
      .where((eb) => eb.and({ company, kind }))
      .where('subject', 'like', `part:${run}:%`)
      .where('state', 'in', ['queued', 'running'])
      .execute();
    for (const part of open) await cancelJob(trx, company, part.id);
  });
}

/**
 * After a failure: cancels the parts and clears what they wrote. If only this worker gives up the run (it stops or lost its
 * lease), another continues with the parts, so they are kept.
 */
export async function giveUpParts(
  database: Database,
  parted: PartedJob,
  signal: AbortSignal,
  clear: () => Promise<void>,
): Promise<void> {
  const { company, run } = parted;
  try {
    if (signal.aborted && (await database.company(company, (trx) => isWanted(trx, company, run)))) return;
    await callOffParts(database, parted);
    await clear();
  } catch {
    // Ignored: the original failure is the one to report.
  }
}

/** Whether the run still waits for its parts: it was not cancelled and has not ended. */
export async function isWanted(trx: Trx, company: string, id: string): Promise<boolean> {
  const run = await trx
    .selectFrom('jobs')
    .select('id')
    .where((eb) => eb.and({ company, id, cancel: false }))
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return run !== undefined;
}

/** Whether `allParts` threw this because a part failed or was cancelled. */
export const isLostPart = ({ code }: KontorError): boolean => code === 'part_failed' || code === 'part_cancelled';

const failedPart = (part: number, of: number, cause: string) =>
  new KontorError(
    422,
    'part_failed',
    `Teil ${part} von ${of} dieses Laufs ist gescheitert, deshalb wurde nichts veröffentlicht; der bisherige Stand gilt weiter. ${cause}`,
  );
const lostPart = () =>
  new KontorError(
    409,
    'part_cancelled',
    'Ein Teil dieses Laufs wurde abgebrochen, deshalb wurde nichts veröffentlicht; der bisherige Stand gilt weiter. Bitte erneut starten.',
  );
