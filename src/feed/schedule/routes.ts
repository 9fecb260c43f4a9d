import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { unprocessable } from '#platform/errors.ts';
import { route, type Who } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { safeUrl } from '#platform/telemetry/log.ts';
import type { ScheduleTimes } from '#shared/schedule/schema.ts';
import { exportSubject, importSubject, listRuns, loadJob, stockSubject } from '#feed/runs/runs.ts';
import { loadSchedule, saveSchedule, type SchedulePlace } from './store.ts';
import { keepSource, optionsOf, readSource, startAgain, startSource, startStock } from '#feed/runs/start-runs.ts';

type ScheduleParts = { database: Database; clock: Clock; vault: Vault; ids: Ids; jobs: Pick<Jobs, 'nudge'> };

/** When imports and exports run by themselves, and how they are started by hand. */
export function scheduleRoutes(app: FastifyInstance, parts: ScheduleParts): void {
  importRoutes(app, parts);
  exportRoutes(app, parts);
  const { database, jobs } = parts;

  route(app, api.retryRun, async ({ who, params }) => {
    const runid = await database.company(who.company, async (trx) =>
      startAgain(trx, parts, await loadJob(trx, who.company, params.runid), who.name),
    );
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

function importRoutes(app: FastifyInstance, parts: ScheduleParts): void {
  const { database, clock, vault, jobs } = parts;

  route(app, api.importSchedule, ({ who, params: { masterid } }) =>
    database.company(who.company, async (trx) => {
      await loadMaster(trx, who.company, masterid);
      return loadSchedule(trx, importPlace(who.company, masterid), clock.now());
    }),
  );

  route(app, api.saveImportSchedule, async ({ who, params: { masterid }, body, ifMatch }) => {
    const { address, options, ...times } = body;
    const revision = await database.company(who.company, async (trx) => {
      const { company } = who;
      await loadMaster(trx, company, masterid);
      const place = { company, id: masterid };
      const stored = await readSource(trx, vault, place);
      const url = address === '' ? stored?.url : readable(address);
      if (url === undefined && times.active) throw noAddress();
      if (url !== undefined && (url !== stored?.url || options !== undefined)) {
        const asBefore = url === stored?.url ? stored.options : await optionsOf(trx, vault, place, url);
        await keepSource(trx, vault, place, { url, options: options ?? asBefore ?? {} });
      }
      const settings = { ...times, source: url === undefined ? '' : safeUrl(url) };
      return saveSchedule(trx, importPlace(company, masterid), settings, { author: who.name, expected: ifMatch });
    });
    return saved(revision);
  });

  route(app, api.runImportSchedule, async ({ who, params: { masterid } }) => {
    const runid = await database.company(who.company, (trx) =>
      startSource(trx, parts, { company: who.company, id: masterid }, { by: who.name }),
    );
    jobs.nudge();
    return { runid };
  });
}

function exportRoutes(app: FastifyInstance, parts: ScheduleParts): void {
  const { database, clock, jobs } = parts;
  const load = (who: Who, id: string, subject: SchedulePlace['subject']) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, id);
      return {
        schedule: await loadSchedule(trx, exportPlace(who.company, id, subject), clock.now()),
        runs: subject === 'schedule' ? [] : await listRuns(trx, who.company, stockSubject(id), 10),
      };
    });
  type Save = { times: ScheduleTimes; ifMatch: number | undefined };
  const save = (who: Who, id: string, subject: SchedulePlace['subject'], { times, ifMatch }: Save) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, id);
      const settings = { ...times, source: '' };
      const place = exportPlace(who.company, id, subject);
      return saved(await saveSchedule(trx, place, settings, { author: who.name, expected: ifMatch }));
    });

  route(app, api.exportSchedule, async ({ who, params }) => (await load(who, params.id, 'schedule')).schedule);
  route(app, api.saveExportSchedule, ({ who, params, body, ifMatch }) =>
    save(who, params.id, 'schedule', { times: body, ifMatch }),
  );
  route(app, api.stockSchedule, ({ who, params }) => load(who, params.id, 'stock_schedule'));
  route(app, api.saveStockSchedule, ({ who, params, body, ifMatch }) =>
    save(who, params.id, 'stock_schedule', { times: body, ifMatch }),
  );

  route(app, api.runStock, async ({ who, params }) => {
    const runid = await database.company(who.company, (trx) =>
      startStock(trx, parts, { company: who.company, id: params.id }, { by: who.name }),
    );
    jobs.nudge();
    return { runid };
  });
}

const saved = (revision: number) => ({ ok: true as const, revision, message: 'Gespeichert' });

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
