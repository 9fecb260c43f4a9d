import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { loadMaster } from '#catalogue/masters.ts';
import { reviewOfState } from '#feed/limit-guard/guard.ts';
import { loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { holdLive, makeLive } from '#catalogue/snapshots.ts';
import { recordRelease } from '#catalogue/releases.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Job } from '#platform/jobs/job.ts';
import { type Principal, route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { readRejected } from '#feed/import/routes.ts';
import { holdBaseline, outputAt, serveOutput } from '#feed/stages/output/store.ts';
import { exportSubject, importSubject, listRuns, loadJob, loadRun, runKindOf, toRun, uploadSubject } from './runs.ts';
import { asDecided, notWaiting, stateOf, wasDecided } from './decisions.ts';
import { requestUpload } from '#feed/delivery/upload-job.ts';

export type RunDeps = {
  database: Database;
  storagePaths: StoragePaths;
  ids: Ids;
  jobs: Jobs;
  /** Called in the transaction of a user's decision on a held run. */
  onDecided: (trx: Trx, job: Job, decided: { released: boolean; decision: string }) => Promise<void>;
};

const Owner = z.object({ owner: z.string() });

/** Routes that show any run, and that cancel or release it. */
export function runRoutes(app: FastifyInstance, { database, storagePaths, ids, jobs, onDecided }: RunDeps): void {
  route(app, api.run, async ({ principal, params }) =>
    toRun(await database.company(principal.company, (trx) => loadJob(trx, principal.company, params.runid))),
  );

  route(app, api.rejected, async ({ principal, params, query }) => {
    const job = await database.company(principal.company, (trx) => loadJob(trx, principal.company, params.runid));
    const { owner } = Owner.parse(JSON.parse(job.payload));
    if (runKindOf(job) !== 'import') return { rows: [], total: 0 };
    return readRejected(storagePaths, storagePaths.rejected(principal.company, owner, job.id), query);
  });

  route(app, api.cancelRun, async ({ principal, params }) => {
    const { company, name } = principal;
    const job = await database.company(company, (trx) => loadRun(trx, company, params.runid));
    if (job.state === 'blocked') await close(job, 'cancelled', `Verworfen von ${name}.`);
    // Who cancels a run that has just ended by itself gets its end; a user's decision is not undone without a word.
    else if (wasDecided(job)) throw await database.company(company, (trx) => notWaiting(trx, job));
    else await jobs.cancel(company, job.id);
    return toRun(await database.company(company, (trx) => loadJob(trx, company, params.runid)));
  });

  route(app, api.releaseRun, async ({ principal, params, body, audit }) => {
    const { company } = principal;
    const job = await database.company(company, (trx) => loadRun(trx, company, params.runid));
    const { owner, number, imports } = stateOf(job);
    if (job.state !== 'blocked' || number === null)
      throw await database.company(company, (trx) => notWaiting(trx, job));
    await close(job, 'done', `Freigegeben von ${principal.name}: ${body.reason}`, async (trx) => {
      if (imports) {
        await releaseSnapshot(trx, principal, { masterid: owner, number });
      } else {
        const delta = await releaseOutput(trx, { company, id: owner, number });
        await requestUpload(trx, { company, id: owner, jobid: ids.id(), by: principal.name, ...delta });
      }
      const what = imports ? `Stand ${number} freigegeben` : `Datei ${number} freigegeben`;
      await recordRelease(trx, { company, scope: job.subject }, { what, reason: body.reason }, principal.name);
      await audit.within(trx, `${await nameOf(trx, job, owner)}: ${what}`);
    });
    jobs.nudge();
    return toRun(await database.company(company, (trx) => loadJob(trx, company, params.runid)));
  });

  /** Ends a blocked run; a released one is published in the same transaction. */
  async function close(
    job: Job,
    state: 'done' | 'cancelled',
    message: string,
    putInForce?: (trx: Trx) => Promise<void>,
  ): Promise<void> {
    const { company, id, result } = job;
    await database.company(company, async (trx) => {
      const closed = await trx
        .updateTable('jobs')
        .set((eb) => ({ state, message, result: asDecided(result), finished_at: eb.fn<Date>('now') }))
        .where((eb) => eb.and({ company, id, state: 'blocked' }))
        .executeTakeFirst();
      if (closed.numUpdatedRows !== 1n) throw await notWaiting(trx, await loadRun(trx, company, id));
      await putInForce?.(trx);
      await onDecided(trx, job, { released: state === 'done', decision: message });
    });
  }
  listRoutes(app, database);
}

/** Returns the name of the catalogue or export that a run belongs to. */
async function nameOf(trx: Trx, job: Job, owner: string): Promise<string> {
  const { company } = job;
  if (runKindOf(job) === 'import') return (await loadMaster(trx, company, owner)).name;
  return (await loadExport(trx, company, owner)).settings.name;
}

/** Few, because they are listed below the export's runs, which are more informative. */
const MOST_UPLOADS = 20;

function listRoutes(app: FastifyInstance, database: Database): void {
  route(app, api.masterRuns, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadMaster(trx, principal.company, params.masterid);
      return listRuns(trx, principal.company, importSubject(params.masterid));
    }),
  );

  route(app, api.exportRuns, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return listRuns(trx, principal.company, exportSubject(params.id));
    }),
  );

  route(app, api.exportUploads, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return listRuns(trx, principal.company, uploadSubject(params.id), MOST_UPLOADS);
    }),
  );
}

/** Puts a snapshot into force that was blocked. @throws 409 if a newer one is live: releasing would bring old values back */
async function releaseSnapshot(
  trx: Trx,
  principal: Principal,
  { masterid, number }: { masterid: string; number: number },
): Promise<void> {
  // An import that ends meanwhile waits, or has put its state into force already.
  await holdLive(trx, principal.company, masterid);
  const { live } = await loadMaster(trx, principal.company, masterid);
  if (live !== null && live > number)
    throw new KontorError(
      409,
      'newer_snapshot',
      `Inzwischen ist ein neuerer Stand in Kraft (Nummer ${live}), dieser hier ist überholt. Wird er doch gebraucht, importieren Sie seine Datei bitte noch einmal.`,
    );
  await makeLive(trx, { company: principal.company, masterid, number });
  await reviewOfState(trx, principal, masterid, number);
}

/** Publishes a file that was blocked. @throws 409 if a newer one is published already: releasing would bring old values back */
async function releaseOutput(
  trx: Trx,
  ref: { company: string; id: string; number: number },
): Promise<{ delta?: number }> {
  // Of two states released at the same time, the second one sees the first; a run that ends meanwhile waits.
  const newest = await holdBaseline(trx, ref.company, ref.id);
  const held = await outputAt(trx, ref.company, ref.id, ref.number);
  if (held?.whole === false && newest !== held.base)
    throw new KontorError(
      409,
      'newer_output',
      'Inzwischen wurde eine andere Ausgabe angenommen, auf die diese Änderungen nicht passen: Sie sind überholt. Ein neuer Lauf ermittelt sie noch einmal.',
    );
  if (newest !== undefined && newest > ref.number) {
    throw new KontorError(
      409,
      'newer_output',
      `Inzwischen wird eine neuere Datei ausgeliefert (Nummer ${newest}), diese hier ist überholt. Was Sie stattdessen ausliefern möchten, bringt ein neuer Lauf.`,
    );
  }
  await serveOutput(trx, ref);
  return held?.whole === false ? { delta: ref.number } : {};
}
