import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { api } from '#shared/http/api.ts';
import { sourceSentence } from '#shared/construction/difference.ts';
import { valueTypeOf, valueTypes, type ConstructionRow } from '#shared/construction/schema.ts';
import { DELTA_FEED, feedTypes } from '#shared/exports/schema.ts';
import { requirements } from '#shared/channels/requirement.ts';
import { exportOfToken, type ExportRecord, isTrashedToken } from '#catalogue/exports.ts';
import { cell } from '#catalogue/spreadsheet-csv.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { answerRange } from './byte-range.ts';
import { isKnown } from './known-file.ts';
import { route } from '#platform/http/server.ts';
import { loadConstruction } from '#feed/stages/construction/store.ts';
import { liveDelta } from '#feed/export/published-baseline.ts';
import { stockOf } from '#feed/export/stock-job.ts';
import { countFetch, liveOutput, type OutputRecord } from '#feed/stages/output/store.ts';

/**
 * The secret addresses that channels pull from: the export's file under its own name, and the feed types of HDR-03. The token is
 * enough, no session is needed; a wrong token, a wrong name and a file that does not exist yet give the same answer.
 */
export function feedRoutes(
  app: FastifyInstance,
  { database, storagePaths, clock }: { database: Database; storagePaths: StoragePaths; clock: Clock },
): void {
  route(app, api.feed, async ({ params, request, reply }) => {
    const found = await database.system(async (trx) => {
      const record = await exportOfToken(trx, params.token, clock.now());
      if (!record) return (await isTrashedToken(trx, params.token, clock.now())) ? ('trashed' as const) : undefined;
      const output = await liveOutput(trx, record.company, record.id);
      const { rows } = await loadConstruction(trx, record.company, record.id);
      const delta = await liveDelta(trx, record.company, record.id);
      const stock = output && (await stockOf(trx, { ...record, number: output.number }));
      return { record, output, stock, delta, rows };
    });
    if (found === 'trashed')
      throw new KontorError(
        410,
        'gone',
        'Dieser Export wurde gelöscht. Unter dieser Adresse gibt es keine Datei mehr.',
      );
    if (!found) throw notFound('Diese Datei');
    const { record, output, stock, delta, rows } = found;
    const wanted = isOwnName(params.name, record, output)
      ? feedTypes[2].name
      : params.name.replace(/\.(csv|xml|json|jsonl|xlsx)$/, '');
    if (wanted === feedTypes[1].name) return sendSpecification(reply, rows);
    if (wanted === DELTA_FEED && delta) {
      await database.company(record.company, (trx) => countFetch(trx, record.company, record.id, delta.number));
      const path = storagePaths.output(record.company, record.id, delta.number, delta.sidecars.ending);
      return send(request, reply, { storagePaths, path, name: params.name }, delta);
    }
    if (!output) throw notFound('Diese Datei');
    const file = (wanted === feedTypes[3].name ? stock : undefined) ?? fileFor(params.name, wanted, record, output);
    if (!file) throw notFound(wanted === feedTypes[3].name ? 'Eine Datei mit Bestand und Preis' : 'Diese Datei');
    await database.company(record.company, (trx) => countFetch(trx, record.company, record.id, output.number));
    const path = storagePaths.output(record.company, record.id, output.number, file.ending);
    return send(request, reply, { storagePaths, path, name: params.name }, { ...output, ...file });
  });
}

/** Whether the export's own file is meant although it is named like a feed type (`quantityprice.csv`): types have no ending. */
const isOwnName = (name: string, { settings }: ExportRecord, output: OutputRecord | undefined): boolean =>
  name.includes('.') && (name === settings.filename || name === output?.name);

function fileFor(
  filename: string,
  wanted: string,
  record: ExportRecord,
  output: OutputRecord,
): { ending: string; etag: string; bytes: number } | undefined {
  const { quantityprice, ending } = output.sidecars;
  if (wanted === feedTypes[3].name) return quantityprice;
  // After the file is renamed, the old address works until the next run has produced a file under the new name.
  if (wanted === feedTypes[2].name || filename === record.settings.filename || filename === output.name) {
    return { ending, etag: output.etag, bytes: output.bytes };
  }
  return undefined;
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { storagePaths: { store }, path, name }: { storagePaths: StoragePaths; path: string; name: string },
  file: { mime: string; etag: string; createdAt: Date; bytes: number },
): Promise<unknown> {
  reply.header('cache-control', 'no-cache').header('x-robots-tag', 'noindex');
  if (isKnown(request, reply, file)) return reply.send();
  const address = isPlain(request) ? await store.addressOf(path, { mime: file.mime, name }) : undefined;
  // The store sends its own headers about the file, and its address expires soon.
  if (address !== undefined)
    return reply
      .removeHeader('etag')
      .removeHeader('last-modified')
      .header('cache-control', 'no-store')
      .redirect(address, 302);
  const range = answerRange(request, reply, { bytes: file.bytes, etag: `"${file.etag}"` });
  if (range === 'none') return reply.send();
  reply.header('content-type', file.mime);
  return store.stream(path, range);
}

/**
 * Whether the store would answer this request as we do. It has other dates and another tag for the file, so a client that
 * requests a range, or sends a condition on them, is served here. An unknown If-None-Match tag may be the store's own and works
 * there.
 */
const isPlain = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers.range === undefined &&
  headers['if-modified-since'] === undefined &&
  headers['if-unmodified-since'] === undefined &&
  headers['if-match'] === undefined;

/** Feed type 1: a description of the export's fields, for people and for onboarding at the channel. */
function sendSpecification(reply: FastifyReply, rows: readonly ConstructionRow[]): FastifyReply {
  const lines = [['Feld', 'Status', 'Art', 'Quelle', 'Beschreibung'].map(cell).join(';')];
  for (const row of rows) {
    lines.push(
      [
        row.exportfield,
        requirements[row.mp_state].label,
        valueTypes[valueTypeOf(row)].label,
        sourceSentence(row),
        row.description,
      ]
        .map(cell)
        .join(';'),
    );
  }
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(`\uFEFF${lines.join('\r\n')}\r\n`);
}
