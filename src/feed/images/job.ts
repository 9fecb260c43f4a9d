import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { z } from 'zod';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb, DuckDbSession } from '#platform/duckdb/duckdb.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import { addJob, jobRunner, type JobRunner, type RunningJob } from '#platform/jobs/job-definition.ts';
import type { JobContext, JobEnd } from '#platform/jobs/job.ts';
import { statement } from '#platform/duckdb/sql.ts';
import type { ImageRule } from '#shared/channels/schema.ts';
import { imagesJob, imagesSubject, loadDiagnosis, stateOfRun, type PastDiagnosis } from '#feed/diagnosis/load.ts';
import { neverLooked, imageColumns, imagesTable, unseen, wrongRows, type ImageColumn } from './items.ts';
import { expectedOf, imageKinds, judgeImage } from './judge.ts';
import { checkImages, usual } from './look.ts';
import { rememberedImages, rememberImage } from './store.ts';
import { countItems, maskedFile } from '#feed/stages/validation/counts.ts';
import { kinds } from '#feed/stages/validation/kinds.ts';
import type { Problem } from '#feed/stages/validation/problem.ts';
import type { DiagnosisRecord } from '#feed/stages/validation/record.ts';

type ImagesRun = RunningJob<z.output<typeof imagesJob.payload>>;
export type ImageDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  egress: Egress;
  clock: Clock;
};

/** The most new pictures that one check requests; the others are left to the next check. */
const MOST = 2000;
/** Each check has its own file: the previous record stays valid with the previous file. */
const endingOf = ({ id }: ImagesRun) => `bilder-${id}.parquet`;

/** Checks the pictures of a run that are not known yet, and adds the faults to the run's diagnosis. */
export function imagesRunner(deps: ImageDeps): JobRunner {
  return jobRunner(imagesJob, async (job, context) => {
    const { payload } = job;
    const { loaded, state } = await deps.database.company(job.company, async (trx) => {
      const found = await loadDiagnosis(trx, job.company, payload.owner, payload.run);
      return { loaded: found, state: found.past && (await stateOfRun(trx, deps.storagePaths, found, found.past)) };
    });
    const rule = state?.plan.template?.images;
    const { past } = loaded;
    if (!past?.own || !state || !rule)
      return { state: 'done', message: 'Zu diesem Lauf gibt es keine Bilder zu prüfen.' };
    const { checked: columns, unchecked } = imageColumns(state);
    const titles = [...new Set(unchecked.map(({ title }) => title))];
    return check(deps, job, { past, record: past.own, rule, columns, unchecked: titles }, context);
  });
}

type ImageInput = {
  past: PastDiagnosis;
  record: DiagnosisRecord;
  rule: ImageRule;
  columns: readonly ImageColumn[];
  /** Titles of further columns, beyond the most that one check handles. */
  unchecked: readonly string[];
};

async function check(deps: ImageDeps, job: ImagesRun, input: ImageInput, context: JobContext): Promise<JobEnd> {
  const { duckdb, storagePaths } = deps;
  const { owner } = job.payload;
  const pathOf = (ending: string) => storagePaths.output(job.company, owner, input.past.output.number, ending);
  const ending = endingOf(job);
  const temporary = temporaryName(job, pathOf(ending));
  await mkdir(dirname(temporary), { recursive: true });
  const session = await duckdb.session();
  try {
    const { record } = input;
    await session.all(imagesTable(maskedFile(pathOf(record.ending), record.masks, []), input.columns), context.signal);
    await lookAtUnseen(deps, job, session, context);
    const known = await remembered(deps, job.company);
    const open = await neverLooked(
      session,
      known.map(({ hash }) => hash),
      context.signal,
    );
    const judged = known.flatMap((check) => {
      const bits = judgeImage(check, input.rule).reduce((sum, kind) => sum + 2 ** imageKinds.indexOf(kind), 0);
      return bits === 0 ? [] : [{ hash: check.hash, bits }];
    });
    await session.all(statement(wrongRows(judged, temporary)), context.signal);
    const found = await counted(session, input, { pathOf, temporary, ending }, context.signal);
    return {
      state: 'done',
      result: { diagnosis: found, images: { ...open, unchecked: input.unchecked } },
      files: [{ temporary, final: pathOf(ending) }],
      after: async (ended) => {
        await rm(temporary, { force: true });
        const endings = (input.past.record?.extras ?? []).map((extra) => pathOf(extra.ending));
        if (ended) await removeOlder(storagePaths, pathOf, [pathOf(ending), ...endings]);
      },
    };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    session.close();
  }
}

/** Removes files of earlier checks of the run except those in `keep`: the newest, and the one before, which may still be read. */
async function removeOlder(
  { store }: StoragePaths,
  pathOf: (ending: string) => string,
  keep: readonly string[],
): Promise<void> {
  const start = basename(pathOf('bilder-'));
  const checks = (await store.list(dirname(pathOf('')))).filter(({ path }) => basename(path).startsWith(start));
  const old = checks.filter(({ path }) => path.endsWith('.parquet') && !keep.includes(path));
  await store.remove(old.map(({ path }) => path));
}

const remembered = ({ database, clock }: ImageDeps, company: string) =>
  database.company(company, (trx) => rememberedImages(trx, company, clock.now()));

async function lookAtUnseen(
  deps: ImageDeps,
  job: ImagesRun,
  session: DuckDbSession,
  context: JobContext,
): Promise<void> {
  const { database, egress, clock } = deps;
  const known = await remembered(deps, job.company);
  const recent = known.filter((one) => one.fresh).map(({ hash }) => hash);
  const addresses = await unseen(session, recent, MOST, context.signal);
  let done = 0;
  context.progress({ done, total: addresses.length, phase: 'Bilder prüfen' });
  await checkImages(egress, addresses, usual, context.signal, async (address, check) => {
    await database.company(job.company, (trx) => rememberImage(trx, job.company, address, check, clock.now()));
    context.progress({ done: ++done, total: addresses.length, phase: 'Bilder prüfen' });
  });
}

/** Combines the run's own record with the problems of its pictures. */
async function counted(
  session: DuckDbSession,
  { record, rule, columns }: ImageInput,
  files: { pathOf: (ending: string) => string; temporary: string; ending: string },
  signal: AbortSignal,
): Promise<DiagnosisRecord> {
  const column = Math.max(record.masks, ...record.extras.map((extra) => extra.column + 1));
  const problems = columns.flatMap(({ name, title, rowId }, index) =>
    imageKinds.map((kind, mask): Problem => ({
      key: `${kind}:${rowId}:${name}`,
      kind,
      severity: kinds[kind].severity,
      field: name,
      title,
      rowId,
      shows: [name],
      detail: expectedOf(kind, rule),
      column,
      bit: index * imageKinds.length + mask,
    })),
  );
  const extras = record.extras.map((extra) => ({ path: files.pathOf(extra.ending), column: extra.column }));
  const items = maskedFile(files.pathOf(record.ending), record.masks, [...extras, { path: files.temporary, column }]);
  const all = await countItems(items, [...record.problems, ...problems], (query) => session.all(query, signal));
  return { ...record, ...all, extras: [...record.extras, { ending: files.ending, column }] };
}

/** Orders a check of a run's pictures. */
export async function requestImages(
  trx: Trx,
  { company, id, run, jobid }: { company: string; id: string; run: string; jobid: string },
) {
  await addJob(trx, imagesJob, { company, id: jobid, subject: imagesSubject(id), payload: { owner: id, run } });
}
