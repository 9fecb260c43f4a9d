import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { DELTA_FEED, ExportSettings, feedTypes, formatOf, outputKinds, type Export } from '#shared/exports/schema.ts';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { orderUpdate } from '#marketplaces/accounts/update.ts';
import { findAccount } from '#marketplaces/accounts/accounts.ts';
import { createExport, loadExport, renewFeedToken, saveSettings, type ExportRecord } from '#catalogue/exports.ts';
import type { Quotas } from '#catalogue/quotas.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { inOrder, withSteps } from '#engine/duckdb/relation.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { notFound } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { join, name, ownNumber, duck, statement } from '#platform/duckdb/sql.ts';
import { saveConstruction } from '#feed/stages/construction/store.ts';
import { cellText } from '#feed/stages/output/cells.ts';
import { templateRows } from '#feed/stages/construction/template.ts';
import { readinessOf } from '#feed/diagnosis/load.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { requireFormatFits } from '#feed/stages/output/check-format.ts';
import { liveOutput } from '#feed/stages/output/store.ts';
import { demand } from '#feed/plan/demand.ts';
import { build } from '#feed/plan/build.ts';
import { exportSubject, lastRun, uploadSubject } from '#feed/runs/runs.ts';
import { startExport } from '#feed/runs/start-runs.ts';
import { loadUpload } from '#feed/delivery/upload/store.ts';
import { isKnown } from '#feed/delivery/known-file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export type ExportRouteDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
  clock: Clock;
  jobs: Pick<Jobs, 'nudge'>;
  quotas: Quotas;
};

export function exportRoutes(app: FastifyInstance, deps: ExportRouteDeps): void {
  const { database, ids, clock, jobs, quotas } = deps;

  route(app, api.createExport, async ({ principal, params, body }) => {
    const id = ids.id();
    const template = templateOf(body.channel);
    const format = formatOf(body, template?.format);
    requireFormatFits(format);
    const settings = ExportSettings.parse({
      name: body.name,
      channel: body.channel,
      format,
      filename: body.filename ?? `${fileNameOf(body.name)}.${outputKinds[format.kind].extension}`,
    });
    await database.company(principal.company, async (trx) => {
      const { company, name: author } = principal;
      await quotas.requireOneMore(trx, company, 'exports');
      await createExport(trx, { company, masterid: params.masterid, id, feedToken: ids.secret(), settings, author });
      const rows = template ? templateRows(template, () => ids.id()) : [];
      if (rows.length > 0) await saveConstruction(trx, { company, id }, rows, author, undefined);
    });
    return { id };
  });

  route(app, api.export, ({ principal, params }) =>
    database.company(principal.company, async (trx) =>
      toWire(trx, await loadExport(trx, principal.company, params.id), principal),
    ),
  );

  route(app, api.saveExport, async ({ principal, params, body, ifMatch }) => {
    requireFormatFits(body.format);
    const revision = await database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return saveSettings(trx, { company: principal.company, id: params.id }, body, principal.name, ifMatch);
    });
    return { ok: true as const, revision, message: 'Gespeichert' };
  });

  const start = async (principal: Principal, order: (trx: Trx) => Promise<string>) => {
    const runid = await database.company(principal.company, async (trx) => {
      await quotas.requireOneMore(trx, principal.company, 'jobs');
      return order(trx);
    });
    jobs.nudge();
    return { runid };
  };
  const makeFile = (trx: Trx, principal: Principal, id: string, full: boolean) =>
    startExport(trx, { ids }, { company: principal.company, id }, { by: principal.name, full });
  route(app, api.runExport, ({ principal, params, query }) =>
    start(principal, (trx) => makeFile(trx, principal, params.id, query.full !== undefined)),
  );
  // LIV-04.
  route(app, api.updateChannel, ({ principal, params: { channel } }) =>
    start(principal, async (trx) => {
      const account = await findAccount(trx, principal.company, channel);
      return account
        ? orderUpdate(trx, { ids, clock }, account, principal.name)
        : makeFile(trx, principal, channel, false);
    }),
  );

  renewRoute(app, deps);
  fileRoute(app, deps);
  previewRoute(app, deps);
}

function fileRoute(app: FastifyInstance, { database, storagePaths }: ExportRouteDeps): void {
  route(app, api.exportFile, async ({ principal, params, request, reply }) => {
    const output = await database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, params.id);
      return liveOutput(trx, principal.company, params.id);
    });
    if (!output) throw notFound('Eine Datei dieses Exports');
    const file = storagePaths.output(principal.company, params.id, output.number, output.sidecars.ending);
    reply
      .header('content-type', output.mime)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(output.name)}`)
      .header('cache-control', 'private, no-cache');
    if (isKnown(request, reply, output)) return reply.send();
    reply.header('content-length', String(output.bytes));
    return storagePaths.store.stream(file);
  });
}

function previewRoute(app: FastifyInstance, { database, duckdb, storagePaths }: ExportRouteDeps): void {
  route(app, api.previewExport, async ({ principal, params, body, signal }) => {
    const { plan, record } = await database.company(principal.company, (trx) =>
      loadPlan(trx, storagePaths, principal.company, params.id),
    );
    const { format } = record.settings;
    const built = build(
      { ...plan, construction: body.rows ?? plan.construction },
      demand({ ...plan, construction: body.rows ?? plan.construction }),
    );
    const { statements, relation, columns } = built;
    const chosen = [duck`id`, ...columns.map((column) => duck`${cellText(column, format)} AS ${name(column.column)}`)];
    const page = duck`SELECT ${join(chosen, duck`, `)} FROM ${name(relation.from)}${inOrder(relation)} LIMIT ${ownNumber(body.limit)}`;
    const count = duck`SELECT count(*)::INT AS n FROM ${name(relation.from)}`;
    return duckdb.inSession(async (session) => {
      for (const first of statements) await session.all(first, signal);
      const rows = await session.all(statement(withSteps(relation, page)), signal);
      const [counted] = await session.all(statement(withSteps(relation, count)), signal);
      return {
        columns: columns.map((column) => column.name),
        ids: rows.map((row) => textOf(row['id']) ?? ''),
        data: rows.map((row) => columns.map(({ column }) => textOf(row[column]))),
        total: Number(counted?.['n'] ?? 0),
      };
    }, signal);
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** Derives a file name that the settings accept from the name of an export. */
function fileNameOf(exportName: string): string {
  const clean = exportName
    .replaceAll(/[^\w.\- äöüÄÖÜß]+/g, '_')
    .trim()
    .slice(0, 80);
  return clean === '' || /^[._]*$/.test(clean) ? 'export' : clean;
}

function renewRoute(app: FastifyInstance, { database, ids, clock }: ExportRouteDeps): void {
  route(app, api.renewFeedAddress, async ({ principal, params, body }) => {
    const { company, permissions } = principal;
    const now = clock.now();
    const until = body.graceDays === 0 ? undefined : new Date(now.getTime() + body.graceDays * DAY_MS);
    return database.company(company, async (trx) => {
      await renewFeedToken(trx, await loadExport(trx, company, params.id), { feedToken: ids.secret(), until });
      return { pullPath: addressesOf(await loadExport(trx, company, params.id), { permissions }).pullPath };
    });
  });
}

/** Anyone who knows an address can read the file permanently without a session: only users who may change the export see them. */
function addressesOf(
  { feedToken, settings }: ExportRecord,
  { permissions }: Pick<Principal, 'permissions'>,
): Pick<Export, 'feeds' | 'pullPath' | 'deltaPath'> {
  if (!permissions.includes('edit')) return { feeds: [], pullPath: '', deltaPath: null };
  const at = (feedName: string) => `/feeds/${feedToken}/${encodeURIComponent(feedName)}`;
  return {
    feeds: Object.entries(feedTypes).map(([type, { name }]) => ({ type: Number(type), name, path: at(name) })),
    pullPath: at(settings.filename),
    deltaPath: settings.delta.active ? at(DELTA_FEED) : null,
  };
}

async function uploadFailure(trx: Trx, { company, id }: ExportRecord): Promise<string | null> {
  const last = await lastRun(trx, company, uploadSubject(id));
  if (last?.state !== 'failed') return null;
  const { settings } = await loadUpload(trx, company, id);
  return settings.active ? (last.message ?? '') : null;
}

async function toWire(trx: Trx, record: ExportRecord, principal: Pick<Principal, 'permissions'>): Promise<Export> {
  const output = await liveOutput(trx, record.company, record.id);
  return {
    id: record.id,
    masterid: record.masterid,
    settings: record.settings,
    revision: record.revision,
    lastRun: await lastRun(trx, record.company, exportSubject(record.id)),
    uploadFailure: await uploadFailure(trx, record),
    file: output
      ? {
          name: output.name,
          bytes: output.bytes,
          items: output.items,
          createdAt: output.createdAt.toISOString(),
          etag: output.etag,
          lastFetchedAt: output.lastFetchedAt?.toISOString() ?? null,
          fetches: output.fetches,
        }
      : null,
    readiness: await readinessOf(trx, record),
    ...addressesOf(record, principal),
  };
}
