import { rm } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { DifferenceSettings } from '#shared/difference/schema.ts';
import { differenceDetails } from './details.ts';
import { loadDifference, saveDifference } from './settings.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Places } from '#catalogue/storage-paths.ts';
import { recordRelease } from '#catalogue/releases.ts';
import { makeLive } from '#catalogue/snapshots.ts';
import type { Database } from '#platform/db/database.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { KontorError } from '#platform/errors.ts';
import { route, type Who } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { stateFile } from '#feed/export/published-baseline.ts';
import { runCauses } from './causes.ts';
import { comparedStates } from './plan.ts';
import { isThere } from '#feed/explain/past-plan.ts';
import { listOutputs, serveOutput } from '#feed/stages/output/store.ts';
import { exportSubject, importSubject, loadJob, RunResult } from '#feed/runs/runs.ts';
import { orderUpload } from '#feed/delivery/upload-job.ts';

type DifferenceParts = { database: Database; duck: Duck; places: Places; ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** DIF: what is set, what a run would change, and the way back to an older state. */
export function differenceRoutes(app: FastifyInstance, parts: DifferenceParts): void {
  settingsRoutes(app, parts);
  stateRoutes(app, parts);
  const { database, duck, places } = parts;

  route(app, api.runDifference, async ({ who, params, signal }) => {
    const { job, states, causes } = await database.company(who.company, async (trx) => {
      const found = await loadJob(trx, who.company, params.runid);
      return {
        job: found,
        states: await comparedStates(trx, places, found),
        causes: await runCauses(trx, places, found),
      };
    });
    const { difference, drifts } = RunResult.parse(JSON.parse(job.result));
    const { before, after, fields, title, narrow } = states;
    if (narrow && (await isThere(narrow.only ?? '')))
      await stateFile({ duck, places }, narrow.place, narrow.state, narrow, signal);
    for (const { path } of [before, after]) if (!(await isThere(path))) throw stateGone();
    try {
      const compared = { before: before.path, after: after.path, fields, title };
      const details = await differenceDetails(duck, compared, signal);
      const counts = difference ?? { removed: 0, added: 0, changed: 0 };
      return { runid: job.id, before: before.items, after: after.items, ...counts, drifts, causes, ...details };
    } finally {
      if (narrow) await rm(narrow.target, { force: true });
    }
  });
}

function settingsRoutes(app: FastifyInstance, { database }: DifferenceParts): void {
  type Save = { scope: string; settings: DifferenceSettings; ifMatch: number | undefined };
  const save = (who: Who, check: 'master' | 'export', id: string, { scope, settings, ifMatch }: Save) =>
    database.company(who.company, async (trx) => {
      await (check === 'master' ? loadMaster(trx, who.company, id) : loadExport(trx, who.company, id));
      const place = { company: who.company, scope };
      const revision = await saveDifference(trx, place, settings, { author: who.name, expected: ifMatch });
      return { ok: true as const, revision, message: 'Gespeichert' };
    });

  route(app, api.importDifference, ({ who, params }) =>
    database.company(who.company, async (trx) => {
      await loadMaster(trx, who.company, params.masterid);
      return loadDifference(trx, who.company, importSubject(params.masterid));
    }),
  );
  route(app, api.saveImportDifference, ({ who, params: { masterid }, body, ifMatch }) =>
    save(who, 'master', masterid, { scope: importSubject(masterid), settings: body, ifMatch }),
  );
  route(app, api.exportDifference, ({ who, params }) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      return loadDifference(trx, who.company, exportSubject(params.id));
    }),
  );
  route(app, api.saveExportDifference, ({ who, params: { id }, body, ifMatch }) =>
    save(who, 'export', id, { scope: exportSubject(id), settings: body, ifMatch }),
  );
}

function stateRoutes(app: FastifyInstance, { database, places, ids, jobs }: DifferenceParts): void {
  route(app, api.exportFiles, ({ who, params }) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      return (await listOutputs(trx, who.company, params.id)).map(
        ({ number, runid, name, items, bytes, createdAt, live, gone, whole }) => ({
          number,
          runid,
          name,
          items,
          bytes,
          createdAt: createdAt.toISOString(),
          live,
          gone,
          whole,
        }),
      );
    }),
  );

  route(app, api.publishFile, async ({ who, params: { id, number }, body }) => {
    await database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, id);
      await serveOutput(trx, { company: who.company, id, number });
      await orderUpload(trx, { company: who.company, id, jobid: ids.id(), by: who.name });
      const release = { what: `Datei ${number} wird wieder ausgeliefert`, reason: body.reason };
      await recordRelease(trx, { company: who.company, scope: exportSubject(id) }, release, who.name);
      if (!(await isThere(places.output(who.company, id, number, 'parquet')))) throw stateGone();
    });
    jobs.nudge();
    return { ok: true as const };
  });

  route(app, api.makeSnapshotLive, async ({ who, params: { masterid, number }, body }) => {
    const path = places.snapshot(who.company, masterid, number);
    await database.company(who.company, async (trx) => {
      await loadMaster(trx, who.company, masterid);
      await makeLive(trx, { company: who.company, masterid, number });
      const release = { what: `Stand ${number} ist wieder in Kraft`, reason: body.reason };
      await recordRelease(trx, { company: who.company, scope: importSubject(masterid) }, release, who.name);
      // Last, so that a foreign number answers 404 before anything is said about files.
      if (!(await isThere(path))) throw stateGone();
    });
    return { ok: true as const };
  });
}

const stateGone = () =>
  new KontorError(
    410,
    'state_gone',
    'Dieser Stand wird nicht mehr aufbewahrt. Es wurde nichts geändert; der heutige Stand gilt weiter.',
  );
