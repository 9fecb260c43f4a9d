import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { DifferenceSettingsSave } from '#shared/difference/schema.ts';
import { differenceDetails } from './details.ts';
import { loadDifference, saveDifference } from './settings.ts';
import { loadExport } from '#catalogue/exports.ts';
import { reviewOfState } from '#feed/limit-guard/guard.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { recordRelease, requireReleased } from '#catalogue/releases.ts';
import { makeLive, snapshotAt } from '#catalogue/snapshots.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { KontorError } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { stateFile } from '#feed/export/published-baseline.ts';
import { runCauses } from './causes.ts';
import { comparedStates } from './plan.ts';
import { listOutputs, outputAt, serveOutput } from '#feed/stages/output/store.ts';
import { exportSubject, importSubject, loadJob, RunResult } from '#feed/runs/runs.ts';
import { requestUpload } from '#feed/delivery/upload-job.ts';

export type DifferenceDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
  jobs: Pick<Jobs, 'nudge'>;
};

/** DIF: the settings, what a run would change, and the return to an older state. */
export function differenceRoutes(app: FastifyInstance, deps: DifferenceDeps): void {
  settingsRoutes(app, deps);
  stateRoutes(app, deps);
  const { database, duckdb, storagePaths } = deps;

  route(app, api.runDifference, async ({ principal, params, signal }) => {
    const { job, states, causes } = await database.company(principal.company, async (trx) => {
      const job = await loadJob(trx, principal.company, params.runid);
      return {
        job: job,
        states: await comparedStates(trx, storagePaths, job, deps.ids.id()),
        causes: await runCauses(trx, storagePaths, job),
      };
    });
    const { difference, drifts } = RunResult.parse(JSON.parse(job.result));
    const { before, after, fields, title, narrow } = states;
    try {
      if (narrow && (await storagePaths.store.has(narrow.only ?? ''))) {
        await mkdir(dirname(narrow.target), { recursive: true });
        await stateFile({ duckdb, storagePaths }, narrow.ref, narrow.state, narrow, signal);
      }
      for (const { path } of [before, after]) if (!(await storagePaths.store.has(path))) throw stateGone();
      const compared = { before: before.path, after: after.path, fields, title };
      const details = await differenceDetails(duckdb, compared, signal);
      const counts = difference ?? { removed: 0, added: 0, changed: 0 };
      return { runid: job.id, before: before.items, after: after.items, ...counts, drifts, causes, ...details };
    } finally {
      if (narrow) await rm(narrow.target, { force: true });
    }
  });
}

function settingsRoutes(app: FastifyInstance, { database }: DifferenceDeps): void {
  type Save = { scope: string; settings: DifferenceSettingsSave; ifMatch: number | undefined };
  const save = (principal: Principal, check: 'master' | 'export', id: string, { scope, settings, ifMatch }: Save) =>
    database.company(principal.company, async (trx) => {
      await (check === 'master' ? loadMaster(trx, principal.company, id) : loadExport(trx, principal.company, id));
      const ref = { company: principal.company, scope };
      const revision = await saveDifference(trx, ref, settings, { author: principal.name, expected: ifMatch });
      return { ok: true as const, revision, message: 'Gespeichert' };
    });

  route(app, api.importDifference, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadMaster(trx, principal.company, params.masterid);
      return loadDifference(trx, principal.company, importSubject(params.masterid));
    }),
  );
  route(app, api.saveImportDifference, ({ principal, params: { masterid }, body, ifMatch }) =>
    save(principal, 'master', masterid, { scope: importSubject(masterid), settings: body, ifMatch }),
  );
  route(app, api.exportDifference, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return loadDifference(trx, principal.company, exportSubject(params.id));
    }),
  );
  route(app, api.saveExportDifference, ({ principal, params: { id }, body, ifMatch }) =>
    save(principal, 'export', id, { scope: exportSubject(id), settings: body, ifMatch }),
  );
}

function stateRoutes(app: FastifyInstance, { database, storagePaths, ids, jobs }: DifferenceDeps): void {
  route(app, api.exportFiles, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return (await listOutputs(trx, principal.company, params.id)).map(
        ({ number, runid, name, items, bytes, createdAt, live, gone, held, whole }) => ({
          number,
          runid,
          name,
          items,
          bytes,
          createdAt: createdAt.toISOString(),
          live,
          gone,
          held,
          whole,
        }),
      );
    }),
  );

  route(app, api.publishFile, async ({ principal, params: { id, number }, body, audit }) => {
    await database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, id);
      const output = await outputAt(trx, principal.company, id, number);
      if (output) await requireReleased(trx, principal.company, output.runid);
      if (output?.whole === false) throw onlyChanges();
      await serveOutput(trx, { company: principal.company, id, number });
      await requestUpload(trx, { company: principal.company, id, jobid: ids.id(), by: principal.name });
      const release = { what: `Datei ${number} wird wieder ausgeliefert`, reason: body.reason };
      await recordRelease(trx, { company: principal.company, scope: exportSubject(id) }, release, principal.name);
      if (!(await storagePaths.store.has(storagePaths.output(principal.company, id, number, 'parquet'), trx)))
        throw stateGone();
      await audit.within(trx);
    });
    jobs.nudge();
    return { ok: true as const };
  });

  route(app, api.makeSnapshotLive, async ({ principal, params: { masterid, number }, body, audit }) => {
    const path = storagePaths.snapshot(principal.company, masterid, number);
    await database.company(principal.company, async (trx) => {
      await loadMaster(trx, principal.company, masterid);
      const snapshot = await snapshotAt(trx, principal.company, masterid, number);
      if (snapshot) await requireReleased(trx, principal.company, snapshot.runid);
      await makeLive(trx, { company: principal.company, masterid, number });
      await reviewOfState(trx, principal, masterid, number);
      const release = { what: `Stand ${number} ist wieder in Kraft`, reason: body.reason };
      await recordRelease(trx, { company: principal.company, scope: importSubject(masterid) }, release, principal.name);
      // Checked last, so that a foreign number answers 404 before anything is revealed about files.
      if (!(await storagePaths.store.has(path, trx))) throw stateGone();
      await audit.within(trx);
    });
    return { ok: true as const };
  });
}

const onlyChanges = () =>
  new KontorError(
    409,
    'only_changes',
    'Diese Datei enthält nur Änderungen und lässt sich nicht allein wieder ausliefern. Bitte wählen Sie eine ganze Datei, oder starten Sie den Export mit der ganzen Datei.',
  );
const stateGone = () =>
  new KontorError(
    410,
    'state_gone',
    'Dieser Stand wird nicht mehr aufbewahrt. Es wurde nichts geändert; der heutige Stand gilt weiter.',
  );
