import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { api } from '#shared/api.ts';
import { loadMaster } from '#items/masters.ts';
import { loadExport } from '#items/exports.ts';
import type { Places } from '#items/places.ts';
import { makeLive } from '#items/snapshots.ts';
import type { Database } from '#platform/db.ts';
import { KontorError } from '#platform/errors.ts';
import { route } from '#platform/http.ts';
import type { Jobs } from '#platform/jobs.ts';
import { readRejected } from './import/routes.ts';
import { exportSubject, importSubject, listRuns, loadJob, RunResult, toRun } from './runs.ts';

export type RunParts = { database: Database; places: Places; jobs: Jobs };

const Owner = z.object({ owner: z.string() });

/** What can be asked of any run, and what can be told to it. */
export function runRoutes(app: FastifyInstance, { database, places, jobs }: RunParts): void {
  route(app, api.run, async ({ who, params }) =>
    toRun(await database.company(who.company, (trx) => loadJob(trx, who.company, params.runid))),
  );

  route(app, api.rejected, async ({ who, params, query }) => {
    const job = await database.company(who.company, (trx) => loadJob(trx, who.company, params.runid));
    const { owner } = Owner.parse(JSON.parse(job.payload));
    if (job.kind !== 'import') return { rows: [], total: 0 };
    return readRejected(places.rejected(who.company, owner, job.id), query.offset, query.limit);
  });

  route(app, api.cancelRun, async ({ who, params }) => {
    const job = await database.company(who.company, (trx) => loadJob(trx, who.company, params.runid));
    if (job.state === 'blocked') await close(who.company, job.id, 'cancelled', `Verworfen von ${who.name}.`);
    else await jobs.cancel(who.company, job.id);
    return toRun(await database.company(who.company, (trx) => loadJob(trx, who.company, params.runid)));
  });

  route(app, api.releaseRun, async ({ who, params, body }) => {
    const job = await database.company(who.company, (trx) => loadJob(trx, who.company, params.runid));
    const { owner } = Owner.parse(JSON.parse(job.payload));
    const { snapshot } = RunResult.parse(JSON.parse(job.result));
    if (job.state !== 'blocked' || job.kind !== 'import' || snapshot === null) {
      throw new KontorError(409, 'not_blocked', 'Dieser Lauf wartet nicht auf eine Freigabe.');
    }
    await close(who.company, job.id, 'done', `Freigegeben von ${who.name}: ${body.reason}`, {
      masterid: owner,
      number: snapshot,
    });
    return toRun(await database.company(who.company, (trx) => loadJob(trx, who.company, params.runid)));
  });

  /** Ends a blocked run; a released one becomes live in the same transaction. */
  async function close(
    company: string,
    id: string,
    state: 'done' | 'cancelled',
    message: string,
    live?: { masterid: string; number: number },
  ): Promise<void> {
    await database.company(company, async (trx) => {
      const closed = await sql`update jobs set state = ${state}, message = ${message}, finished_at = now()
        where company = ${company} and id = ${id} and state = 'blocked'`.execute(trx);
      if (closed.numAffectedRows !== 1n)
        throw new KontorError(409, 'not_blocked', 'Dieser Lauf wartet nicht (mehr) auf eine Freigabe.');
      if (live) await makeLive(trx, { company, ...live });
    });
  }

  route(app, api.masterRuns, ({ who, params }) =>
    database.company(who.company, async (trx) => {
      await loadMaster(trx, who.company, params.masterid);
      return listRuns(trx, who.company, importSubject(params.masterid));
    }),
  );

  route(app, api.exportRuns, ({ who, params }) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      return listRuns(trx, who.company, exportSubject(params.id));
    }),
  );
}
