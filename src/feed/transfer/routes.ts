import type { FastifyInstance } from 'fastify';
import { loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { TransferSource } from '#catalogue/transfer-results.ts';
import { orderUpdate } from '#marketplaces/accounts/update.ts';
import { csvHeaders } from '#catalogue/spreadsheet-csv.ts';
import { findAccount, type Account } from '#marketplaces/accounts/accounts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { KontorError, notFound, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { api } from '#shared/http/api.ts';
import { csvName } from '#shared/items/csv-name.ts';
import { transferViews, type TransferPage, type TransferView } from '#shared/transfer/schema.ts';
import { loadDiagnosis } from '#feed/diagnosis/load.ts';
import { startExport } from '#feed/runs/start-runs.ts';
import { channelTransfer, transferCsv } from './transfer.ts';
import { fileTransfer } from './file.ts';

export type TransferDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  ids: Ids;
  clock: Clock;
  jobs: Pick<Jobs, 'nudge'>;
  /** The results of the prices that were sent to an account. */
  pricesOf: (account: Account) => Promise<TransferSource>;
};

/** The controller name for the results of any export; the export's own channel is the other valid name. */
const CONTROLLER = 'transfer';

const columns = [
  { id: '_id', name: 'Artikelnummer' },
  { id: 'title', name: 'Titel' },
  { id: 'state', name: 'Zustand' },
  { id: 'message', name: 'Meldung' },
];

/** TRA: the results of the items that were sent. */
export function transferRoutes(app: FastifyInstance, deps: TransferDeps): void {
  const sourceOf = (company: string, request: { id: string; controller?: string }) =>
    loadSource(deps, company, request);

  route(app, api.transferSum, async ({ principal, params, query, body }) => {
    const { source, channel } = await sourceOf(principal.company, { ...params, id: idIn(body, query) });
    return source?.sum ?? { SEND: 0, ACCEPTED: 0, INVALID: 0, source: 'none' as const, at: null, channel };
  });

  const grids = { list: api.transferList, ready: api.transferReady, failure: api.transferFailure } as const;
  route(app, grids.list, ({ principal, params, query, signal }) =>
    page(principal.company, 'list', { ...params, ...query }, signal),
  );
  route(app, grids.ready, ({ principal, params, query, signal }) =>
    page(principal.company, 'ready', { ...params, ...query }, signal),
  );
  route(app, grids.failure, ({ principal, params, query, signal }) =>
    page(principal.company, 'failure', { ...params, ...query }, signal),
  );
  const page = async (company: string, view: TransferView, request: ResultsRequest, signal: AbortSignal) => {
    const { source } = await sourceOf(company, request);
    return pageOf(source, view, request, signal);
  };

  route(app, api.transferListPages, ({ principal, params, query, body }) =>
    pages(principal.company, 'list', { ...params, ...body, id: idIn(body, query) }),
  );
  route(app, api.transferReadyPages, ({ principal, params, query, body }) =>
    pages(principal.company, 'ready', { ...params, ...body, id: idIn(body, query) }),
  );
  route(app, api.transferFailurePages, ({ principal, params, query, body }) =>
    pages(principal.company, 'failure', { ...params, ...body, id: idIn(body, query) }),
  );
  const pages = async (
    company: string,
    view: TransferView,
    request: Pick<ResultsRequest, 'id' | 'controller' | 'limit'>,
  ) => {
    const { source } = await sourceOf(company, request);
    // TRA-02: always a number; items that are no longer stored have no pages.
    return source?.isStored === true ? Math.ceil(source.totals[view] / request.limit) : 0;
  };

  route(app, api.transferReasons, async ({ principal, params }) => {
    const { source } = await sourceOf(principal.company, params);
    return source === undefined ? [] : source.reasons();
  });

  route(app, api.transferCsv, async ({ principal, params, query, reply, signal }) => {
    const { source, name } = await sourceOf(principal.company, params);
    if (!source) throw notFound('Eine Übertragung dieses Exports');
    const text = transferCsv(source, query, signal);
    csvHeaders(reply, csvName('Übertragung', name, transferViews[query.view].file));
    return text;
  });
  resendRoute(app, deps);
}

/** Returns the export's id. @throws 422 if neither body nor query contains it */
function idIn(body: { id?: string | undefined }, query: { id?: string | undefined }): string {
  const id = body.id ?? query.id;
  if (id === undefined)
    throw unprocessable('invalid', 'Es fehlt die Angabe, welcher Export gemeint ist.', [
      { field: 'id', message: 'Bitte die Kennung des Exports angeben.' },
    ]);
  return id;
}

type ResultsRequest = {
  id: string;
  controller?: string;
  search: string;
  reason: string;
  offset: number;
  limit: number;
};

function resendRoute(app: FastifyInstance, deps: TransferDeps): void {
  route(app, api.resendFailed, async ({ principal, params }) => {
    const { source } = await loadSource(deps, principal.company, params);
    if (!source || source.sum.INVALID === 0) throw nothingFailed();
    // Exports refused items again even if unchanged; repeated requests start only one run.
    const starter = { by: principal.name, full: true, again: true };
    const runid = await deps.database.company(principal.company, async (trx) => {
      const account = await findAccount(trx, principal.company, params.id);
      if (account) return orderUpdate(trx, deps, account, principal.name);
      return startExport(trx, deps, { company: principal.company, id: params.id }, starter);
    });
    deps.jobs.nudge();
    return { runid };
  });
}

/**
 * Loads the results of an export, or of the prices sent to an account at a marketplace; no source before the first file.
 * @throws 404 for an unknown export, account or controller
 */
async function loadSource(
  deps: TransferDeps,
  company: string,
  { id, controller = CONTROLLER }: { id: string; controller?: string },
): Promise<{ source: TransferSource | undefined; channel: string; name: string }> {
  const account = await deps.database.company(company, (trx) => findAccount(trx, company, id));
  if (account !== undefined) {
    if (controller !== CONTROLLER && controller !== account.connector) throw notFound('Diese Übertragung');
    return { source: await deps.pricesOf(account), channel: account.name, name: account.name };
  }
  const { loaded, answered, name } = await deps.database.company(company, async (trx) => {
    const { settings } = await loadExport(trx, company, id);
    if (controller !== CONTROLLER && controller !== settings.channel) throw notFound('Diese Übertragung');
    const loaded = await loadDiagnosis(trx, company, id);
    return { loaded, name: settings.name, answered: await channelTransfer(deps.database, trx, loaded) };
  });
  const { past, channel } = loaded;
  const source = answered ?? (past && (await fileTransfer(deps, { ...loaded, past })));
  return { source, channel, name };
}

async function pageOf(
  source: TransferSource | undefined,
  view: TransferView,
  { search, reason, offset, limit }: ResultsRequest,
  signal: AbortSignal,
): Promise<TransferPage> {
  const empty = { columns, data: [], total: 0, pageCount: 0 };
  if (!source || source.totals[view] === 0) return { ...empty, message: emptyText(source, view) };
  const selection = { view, search: search.trim(), reason };
  const isWhole = selection.search === '' && reason === '';
  const total = isWhole ? source.totals[view] : await source.count(selection, signal);
  if (total === 0) return { ...empty, message: '<p>Kein Artikel dieser Ansicht passt dazu.</p>' };
  const data = await source.page({ ...selection, offset, limit }, signal);
  const message = data.length > 0 ? '' : '<p>Auf dieser Seite stehen keine Artikel mehr.</p>';
  return { columns, data, total, pageCount: Math.ceil(total / limit), message };
}

/** TRA-03: HTML by specification; it contains no user input. */
function emptyText(source: TransferSource | undefined, view: TransferView): string {
  if (!source) return '<p>Dieser Export lief noch nicht. Nach dem ersten Lauf stehen hier seine Artikel.</p>';
  if (source.nothing !== undefined && source.totals.list === 0) return `<p>${source.nothing}</p>`;
  if (view === 'failure') return '<p>Kein Artikel wurde abgelehnt.</p>';
  if (view === 'ready') return '<p>Kein Artikel ist ohne Fehler.</p>';
  return '<p>Die letzte Datei enthielt keine Artikel.</p>';
}

const nothingFailed = () =>
  new KontorError(409, 'nothing_failed', 'Es wurde kein Artikel abgelehnt. Es gibt nichts erneut zu senden.');
