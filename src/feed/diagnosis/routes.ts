import type { FastifyInstance } from 'fastify';
import type { Places } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { api } from '#shared/http/api.ts';
import type { Diagnosis } from '#shared/diagnosis/schema.ts';
import { problemItems, problemsOfItem, toDiagnosis } from './diagnosis.ts';
import { loadDiagnosis, stateOfRun, type LoadedDiagnosis } from './load.ts';
import { diagnoseNow, problemItemsNow } from './now.ts';
import { isThere } from '#feed/explain/past-plan.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { orderImages } from '#feed/images/job.ts';

export type DiagnosisParts = { database: Database; duck: Duck; places: Places; ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** What is wrong with the items of an export, and where it is mended. */
export function diagnosisRoutes(app: FastifyInstance, parts: DiagnosisParts): void {
  const { database, duck, places } = parts;

  route(app, api.diagnosis, async ({ who, params, query }) => {
    const loaded = await database.company(who.company, (trx) => loadDiagnosis(trx, who.company, params.id, query.run));
    return pastAnswer(places, loaded);
  });

  route(app, api.diagnoseNow, async ({ who, params, body, signal }) => {
    const { loaded, now } = await database.company(who.company, async (trx) => ({
      loaded: await loadDiagnosis(trx, who.company, params.id),
      now: await loadPlan(trx, places, who.company, params.id),
    }));
    const construction = body.rows ?? now.plan.construction;
    const found = await diagnoseNow(duck, { ...now.plan, construction }, now.record.settings.format, signal);
    const head = { ...empty(loaded), images: null, omitted: 0, run: null };
    return found
      ? { ...head, ...toDiagnosis({ ...loaded, construction }, found) }
      : { ...head, state: 'no_checks' as const };
  });

  route(app, api.checkImages, async ({ who, params }) => {
    const runid = parts.ids.id();
    const waiting = await database.company(who.company, async (trx) => {
      const { past } = await loadDiagnosis(trx, who.company, params.id);
      if (!past?.images) throw noImages();
      if (past.images.running !== null) return past.images.running;
      await orderImages(trx, { company: who.company, id: params.id, run: past.run.id, jobid: runid });
      return runid;
    });
    parts.jobs.nudge();
    return { runid: waiting };
  });

  itemRoutes(app, parts);
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

async function pastAnswer(places: Places, loaded: LoadedDiagnosis): Promise<Diagnosis> {
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
  const kept = await isThere(places.output(company, id, output.number, record.ending));
  return { ...head, ...toDiagnosis(loaded, record), state: kept ? 'checked' : 'not_kept' };
}

function itemRoutes(app: FastifyInstance, { database, duck, places }: DiagnosisParts): void {
  route(app, api.problemItems, async ({ who, params, body, signal }) => {
    const { problem, offset, limit } = body;
    if (body.now) {
      const { plan, record } = await database.company(who.company, (trx) =>
        loadPlan(trx, places, who.company, params.id),
      );
      const asked = { ...plan, construction: body.rows ?? plan.construction };
      return { items: await problemItemsNow(duck, asked, record.settings.format, { problem, offset, limit }, signal) };
    }
    const { loaded, state } = await pastState(who.company, params.id, body.run);
    if (!loaded.past) throw notFound('Eine Prüfung dieses Exports');
    return {
      items: await problemItems({ duck, places }, loaded, loaded.past, { state, problem, offset, limit }, signal),
    };
  });

  route(app, api.itemProblems, async ({ who, params, query, signal }) => {
    const { loaded, state } = await pastState(who.company, params.id, query.run);
    if (!loaded.past) return { problems: null };
    const asked = { state, itemid: params.itemid };
    return { problems: (await problemsOfItem({ duck, places }, loaded, loaded.past, asked, signal)) ?? null };
  });

  const pastState = (company: string, id: string, runid: string | undefined) =>
    database.company(company, async (trx) => {
      const loaded = await loadDiagnosis(trx, company, id, runid);
      return { loaded, state: loaded.past && (await stateOfRun(trx, places, loaded, loaded.past)) };
    });
}
