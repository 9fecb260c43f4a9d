import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { clearable } from '#catalogue/retention.ts';
import { pg } from '#platform/db/pg.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { addJob, defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { nextDue } from '#shared/schedule/due-times.ts';
import { clearMaterialised } from '#feed/materialised-fields/materialised-fields.ts';
import { lockState, writeState } from '#feed/schedule/store.ts';

export type MaintenanceDeps = {
  database: Database;
  storagePaths: StoragePaths;
  clock: Clock;
  /** What other subjects do for a company at night. */
  atNight: (company: string, signal: AbortSignal) => Promise<void>;
};

/** At night, when the fewest look. */
const nightly = {
  active: true,
  kind: 'times' as const,
  times: ['03:30'],
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  minutes: 60,
};
const SUBJECT = 'maintenance';
const maintenanceJob = defineJob({ kind: 'maintenance', payload: z.object({}), pool: 'maintenance' });

/** Orders the nightly maintenance of every company for which it is due; a night that was missed is made up for once. */
export async function orderMaintenance(deps: { database: Database; clock: Clock; ids: Ids }): Promise<boolean> {
  const { database, clock, ids } = deps;
  const now = clock.now();
  const { rows } = await database.system((trx) =>
    pg<{ company: string }>`select distinct m.company from masters m
      left join schedules s on s.company = m.company and s.subject = ${SUBJECT} and s.scope = ''
      where s.next_at is null or s.next_at <= ${now}`.execute(trx),
  );
  for (const { company } of rows)
    await database.company(company, async (trx) => {
      const place = { company, subject: SUBJECT, scope: '' };
      const held = await lockState(trx, place);
      if (held?.nextAt && held.nextAt > now) return;
      if (held) await addJob(trx, maintenanceJob, { company, id: ids.id(), subject: SUBJECT, payload: {} });
      const nextAt = nextDue(nightly, now) ?? null;
      const nothing = { revision: 0, note: null, goodRun: null, goodAt: now, overdueSince: null };
      await writeState(trx, place, { ...nothing, nextAt });
    });
  return rows.length > 0;
}

/** Clears away the files of old states and runs (catalogue/retention.ts says which); their rows stay and say so. Then what others do at night. */
export function maintenanceRunner({ database, storagePaths, clock, atNight }: MaintenanceDeps): JobRunner {
  return jobRunner(maintenanceJob, async ({ company }, { signal }) => {
    const now = clock.now();
    const { exports, masters } = await database.company(company, (trx) => owners(trx, company));
    for (const id of exports) {
      signal.throwIfAborted();
      const gone = await database.company(company, (trx) => clearOutputs(trx, { company, id }, now));
      await removeNumbered(storagePaths.runFolder(company, id), new Set(gone));
    }
    for (const id of masters) {
      signal.throwIfAborted();
      const gone = await database.company(company, (trx) => clearSnapshots(trx, { company, id }, now));
      await removeNumbered(storagePaths.snapshotFolder(company, id), new Set(gone.map(({ number }) => number)));
      await clearMaterialised(storagePaths, { company, masterid: id }, now);
      for (const { runid } of gone) await rm(storagePaths.rejected(company, id, runid), { force: true });
    }
    await atNight(company, signal);
    return { state: 'done' };
  });
}

async function owners(trx: Trx, company: string): Promise<{ exports: string[]; masters: string[] }> {
  const ids = async (table: 'exports' | 'masters') =>
    (await pg<{ id: string }>`select id from ${pg.table(table)} where company = ${company}`.execute(trx)).rows.map(
      ({ id }) => id,
    );
  return { exports: await ids('exports'), masters: await ids('masters') };
}

type Row = { number: number; created_at: Date; runid: string; state: string | null; live: boolean | null };
type Place = { company: string; id: string };
const stateOf = ({ number, created_at: createdAt, state, live }: Row, needed: boolean) => ({
  number,
  createdAt,
  accepted: state === 'done',
  needed: needed || live === true || state === 'blocked',
});

/** Marks what goes, and gives every number that is gone: a file that an interrupted maintenance left goes with the next one. */
async function clearOutputs(trx: Trx, { company, id }: Place, now: Date): Promise<number[]> {
  // The lock keeps everybody from putting in force what is about to go.
  await pg`select 1 from exports where company = ${company} and id = ${id} for update`.execute(trx);
  const { rows } = await pg<Row>`select f.number, f.created_at, f.runid, j.state,
      f.number = e.live_file or (not f.whole and f.number > e.live_file) as live
    from exports e join export_files f on f.company = e.company and f.export = e.id
    left join jobs j on j.company = f.company and j.id = f.runid
    where e.company = ${company} and e.id = ${id} and f.gone_at is null`.execute(trx);
  const goes = clearable(
    rows.map((row) => stateOf(row, false)),
    now,
  );
  await pg`update export_files set gone_at = ${now}
    where company = ${company} and export = ${id} and number = any(${goes}::int[])`.execute(trx);
  const { rows: gone } = await pg<{ number: number }>`select number from export_files
    where company = ${company} and export = ${id} and gone_at is not null`.execute(trx);
  return gone.map(({ number }) => number);
}

const UsedSnapshot = z.object({ snapshot: z.number().int().nullable() }).catch({ snapshot: null });

async function clearSnapshots(
  trx: Trx,
  { company, id }: Place,
  now: Date,
): Promise<{ number: number; runid: string }[]> {
  await pg`select 1 from masters where company = ${company} and id = ${id} for update`.execute(trx);
  const { rows } = await pg<Row>`select s.number, s.created_at, s.runid, j.state, s.number = m.live_snapshot as live
    from masters m join snapshots s on s.company = m.company and s.master = m.id
    left join jobs j on j.company = s.company and j.id = s.runid
    where m.company = ${company} and m.id = ${id} and s.gone_at is null`.execute(trx);
  // A kept run is explained from the state it was made of.
  const { rows: runs } = await pg<{ result: string }>`select j.result from exports e
    join export_files f on f.company = e.company and f.export = e.id and f.gone_at is null
    join jobs j on j.company = f.company and j.id = f.runid
    where e.company = ${company} and e.master = ${id}`.execute(trx);
  const used = new Set(runs.map(({ result }) => UsedSnapshot.parse(JSON.parse(result)).snapshot));
  const goes = clearable(
    rows.map((row) => stateOf(row, used.has(row.number))),
    now,
  );
  await pg`update snapshots set gone_at = ${now}
    where company = ${company} and master = ${id} and number = any(${goes}::int[])`.execute(trx);
  const { rows: gone } = await pg<{ number: number; runid: string }>`select number, runid from snapshots
    where company = ${company} and master = ${id} and gone_at is not null`.execute(trx);
  return gone;
}

/** Removes the files `<number>.<anything>` of a folder. */
async function removeNumbered(folder: string, numbers: ReadonlySet<number>): Promise<void> {
  if (numbers.size === 0) return;
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const number = /^(\d+)\./.exec(name)?.[1];
    if (number !== undefined && numbers.has(Number(number))) await rm(join(folder, name), { force: true });
  }
}
