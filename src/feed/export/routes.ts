import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { DELTA_FEED, ExportSettings, feedTypes, formatOf, outputKinds, type Export } from '#shared/exports/schema.ts';
import { templateOf } from '#catalogue/channel-templates.ts';
import { orderUpdate } from '#marketplaces/accounts/update.ts';
import { findAccount } from '#marketplaces/accounts/accounts.ts';
import { createExport, loadExport, saveSettings, type ExportRecord } from '#catalogue/exports.ts';
import type { Places } from '#catalogue/storage-paths.ts';
import { inOrder, withSteps } from '#engine/duckdb/relation.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { notFound } from '#platform/errors.ts';
import { streamOf } from '#platform/storage/files.ts';
import { route, type Who } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { join, name, ownNumber, sql, statement } from '#platform/duckdb/sql.ts';
import { saveConstruction } from '#feed/stages/construction/store.ts';
import { cellText } from '#feed/stages/output/cells.ts';
import { templateRows } from '#feed/stages/construction/template.ts';
import { readinessOf } from '#feed/diagnosis/load.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';
import { requireFormatFits } from '#feed/stages/output/check-format.ts';
import { liveOutput } from '#feed/stages/output/store.ts';
import { exportPipeline } from '#feed/plan/pipeline.ts';
import { exportSubject, lastRun } from '#feed/runs/runs.ts';
import { startExport } from '#feed/runs/start-runs.ts';

export type ExportRouteParts = {
  database: Database;
  duck: Duck;
  places: Places;
  ids: Ids;
  clock: Clock;
  jobs: Pick<Jobs, 'nudge'>;
};

export function exportRoutes(app: FastifyInstance, parts: ExportRouteParts): void {
  const { database, ids, clock, jobs } = parts;

  route(app, api.createExport, async ({ who, params, body }) => {
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
    await database.company(who.company, async (trx) => {
      const { company, name: author } = who;
      await createExport(trx, { company, masterid: params.masterid, id, feedToken: ids.secret(), settings, author });
      const rows = template ? templateRows(template, () => ids.id()) : [];
      if (rows.length > 0) await saveConstruction(trx, { company, id }, rows, author, undefined);
    });
    return { id };
  });

  route(app, api.export, ({ who, params }) =>
    database.company(who.company, async (trx) => toWire(trx, await loadExport(trx, who.company, params.id))),
  );

  route(app, api.saveExport, async ({ who, params, body, ifMatch }) => {
    requireFormatFits(body.format);
    const revision = await database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      return saveSettings(trx, { company: who.company, id: params.id }, body, who.name, ifMatch);
    });
    return { ok: true as const, revision, message: 'Gespeichert' };
  });

  const start = async (who: Who, order: (trx: Trx) => Promise<string>) => {
    const runid = await database.company(who.company, order);
    jobs.nudge();
    return { runid };
  };
  const makeFile = (trx: Trx, who: Who, id: string, full: boolean) =>
    startExport(trx, { ids }, { company: who.company, id }, { by: who.name, full });
  route(app, api.runExport, ({ who, params, query }) =>
    start(who, (trx) => makeFile(trx, who, params.id, query.full !== undefined)),
  );
  // LIV-04.
  route(app, api.updateChannel, ({ who, params: { channel } }) =>
    start(who, async (trx) => {
      const account = await findAccount(trx, who.company, channel);
      return account ? orderUpdate(trx, { ids, clock }, account, who.name) : makeFile(trx, who, channel, false);
    }),
  );

  fileRoute(app, parts);
  previewRoute(app, parts);
}

function fileRoute(app: FastifyInstance, { database, places }: ExportRouteParts): void {
  route(app, api.exportFile, async ({ who, params, reply }) => {
    const output = await database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      return liveOutput(trx, who.company, params.id);
    });
    if (!output) throw notFound('Eine Datei dieses Exports');
    const file = places.output(who.company, params.id, output.number, output.companions.ending);
    reply
      .header('content-type', output.mime)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(output.name)}`)
      .header('etag', `"${output.etag}"`)
      .header('cache-control', 'private, no-cache');
    return streamOf(file);
  });
}

function previewRoute(app: FastifyInstance, { database, duck, places }: ExportRouteParts): void {
  route(app, api.previewExport, async ({ who, params, body, signal }) => {
    const { plan, record } = await database.company(who.company, (trx) =>
      loadPlan(trx, places, who.company, params.id),
    );
    const { format } = record.settings;
    const asked = exportPipeline({ ...plan, construction: body.rows ?? plan.construction });
    const { statements, relation, columns } = asked;
    const chosen = [sql`id`, ...columns.map((column) => sql`${cellText(column, format)} AS ${name(column.column)}`)];
    const page = sql`SELECT ${join(chosen, sql`, `)} FROM ${name(relation.from)}${inOrder(relation)} LIMIT ${ownNumber(body.limit)}`;
    const count = sql`SELECT count(*)::INT AS n FROM ${name(relation.from)}`;
    const session = await duck.session();
    try {
      for (const first of statements) await session.all(first, signal);
      const rows = await session.all(statement(withSteps(relation, page)), signal);
      const [counted] = await session.all(statement(withSteps(relation, count)), signal);
      return {
        columns: columns.map((column) => column.name),
        ids: rows.map((row) => textOf(row['id']) ?? ''),
        data: rows.map((row) => columns.map(({ column }) => textOf(row[column]))),
        total: Number(counted?.['n'] ?? 0),
      };
    } finally {
      session.close();
    }
  });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

/** A file name that the settings' pattern takes, from whatever the export is called. */
function fileNameOf(exportName: string): string {
  const clean = exportName
    .replaceAll(/[^\w.\- äöüÄÖÜß]+/g, '_')
    .trim()
    .slice(0, 80);
  return clean === '' || /^[._]*$/.test(clean) ? 'export' : clean;
}

async function toWire(trx: Trx, record: ExportRecord): Promise<Export> {
  const output = await liveOutput(trx, record.company, record.id);
  const at = (feedName: string) => `/feeds/${record.feedToken}/${encodeURIComponent(feedName)}`;
  return {
    id: record.id,
    masterid: record.masterid,
    settings: record.settings,
    revision: record.revision,
    lastRun: await lastRun(trx, record.company, exportSubject(record.id)),
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
    feeds: Object.entries(feedTypes).map(([type, feed]) => ({
      type: Number(type),
      name: feed.name,
      path: at(feed.name),
    })),
    pullPath: at(record.settings.filename),
    deltaPath: record.settings.delta.active ? at(DELTA_FEED) : null,
  };
}
