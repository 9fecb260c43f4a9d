import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { clearOfferedStock } from '#catalogue/offered-stock.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { clearable } from '#catalogue/files/retention.ts';
import { showTrash } from '#catalogue/trash.ts';
import { anyOf, pg, secondsFromNow } from '#platform/db/pg.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { despiteFailures } from '#platform/jobs/despite-failures.ts';
import { addJob, defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { orderOnce } from '#platform/jobs/order-once.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { nextDue } from '#shared/schedule/due-times.ts';
import { clearMaterialised } from '#feed/materialised-fields/materialised-fields.ts';
import { lockState, writeState } from '#feed/schedule/store.ts';

export type MaintenanceDeps = {
  database: Database;
  storagePaths: StoragePaths;
  clock: Clock;
  log: Log;
  /** Nightly work of other subjects for a company, in order. */
  atNight: readonly NightStep[];
};
type NightStep = (company: string, signal: AbortSignal) => Promise<unknown>;

/** At night, when the fewest users are active. */
const nightly = {
  active: true,
  kind: 'times' as const,
  times: ['03:30'],
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  minutes: 60,
};
const OfCompany = z.object({ company: z.string() });
const SUBJECT = 'maintenance';
export const maintenanceJob = defineJob({ kind: 'maintenance', payload: z.object({}), pool: 'maintenance' });

/**
 * Orders the nightly maintenance of every company for which it is due; a missed night is made up for once. Also plans the first
 * night of new companies: of all, or of those with activity in the last `seconds`.
 */
export async function requestMaintenance(
  deps: { database: Database; clock: Clock; ids: Ids },
  newSince: 'ever' | { readonly seconds: number },
): Promise<boolean> {
  const { database, clock, ids } = deps;
  const now = clock.now();
  const due = await (newSince === 'ever'
    ? companiesDue(database, now)
    : database.system(async (trx) => [
        ...(await companiesPlanned(trx, now)),
        ...(await companiesUnplanned(trx, newSince.seconds)),
      ]));
  for (const company of due)
    await database.company(company, async (trx) => {
      const ref = { company, subject: SUBJECT, scope: '' };
      const held = await lockState(trx, ref);
      const tooFarAhead = held?.nextAt && held.nextAt > furthestNight(now);
      if (held?.nextAt && held.nextAt > now && !tooFarAhead) return;
      if (held && !tooFarAhead)
        await addJob(trx, maintenanceJob, { company, id: ids.id(), subject: SUBJECT, payload: {} });
      const nextAt = nextDue(nightly, now) ?? null;
      const nothing = { revision: 0, note: null, goodRun: null, goodAt: now, overdueSince: null };
      await writeState(trx, ref, { ...nothing, nextAt, lookAt: nextAt });
    });
  return due.length > 0;
}

/** The next night is at most 25 hours away. A later date was planned while the clock was wrong, and is planned again. */
const furthestNight = (now: Date): Date => new Date(now.getTime() + 26 * 3600 * 1000);

/** Orders the maintenance once more, unless one is queued. */
export const repeatMaintenance = (trx: Trx, ids: Ids, company: string): Promise<string> =>
  orderOnce(trx, maintenanceJob, { company, id: ids.id(), subject: SUBJECT, payload: {}, isSame: () => true });

/** Companies whose planned night has come. */
export async function companiesPlanned(trx: Trx, now: Date): Promise<string[]> {
  const rows = await trx
    .selectFrom('schedules')
    .select('company')
    .where('look_at', '<=', now)
    .where((eb) => eb.and({ subject: SUBJECT, scope: '' }))
    .execute();
  return rows.map(({ company }) => company);
}

/** Companies without a planned night that recently got a catalogue or finished a run. */
export async function companiesUnplanned(trx: Trx, seconds: number): Promise<string[]> {
  const { rows } =
    await pg`select company from (select company from masters where created_at > ${secondsFromNow(-seconds)}
      union select company from jobs where finished_at > ${secondsFromNow(-seconds)}) as active
    where not exists (select 1 from schedules s where s.company = active.company and s.subject = ${SUBJECT} and s.scope = '')`.execute(
      trx,
    );
  return OfCompany.array()
    .parse(rows)
    .map(({ company }) => company);
}

/** Companies with a catalogue, even in the trash, or with runs that may be old. Companies without any data are skipped. */
async function companiesDue(database: Database, now: Date): Promise<string[]> {
  const companies = await database.kysely.selectFrom('organization').select('id').execute();
  return database.system(async (trx) => {
    await showTrash(trx);
    const { rows } = await pg`select c.company from unnest(${companies.map(({ id }) => id)}::text[]) as c(company)
      where (exists (select 1 from masters m where m.company = c.company) or exists (select 1 from jobs j where j.company = c.company))
        and not exists (select 1 from schedules s where s.company = c.company and s.subject = ${SUBJECT} and s.scope = ''
          and s.next_at > ${now} and s.next_at <= ${furthestNight(now)})`.execute(trx);
    return OfCompany.array()
      .parse(rows)
      .map(({ company }) => company);
  });
}

/** Removes the files of old snapshots and runs (see catalogue/files/retention.ts), marks their rows, then runs `atNight`. */
export function maintenanceRunner({ database, storagePaths, clock, log, atNight }: MaintenanceDeps): JobRunner {
  return jobRunner(maintenanceJob, async ({ company }, { signal }) => {
    const now = clock.now();
    const { exports, masters } = await database.company(company, (trx) => owners(trx, company));
    for (const id of exports) {
      signal.throwIfAborted();
      const removed = await database.company(company, (trx) => clearOutputs(trx, { company, id }, now));
      await removeNumbered(storagePaths, storagePaths.runFolder(company, id), new Set(removed));
      await clearOfferedStock(storagePaths, company, id, now);
      await clearLeftParts(storagePaths, { company, id }, now);
    }
    for (const id of masters) {
      signal.throwIfAborted();
      const removed = await database.company(company, (trx) => clearSnapshots(trx, { company, id }, now));
      await removeNumbered(
        storagePaths,
        storagePaths.snapshotFolder(company, id),
        new Set(removed.map(({ number }) => number)),
      );
      await clearMaterialised(storagePaths, { company, masterid: id }, now);
      await clearLeftParts(storagePaths, { company, id }, now);
      await storagePaths.store.remove(removed.map(({ runid }) => storagePaths.rejected(company, id, runid)));
    }
    await despiteFailures(atNight, async (step) => void (await step(company, signal)), {
      signal,
      failed: (err) => log.error({ err, company }, 'a step of the nightly maintenance failed'),
    });
    return { state: 'done' };
  });
}

/** Age at which parts that an ended run could not remove are deleted; a run that takes a day still has its own. */
const PARTS_KEPT_MS = 2 * 24 * 3600 * 1000;
async function clearLeftParts({ store, partsFolder }: StoragePaths, { company, id }: Place, now: Date): Promise<void> {
  const files = await store.list(partsFolder(company, id));
  const old = files.filter(({ at }) => now.getTime() - at.getTime() > PARTS_KEPT_MS);
  await store.remove(old.map(({ path }) => path));
}

async function owners(trx: Trx, company: string): Promise<{ exports: string[]; masters: string[] }> {
  const ids = async (table: 'exports' | 'masters') =>
    (await trx.selectFrom(table).select('id').where('company', '=', company).execute()).map(({ id }) => id);
  return { exports: await ids('exports'), masters: await ids('masters') };
}

type Made = { number: number; created_at: Date; state: string | null; live: boolean };
type Place = { company: string; id: string };
const stateOf = ({ number, created_at: createdAt, state, live }: Made, needed: boolean) => ({
  number,
  createdAt,
  accepted: state === 'done',
  waits: state === 'blocked',
  needed: needed || live,
});

/**
 * Marks outputs as gone; returns all numbers that are gone, so that the next maintenance removes files an interrupted one left.
 */
async function clearOutputs(trx: Trx, { company, id }: Place, now: Date): Promise<number[]> {
  // The lock prevents others from publishing an output that is about to be removed.
  const held = await trx
    .selectFrom('exports')
    .select('live_file')
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();
  const rows = await trx
    .selectFrom('export_files as f')
    .leftJoin('jobs as j', (join) => join.onRef('j.company', '=', 'f.company').onRef('j.id', '=', 'f.runid'))
    .select(['f.number', 'f.created_at', 'f.whole', 'j.state'])
    .where((eb) => eb.and({ 'f.company': company, 'f.export': id, 'f.gone_at': null }))
    .execute();
  const live = held?.live_file ?? null;
  const isLive = (number: number, whole: boolean) => live !== null && (number === live || (!whole && number > live));
  const goes = clearable(
    rows.map(({ number, whole, ...row }) => stateOf({ ...row, number, live: isLive(number, whole) }, false)),
    now,
  );
  await trx
    .updateTable('export_files')
    .set({ gone_at: now })
    .where((eb) => eb.and({ company, export: id }))
    .where('number', '=', anyOf(goes))
    .execute();
  const deleted = await trx
    .selectFrom('export_files')
    .select('number')
    .where((eb) => eb.and({ company, export: id }))
    .where('gone_at', 'is not', null)
    .execute();
  return deleted.map(({ number }) => number);
}

const UsedSnapshot = z.object({ snapshot: z.number().int().nullable() }).catch({ snapshot: null });

async function clearSnapshots(
  trx: Trx,
  { company, id }: Place,
  now: Date,
): Promise<{ number: number; runid: string }[]> {
  const held = await trx
    .selectFrom('masters')
    .select('live_snapshot')
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();
  const rows = await trx
    .selectFrom('snapshots as s')
    .leftJoin('jobs as j', (join) => join.onRef('j.company', '=', 's.company').onRef('j.id', '=', 's.runid'))
    .select(['s.number', 's.created_at', 'j.state'])
    .where((eb) => eb.and({ 's.company': company, 's.master': id, 's.gone_at': null }))
    .execute();
  // A stored run is explained from its snapshot, even after its export was restored from the trash.
  await showTrash(trx);
  const runs = await trx
    .selectFrom('exports as e')
    .innerJoin('export_files as f', (join) => join.onRef('f.company', '=', 'e.company').onRef('f.export', '=', 'e.id'))
    .innerJoin('jobs as j', (join) => join.onRef('j.company', '=', 'f.company').onRef('j.id', '=', 'f.runid'))
    .select('j.result')
    .where((eb) => eb.and({ 'e.company': company, 'e.master': id, 'f.gone_at': null }))
    .execute();
  const used = new Set(runs.map(({ result }) => UsedSnapshot.parse(JSON.parse(result)).snapshot));
  const goes = clearable(
    rows.map((row) => stateOf({ ...row, live: row.number === held?.live_snapshot }, used.has(row.number))),
    now,
  );
  await trx
    .updateTable('snapshots')
    .set({ gone_at: now })
    .where((eb) => eb.and({ company, master: id }))
    .where('number', '=', anyOf(goes))
    .execute();
  return trx
    .selectFrom('snapshots')
    .select(['number', 'runid'])
    .where((eb) => eb.and({ company, master: id }))
    .where('gone_at', 'is not', null)
    .execute();
}

/** Removes the files `<number>.<anything>` of a folder, also those that were computed from them on this machine. */
async function removeNumbered({ store }: StoragePaths, folder: string, numbers: ReadonlySet<number>): Promise<void> {
  if (numbers.size === 0) return;
  const isGone = (name: string) => numbers.has(Number(/^(\d+)\./.exec(name)?.[1] ?? Number.NaN));
  const files = (await store.list(folder)).map(({ path }) => path);
  await store.remove(files.filter((path) => isGone(basename(path))));
  for (const name of await readdir(folder).catch(() => []))
    if (isGone(name)) await rm(join(folder, name), { force: true });
}
