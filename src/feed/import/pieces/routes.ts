import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { api } from '#shared/http/api.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { MOST_PIECE, OFFSET_HEADER } from '#shared/import/upload-calls.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Clock } from '#platform/clock.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { mediaTypeText } from '#platform/http/error-body.ts';
import { type Principal, route } from '#platform/http/server.ts';
import type { Ids } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { startUploaded } from '#feed/runs/start-runs.ts';
import { fileTooLarge } from '#feed/import/file-limits.ts';
import type { ImportDeps } from '#feed/import/job.ts';
import { shownName } from '#feed/import/receive.ts';
import type { Senders } from '#feed/import/senders.ts';
import { removePieces } from './joined.ts';
import { pieceTooLarge, receivePiece } from './receive-piece.ts';
import {
  addPiece,
  beginUpload,
  digestOf,
  loadUpload,
  lockUpload,
  pathsOf,
  piecesOf,
  unfinishedUploads,
} from './uploads.ts';
import { importOptionsSchema } from '#shared/import/schema.ts';

export type PieceDeps = ImportDeps & { ids: Ids; jobs: Pick<Jobs, 'nudge'>; clock: Clock; senders: Senders };

const askReview = ({ permissions }: Principal): boolean => !permissions.includes('prices');

/** Registers the routes of uploads in pieces, so that a client whose connection broke can continue where it stopped. */
export async function pieceRoutes(app: FastifyInstance, deps: PieceDeps): Promise<void> {
  const { database, storagePaths, quotas, importLimits, ids, clock } = deps;

  route(app, api.beginImportUpload, async ({ principal, params, body }) => {
    const { company } = principal;
    if (body.size > importLimits.uploaded) throw fileTooLarge(413, importLimits.uploaded);
    await quotas.requireSpace(company);
    return database.company(company, async (trx) => {
      await loadMaster(trx, company, params.masterid);
      await quotas.requireOneMore(trx, company, 'jobs');
      const sender = { by: principal.name, askReview: askReview(principal), now: clock.now() };
      return beginUpload(trx, { company, id: ids.id() }, params.masterid, body, sender);
    });
  });
  route(app, api.importUploads, ({ principal: { company }, params }) =>
    database.company(company, (trx) => unfinishedUploads(trx, company, params.masterid)),
  );
  route(app, api.importUpload, ({ principal: { company }, params }) =>
    database.company(company, (trx) => loadUpload(trx, { company, id: params.uploadid })),
  );
  route(app, api.discardImportUpload, async ({ principal: { company }, params }) => {
    const ref = { company, id: params.uploadid };
    const paths = await database.company(company, async (trx) => {
      const { masterid } = await loadUpload(trx, ref);
      const held = await lockUpload(trx, ref);
      if (!held) throw notFound('Diese Übertragung');
      if (held.runid !== null)
        throw new KontorError(
          409,
          'upload_finished',
          'Die Datei ist vollständig, ihr Import ist gestartet. Es wurde nichts verworfen; den Import können Sie abbrechen.',
        );
      const pieces = await piecesOf(trx, ref);
      await trx
        .deleteFrom('import_uploads')
        .where((eb) => eb.and(ref))
        .execute();
      return pathsOf(storagePaths, { ...ref, masterid }, pieces);
    });
    await storagePaths.store.remove(paths);
    return { ok: true as const };
  });
  route(app, api.finishImportUpload, ({ principal, params, reply }) => finish(deps, principal, params.uploadid, reply));
  await app.register((own, _options, done) => {
    own.addContentTypeParser('application/octet-stream', (_request, content, parsed) => parsed(null, content));
    route(own, api.sendImportPiece, ({ principal, params, query, request, reply }) =>
      takePiece(
        deps,
        { principal, id: params.uploadid, ...query, content: request.body, headers: request.headers },
        reply,
      ),
    );
    done();
  });
}

type Sent = {
  readonly principal: Principal;
  readonly id: string;
  readonly offset: number;
  readonly sha256: string;
  readonly content: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
};

async function takePiece(
  { database, storagePaths, quotas, ids, clock, senders }: PieceDeps,
  { principal, id, offset, sha256, content, headers }: Sent,
  reply: FastifyReply,
): Promise<{ received: number }> {
  const { company } = principal;
  const ref = { company, id };
  const { masterid, size, received } = await database.company(company, (trx) => loadUpload(trx, ref));
  if (received !== offset || offset === size) throw conflict(reply, received);
  if (!(content instanceof Readable)) throw new KontorError(415, 'media_type', mediaTypeText);
  if (Number(headers['content-length'] ?? 0) > MOST_PIECE) throw pieceTooLarge(MOST_PIECE);
  await quotas.requireSpace(company);
  return senders.during(company, async () => {
    const file = ids.id();
    const path = storagePaths.piece(company, masterid, id, file);
    const bytes = await receivePiece(storagePaths.store, path, content, { offset, sha256, size });
    const sender = { askReview: askReview(principal), now: clock.now() };
    // A failed transaction may have committed after all: the file stays, and the nightly cleanup removes it if no row needs it.
    const result = await database.company(company, (trx) =>
      addPiece(trx, ref, { start: offset, bytes, sha256, file }, sender),
    );
    if (result?.added !== true) await storagePaths.store.remove([path]);
    if (result === undefined) throw notFound('Diese Übertragung');
    if (!result.added) throw conflict(reply, result.received);
    return { received: result.received };
  });
}

/** Orders the import of a complete upload, once; a repeated call returns the same run. */
async function finish(deps: PieceDeps, principal: Principal, id: string, reply: FastifyReply) {
  const { database, quotas, jobs } = deps;
  const { company } = principal;
  const ref = { company, id };
  const { masterid, runid } = await database.company(company, (trx) => loadUpload(trx, ref));
  if (runid !== null) return { runid };
  await quotas.requireSpace(company);
  const ordered = await database.company(company, async (trx) => {
    const held = await lockUpload(trx, ref);
    if (!held) throw notFound('Diese Übertragung');
    if (held.runid !== null) return held.runid;
    if (held.received < held.size) throw incomplete(reply, held);
    await quotas.requireOneMore(trx, company, 'jobs');
    const file = {
      source: shownName(held.name),
      contentType: held.content_type ?? undefined,
      digest: digestOf(await piecesOf(trx, ref)),
      options: importOptionsSchema.parse(JSON.parse(held.options)),
      inPieces: true as const,
      ...(held.ask_review || askReview(principal) ? { askReview: true } : {}),
    };
    const run = await startUploaded(trx, { company, id: masterid, runid: id }, file, principal.name);
    await trx
      .updateTable('import_uploads')
      .set({ runid: run })
      .where((eb) => eb.and(ref))
      .execute();
    return run;
  });
  // The same file is already queued in another run: this upload will not be read.
  if (ordered !== id) await removePieces(deps, { ...ref, masterid });
  jobs.nudge();
  return { runid: ordered };
}

function conflict(reply: FastifyReply, received: number): KontorError {
  reply.header(OFFSET_HEADER, String(received));
  return new KontorError(
    409,
    'offset_conflict',
    `Von der Datei sind ${integerText(received)} Bytes angekommen; das nächste Stück muss dort beginnen. Dieses wurde nicht übernommen.`,
  );
}

function incomplete(reply: FastifyReply, { received, size }: { received: number; size: number }): KontorError {
  reply.header(OFFSET_HEADER, String(received));
  return new KontorError(
    409,
    'upload_incomplete',
    `Von der Datei sind erst ${integerText(received)} von ${integerText(size)} Bytes angekommen. Es wurde nichts importiert; bitte senden Sie den Rest.`,
  );
}
