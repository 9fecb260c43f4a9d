import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { unprocessable } from '#platform/errors.ts';
import { requireProof, route, type Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { noteRetried } from '#platform/jobs/repeat.ts';
import { safeUrl } from '#platform/telemetry/log.ts';
import type { ImportOptions } from '#shared/import/schema.ts';
import type { ScheduleTimes } from '#shared/schedule/schema.ts';
import { exportSubject, importSubject, listRuns, loadJob, stockSubject } from '#feed/runs/runs.ts';
import { loadSchedule, saveSchedule, type SchedulePlace } from './store.ts';
import { saveSource, optionsOf, readSource, startAgain, startSource, startStock } from '#feed/runs/start-runs.ts';

export type ScheduleDeps = { database: Database; clock: Clock; vault: Vault; ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** Routes for the schedules of imports and exports, and for starting them manually. */
export function scheduleRoutes(app: FastifyInstance, deps: ScheduleDeps): void {
  importRoutes(app, deps);
  exportRoutes(app, deps);
  const { database, jobs } = deps;

  route(app, api.retryRun, async ({ principal, params }) => {
    const { company, name: by } = principal;
    const runid = await database.company(company, async (trx) => {
      const failed = await loadJob(trx, company, params.runid);
      const started = await startAgain(trx, deps, failed, { by, mayPrice: principal.permissions.includes('prices') });
      await noteRetried(trx, failed, { by, as: started, at: deps.clock.now() });
      return started;
    });
    jobs.nudge();
    return { runid };
  });
}

const importPlace = (company: string, masterid: string): SchedulePlace => ({
  company,
  subject: 'schedule',
  scope: importSubject(masterid),
});
const exportPlace = (company: string, id: string, subject: SchedulePlace['subject']): SchedulePlace => ({
  company,
  subject,
  scope: exportSubject(id),
});

function importRoutes(app: FastifyInstance, deps: ScheduleDeps): void {
  const { database, clock, vault, jobs } = deps;

  route(app, api.importSchedule, ({ principal, params: { masterid } }) =>
    database.company(principal.company, async (trx) => {
      await loadMaster(trx, principal.company, masterid);
      return loadSchedule(trx, importPlace(principal.company, masterid), clock.now());
    }),
  );

  route(app, api.saveImportSchedule, async ({ principal, params: { masterid }, body, ifMatch, audit }) => {
    const { address, options, ...times } = body;
    const { revision, vouched } = await database.company(principal.company, async (trx) => {
      const { company } = principal;
      const { name } = await loadMaster(trx, company, masterid);
      const ref = { company, id: masterid };
      const stored = await readSource(trx, vault, ref);
      const url = address === '' ? stored?.url : readable(address);
      // An address may contain a password, and determines what is sold.
      const moves = url !== undefined && url !== stored?.url;
      if (moves) requireProof(principal);
      if (url === undefined && times.active) throw noAddress();
      const mayPrice = principal.permissions.includes('prices');
      const vouched = mayPrice && stored?.askReview === true;
      // Once saved, files from this address move price limits without a review.
      if (vouched) requireProof(principal);
      if (url !== undefined && (url !== stored?.url || options !== undefined || vouched)) {
        const asBefore = url === stored?.url ? stored.options : await optionsOf(trx, vault, ref, url);
        await saveSource(trx, vault, ref, {
          url,
          options: options ?? asBefore ?? {},
          ...(mayPrice ? {} : { askReview: true }),
        });
      }
      const settings = { ...times, source: url === undefined ? '' : safeUrl(url) };
      const note = hiddenChange(stored, { url, options });
      const author = { author: principal.name, expected: ifMatch, note };
      const saved = await saveSchedule(trx, importPlace(company, masterid), settings, author);
      if (moves || vouched) {
        audit.as(moves ? 'secret' : 'prices');
        await audit.within(trx, vouched ? `${name}: steht für die Adresse ein` : name);
      }
      return { revision: saved, vouched };
    });
    return { ...saved(revision), ...(vouched ? { message: VOUCHED } : {}) };
  });

  route(app, api.runImportSchedule, async ({ principal, params: { masterid } }) => {
    const runid = await database.company(principal.company, (trx) =>
      startSource(trx, deps, { company: principal.company, id: masterid }, { by: principal.name }),
    );
    jobs.nudge();
    return { runid };
  });
}

function exportRoutes(app: FastifyInstance, deps: ScheduleDeps): void {
  const { database, clock, jobs } = deps;
  const load = (principal: Principal, id: string, subject: SchedulePlace['subject']) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, id);
      return {
        schedule: await loadSchedule(trx, exportPlace(principal.company, id, subject), clock.now()),
        runs: subject === 'schedule' ? [] : await listRuns(trx, principal.company, stockSubject(id), 10),
      };
    });
  type Save = { times: ScheduleTimes; ifMatch: number | undefined };
  const save = (principal: Principal, id: string, subject: SchedulePlace['subject'], { times, ifMatch }: Save) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, id);
      const settings = { ...times, source: '' };
      const ref = exportPlace(principal.company, id, subject);
      return saved(await saveSchedule(trx, ref, settings, { author: principal.name, expected: ifMatch }));
    });

  route(
    app,
    api.exportSchedule,
    async ({ principal, params }) => (await load(principal, params.id, 'schedule')).schedule,
  );
  route(app, api.saveExportSchedule, ({ principal, params, body, ifMatch }) =>
    save(principal, params.id, 'schedule', { times: body, ifMatch }),
  );
  route(app, api.stockSchedule, ({ principal, params }) => load(principal, params.id, 'stock_schedule'));
  route(app, api.saveStockSchedule, ({ principal, params, body, ifMatch }) =>
    save(principal, params.id, 'stock_schedule', { times: body, ifMatch }),
  );

  route(app, api.runStock, async ({ principal, params }) => {
    const runid = await database.company(principal.company, (trx) =>
      startStock(trx, deps, { company: principal.company, id: params.id }, { by: principal.name }),
    );
    jobs.nudge();
    return { runid };
  });
}

const VOUCHED =
  'Gespeichert. Die Adresse hatte jemand ohne das Recht „Preise“ eingetragen; mit dem Speichern stehen Sie für sie ein, und ihre Dateien dürfen Preisgrenzen ändern.';
const saved = (revision: number) => ({ ok: true as const, revision, message: 'Gespeichert' });

type Source = { url: string; options: ImportOptions };
type AskedSource = { url: string | undefined; options: ImportOptions | undefined };

/** What a save changes of the source that the document does not contain, in German; undefined: nothing. */
function hiddenChange(stored: Source | undefined, { url, options }: AskedSource): string | undefined {
  if (stored === undefined || url === undefined) return undefined;
  if (url !== stored.url)
    return safeUrl(url) === safeUrl(stored.url) ? 'Nicht angezeigter Teil der Adresse geändert' : undefined;
  return options === undefined || isDeepStrictEqual(options, stored.options) ? undefined : 'Angaben zur Datei geändert';
}

function readable(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return address;
  const message = 'Diese Adresse ist nicht lesbar. Sie muss mit http:// oder https:// beginnen.';
  throw unprocessable('address_unreadable', message, [{ field: 'address', message }]);
}

function noAddress() {
  const message =
    'Ein Zeitplan braucht eine Adresse, von der die Datei geholt wird; eine hochgeladene Datei kann Kontor nicht noch einmal holen.';
  return unprocessable('no_source', message, [{ field: 'address', message }]);
}
