import type { FastifyInstance } from 'fastify';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { api } from '#shared/http/api.ts';
import type { Diagnosis } from '#shared/diagnosis/schema.ts';
import { problemItems, problemsOfItem, toDiagnosis } from './diagnosis.ts';
import { loadDiagnosis, stateOfRun, type LoadedDiagnosis } from './load.ts';
import { diagnoseNow, problemItemsNow } from './now.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { requestImages } from '#feed/images/job.ts';

export type DiagnosisDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
  jobs: Pick<Jobs, 'nudge'>;
};

/** Routes for the problems of an export's items and where to fix them. */
export function diagnosisRoutes(app: FastifyInstance, deps: DiagnosisDeps): void {
  const { database, duckdb, storagePaths } = deps;

  route(app, api.diagnosis, async ({ principal, params, query }) => {
    const loaded = await database.company(principal.company, (trx) =>
      loadDiagnosis(trx, principal.company, params.id, query.run),
    );
    return pastAnswer(storagePaths, loaded);
  });

  route(app, api.diagnoseNow, async ({ principal, params, body, signal }) => {
    const { loaded, now } = await database.company(principal.company, async (trx) => ({
      loaded: await loadDiagnosis(trx, principal.company, params.id),
      now: await loadPlan(trx, storagePaths, principal.company, params.id),
    }));
    const construction = body.rows ?? now.plan.construction;
    const found = await diagnoseNow(duckdb, { ...now.plan, construction }, now.record.settings.format, signal);
    const head = { ...empty(loaded), images: null, omitted: 0, run: null };
    return found
      ? { ...head, ...toDiagnosis({ ...loaded, construction }, found) }
      : { ...head, state: 'no_checks' as const };
  });

  route(app, api.checkImages, async ({ principal, params }) => {
    const runid = deps.ids.id();
    const waiting = await database.company(principal.company, async (trx) => {
      const { past } = await loadDiagnosis(trx, principal.company, params.id);
      if (!past?.images) throw noImages();
      if (past.images.running !== null) return past.images.running;
      await requestImages(trx, { company: principal.company, id: params.id, run: past.run.id, jobid: runid });
      return runid;
    });
    deps.jobs.nudge();
    return { runid: waiting };
  });

  itemRoutes(app, deps);
}

const noImages = () =>
  new KontorError(
    409,
    'no_images',
    'Zu diesem Export gibt es keine Bilder zu prüfen: er lief noch nicht, oder sein Kanal macht keine Vorgaben für Bilder.',
  );

const empty = ({ channel }: LoadedDiagnosis): Diagnosis => ({
  state: 'never_run',
  channel,
  run: null,
  readiness: null,
  problems: [],
  omitted: 0,
  images: null,
});

async function pastAnswer(storagePaths: StoragePaths, loaded: LoadedDiagnosis): Promise<Diagnosis> {
  const { past } = loaded;
  if (!past) return empty(loaded);
  const { run, record, omitted, output } = past;
  const head = {
    ...empty(loaded),
    run: { runid: run.id, finishedAt: (run.finished_at ?? run.created_at).toISOString() },
    omitted,
    images: past.images,
  };
  if (!record) return { ...head, state: 'no_checks' };
  const { company, id } = loaded.export;
  const isStored = await storagePaths.store.has(storagePaths.output(company, id, output.number, record.ending));
  return { ...head, ...toDiagnosis(loaded, record), state: isStored ? 'checked' : 'not_kept' };
}

function itemRoutes(app: FastifyInstance, { database, duckdb, storagePaths }: DiagnosisDeps): void {
  route(app, api.problemItems, async ({ principal, params, body, signal }) => {
    const { problem, offset, limit } = body;
    if (body.now) {
      const { plan, record } = await database.company(principal.company, (trx) =>
        loadPlan(trx, storagePaths, principal.company, params.id),
      );
      const edited = { ...plan, construction: body.rows ?? plan.construction };
      return {
        items: await problemItemsNow(duckdb, edited, record.settings.format, { problem, offset, limit }, signal),
      };
    }
    const { loaded, state } = await pastState(principal.company, params.id, body.run);
    if (!loaded.past) throw notFound('Eine Prüfung dieses Exports');
    return {
      items: await problemItems(
        { duckdb, storagePaths },
        loaded,
        loaded.past,
        { state, problem, offset, limit },
        signal,
      ),
    };
  });

  route(app, api.itemProblems, async ({ principal, params, query, signal }) => {
    const { loaded, state } = await pastState(principal.company, params.id, query.run);
    if (!loaded.past) return { problems: null };
    const request = { state, itemid: params.itemid };
    return { problems: (await problemsOfItem({ duckdb, storagePaths }, loaded, loaded.past, request, signal)) ?? null };
  });

  const pastState = (company: string, id: string, runid: string | undefined) =>
    database.company(company, async (trx) => {
      const loaded = await loadDiagnosis(trx, company, id, runid);
      return { loaded, state: loaded.past && (await stateOfRun(trx, storagePaths, loaded, loaded.past)) };
    });
}
