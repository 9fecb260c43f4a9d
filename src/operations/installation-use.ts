import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { Repeats } from '#platform/jobs/repeat.ts';
import { listProcesses } from '#platform/processes/processes.ts';
import type { StoreState } from '#platform/storage/open-store.ts';
import type { InstallationUse } from '#shared/operations/installation-use.ts';
import { severalAtOnce } from './file-places/several.ts';
import { marketplaceUse } from './marketplace-use.ts';
import { failedUse } from './retry-jobs.ts';

export type UseDeps = {
  database: Database;
  clock: Clock;
  storagePaths: Pick<StoragePaths, 'company' | 'store'>;
  dataFolder: string;
  program: string;
  repeats: Repeats;
  /** Returns the display name of a kind of account. */
  connectorLabel: (connector: string) => string;
  storeState: () => Promise<StoreState>;
};

/** Most rows of each table on the page. */
const SHOWN = 50;
const DAY_MS = 24 * 60 * 60_000;

const Grouped = z.object({ kind: z.string(), state: z.string(), count: z.number(), oldest: z.date().nullable() });
const DatabaseSize = z.object({ bytes: z.number(), version: z.string() });
const Counted = z.object({ id: z.string(), catalogues: z.number(), exports: z.number(), waiting: z.number() });
const Progress = z.object({ done: z.number(), total: z.number(), phase: z.string() }).partial();

/** Returns what the installation does and stores, over all companies. No content: only names, counts, sizes and ages. */
export async function installationUse({
  database,
  clock,
  storagePaths,
  dataFolder,
  program,
  repeats,
  connectorLabel,
  storeState,
}: UseDeps): Promise<InstallationUse> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const { list, total } = await companies(database);
  const known = await database.system(async (trx) => ({
    jobs: await jobGroups(trx, since),
    running: await runningJobs(trx),
    processes: await processes(trx, database.embedded),
    marketplaces: await marketplaceUse(trx),
    ...(await failedUse(trx, { clock, repeats })),
    counts: await countsOf(
      trx,
      list.map(({ id }) => id),
    ),
    deleted: await deletedCompanies(trx),
    database: await databaseSize(trx),
  }));
  const names = await namesOf(
    database,
    [...known.running, ...known.failed].map(({ company }) => company),
  );
  const disk = await statfs(dataFolder);
  const sizes = await bytesOf(
    storagePaths,
    list.map(({ id }) => id),
  );
  return {
    jobs: known.jobs,
    running: known.running.map((job) => ({ ...job, companyName: names.get(job.company) ?? job.company })),
    processes: known.processes,
    store: await storeState(),
    marketplaces: known.marketplaces.map((use) => ({ ...use, name: connectorLabel(use.connector) })),
    failed: known.failed.map((job) => ({ ...job, companyName: names.get(job.company) ?? job.company })),
    retryable: known.retryable,
    companies: list.map((company, index) => ({
      ...company,
      ...(known.counts.get(company.id) ?? { catalogues: 0, exports: 0, waiting: 0 }),
      bytes: sizes[index] ?? 0,
    })),
    companiesTotal: total,
    deleted: known.deleted,
    database: { ...known.database, embedded: database.embedded },
    disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    program,
    node: process.versions.node,
  };
}

/** Returns the bytes of each company's files: a few companies at a time, since in a folder every file is looked at. */
export const bytesOf = (
  { company, store }: { company: StoragePaths['company']; store: Pick<StoragePaths['store'], 'sizeOf'> },
  ids: readonly string[],
): Promise<number[]> => severalAtOnce(ids, async (id) => (await store.sizeOf([company(id)])).bytes);

/** Returns the numbers of jobs that are waiting or running, and of those that failed in the last day. */
async function jobGroups(trx: Trx, since: Date): Promise<InstallationUse['jobs']> {
  const { rows } = await pg`select kind, state, count(*)::int as count, min(created_at) as oldest from jobs
    where state in ('queued', 'running') or (state = 'failed' and finished_at >= ${since})
    group by kind, state order by kind, state`.execute(trx);
  return Grouped.array()
    .parse(rows)
    .map(({ oldest, ...group }) => ({ ...group, oldest: oldest?.toISOString() ?? null }));
}

async function runningJobs(trx: Trx): Promise<Omit<InstallationUse['running'][number], 'companyName'>[]> {
  const rows = await trx
    .selectFrom('jobs')
    .select(['id', 'company', 'kind', 'started_at', 'progress', 'cancel', 'worker'])
    .where('state', '=', 'running')
    .orderBy('started_at')
    .limit(SHOWN)
    .execute();
  return rows.map(({ id, company, kind, started_at: startedAt, progress, cancel, worker }) => {
    const { done = 0, total = 0, phase = '' } = Progress.catch({}).parse(JSON.parse(progress));
    return {
      id,
      company,
      kind,
      startedAt: startedAt?.toISOString() ?? null,
      worker,
      progress: { done, total, phase },
      cancelling: cancel,
    };
  });
}

/** `alone`: with the embedded database only this process exists, even if it has not registered itself. */
async function processes(trx: Trx, alone: boolean): Promise<InstallationUse['processes']> {
  const counted = await trx
    .selectFrom('jobs')
    .select((eb) => ['worker', eb.fn.countAll<number>().as('n')])
    .where('state', '=', 'running')
    .groupBy('worker')
    .execute();
  const running = new Map(counted.map(({ worker, n }) => [worker, Number(n)]));
  return (await listProcesses(trx)).map(({ startedAt, seenAt, answers, drained, ...one }) => ({
    ...one,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    answers: alone || answers,
    running: running.get(one.name) ?? 0,
    drained: drained && { by: drained.by, since: drained.since.toISOString() },
  }));
}

/** Returns the first companies by name, and their total. Members are read outside the transactions of companies' data. */
async function companies({ kysely }: Database) {
  const list = await kysely
    .selectFrom('organization as o')
    .leftJoin('member as m', 'm.organizationId', 'o.id')
    .select((eb) => ['o.id', 'o.name', eb.fn.count<number>('m.id').as('members')])
    .groupBy(['o.id', 'o.name'])
    .orderBy('o.name')
    .orderBy('o.id')
    .limit(SHOWN)
    .execute();
  const { total } = await kysely
    .selectFrom('organization')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { list: list.map((company) => ({ ...company, members: Number(company.members) })), total: Number(total) };
}

/** Returns the names of companies by id. */
export async function namesOf({ kysely }: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await kysely
    .selectFrom('organization')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function countsOf(trx: Trx, ids: readonly string[]): Promise<Map<string, Omit<z.infer<typeof Counted>, 'id'>>> {
  const { rows } = await pg`select c.id,
      (select count(*)::int from masters m where m.company = c.id) as catalogues,
      (select count(*)::int from exports e where e.company = c.id) as exports,
      (select count(*)::int from jobs j where j.company = c.id and j.state = 'queued') as waiting
    from unnest(${[...ids]}::text[]) as c (id)`.execute(trx);
  return new Map(
    Counted.array()
      .parse(rows)
      .map(({ id, ...counts }) => [id, counts]),
  );
}

async function deletedCompanies(trx: Trx): Promise<InstallationUse['deleted']> {
  const rows = await trx
    .selectFrom('deletion_records')
    .select(['id', 'name', 'asked_by', 'done_at', 'row_count', 'file_count', 'bytes'])
    .where('kind', '=', 'company')
    .orderBy('done_at', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map(({ id, name, asked_by: by, done_at: at, row_count: count, file_count: files, bytes }) => ({
    id,
    name,
    by,
    at: at.toISOString(),
    rows: count,
    files,
    bytes,
  }));
}

async function databaseSize(trx: Trx): Promise<{ bytes: number; version: string }> {
  const { rows } = await pg`select pg_database_size(current_database())::float8 as bytes,
    current_setting('server_version') as version`.execute(trx);
  return DatabaseSize.parse(rows[0]);
}
