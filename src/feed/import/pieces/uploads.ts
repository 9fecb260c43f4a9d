import { createHash } from 'node:crypto';
import { importOptionsSchema } from '#shared/import/schema.ts';
import { type ImportUpload, LEAST_PIECE, MOST_PIECE, type NewImportUpload } from '#shared/import/upload-calls.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { z } from 'zod';

/** How long after its last piece an upload can certainly be continued. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Maximum number of unfinished uploads of a company. */
const MOST_UNFINISHED = 10;

type Ref = { readonly company: string; readonly id: string };
/** The name of the sender, and whether his import needs a review if it changes price limits. */
type Sender = { readonly by: string; readonly askReview: boolean; readonly now: Date };
export type Piece = { readonly start: number; readonly bytes: number; readonly sha256: string; readonly file: string };

const rows = (trx: Trx, company: string) =>
  trx
    .selectFrom('import_uploads as u')
    .leftJoin('import_pieces as p', (join) =>
      join.onRef('p.company', '=', 'u.company').onRef('p.upload', '=', 'u.id').on('p.start', '=', 0),
    )
    .selectAll('u')
    .select(['p.bytes as first_bytes', 'p.sha256 as first_sha256'])
    .where('u.company', '=', company);

function shown(row: Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>): ImportUpload {
  const { first_bytes: bytes, first_sha256: sha256 } = row;
  return {
    id: row.id,
    masterid: row.master,
    name: row.name,
    size: row.size,
    modified: row.modified,
    options: importOptionsSchema.parse(JSON.parse(row.options)),
    received: row.received,
    first: bytes === null || sha256 === null ? null : { bytes, sha256 },
    by: row.sent_by,
    changedAt: row.changed_at.toISOString(),
    until: new Date(row.changed_at.getTime() + KEPT_MS).toISOString(),
    leastPiece: LEAST_PIECE,
    mostPiece: MOST_PIECE,
    runid: row.runid,
  };
}

/** Loads an upload. @throws 404, also if its catalogue is in the trash */
export async function loadUpload(trx: Trx, { company, id }: Ref): Promise<ImportUpload> {
  const row = await rows(trx, company).where('u.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Diese Übertragung');
  await loadMaster(trx, company, row.master);
  return shown(row);
}

/** Returns the unfinished uploads of a catalogue, newest first. */
export async function unfinishedUploads(trx: Trx, company: string, masterid: string): Promise<ImportUpload[]> {
  await loadMaster(trx, company, masterid);
  const found = await rows(trx, company)
    .where('u.master', '=', masterid)
    .where('u.runid', 'is', null)
    .orderBy('u.changed_at', 'desc')
    .execute();
  return found.map(shown);
}

/** Creates an upload. @throws 409 where the company has MOST_UNFINISHED unfinished ones */
export async function beginUpload(
  trx: Trx,
  { company, id }: Ref,
  masterid: string,
  file: z.output<typeof NewImportUpload>,
  { by, askReview, now }: Sender,
): Promise<ImportUpload> {
  // Only uploads that can still be continued: not of a catalogue in the trash, nor older than a day.
  const open = await trx
    .selectFrom('import_uploads as u')
    .innerJoin('masters as m', (join) => join.onRef('m.company', '=', 'u.company').onRef('m.id', '=', 'u.master'))
    .select('m.name')
    .where('u.company', '=', company)
    .where('u.runid', 'is', null)
    .where('u.changed_at', '>', new Date(now.getTime() - KEPT_MS))
    .execute();
  if (open.length >= MOST_UNFINISHED) throw tooMany(open.map(({ name }) => name));
  await trx
    .insertInto('import_uploads')
    .values({
      company,
      id,
      master: masterid,
      name: file.name,
      content_type: file.type ?? null,
      size: file.size,
      modified: file.modified ?? null,
      options: JSON.stringify(file.options),
      ask_review: askReview,
      sent_by: by,
      changed_at: now,
    })
    .execute();
  return loadUpload(trx, { company, id });
}

const tooMany = (catalogues: readonly string[]) =>
  new KontorError(
    409,
    'too_many_unfinished',
    `Ihre Firma hat schon ${MOST_UNFINISHED} angefangene Übertragungen (${[...new Set(catalogues)].map((name) => `„${name}“`).join(', ')}). Es wurde keine weitere begonnen. Bitte setzen Sie eine davon fort oder verwerfen Sie sie.`,
  );

/** The row, locked until the transaction ends: of two clients sending the same piece, one gets a conflict. */
export const lockUpload = (trx: Trx, { company, id }: Ref) =>
  trx
    .selectFrom('import_uploads')
    .selectAll()
    .where((eb) => eb.and({ company, id }))
    .forUpdate()
    .executeTakeFirst();

/** Adds a stored piece. Returns the bytes received so far; undefined if the upload no longer exists or is finished. */
export async function addPiece(
  trx: Trx,
  ref: Ref,
  piece: Piece,
  { askReview, now }: Omit<Sender, 'by'>,
): Promise<{ added: boolean; received: number } | undefined> {
  const held = await lockUpload(trx, ref);
  if (!held || held.runid !== null) return undefined;
  if (held.received !== piece.start) return { added: false, received: held.received };
  const received = held.received + piece.bytes;
  const { company, id: upload } = ref;
  await trx
    .insertInto('import_pieces')
    .values({ company, upload, ...piece })
    .execute();
  await trx
    .updateTable('import_uploads')
    .set({ received, changed_at: now, ask_review: held.ask_review || askReview })
    .where((eb) => eb.and({ company, id: upload }))
    .execute();
  return { added: true, received };
}

/** The pieces of an upload in file order. */
export const piecesOf = (trx: Trx, { company, id: upload }: Ref): Promise<Piece[]> =>
  trx
    .selectFrom('import_pieces')
    .select(['start', 'bytes', 'sha256', 'file'])
    .where((eb) => eb.and({ company, upload }))
    .orderBy('start')
    .execute();

/** Returns a checksum of an upload; equal for equal bytes in equal pieces. */
export function digestOf(pieces: readonly Piece[]): string {
  const hash = createHash('sha256');
  for (const { start, sha256 } of pieces) hash.update(`${start} ${sha256}\n`);
  return hash.digest('hex');
}

export const pathsOf = (
  storagePaths: StoragePaths,
  { company, id, masterid }: Ref & { masterid: string },
  pieces: readonly Piece[],
): string[] => pieces.map(({ file }) => storagePaths.piece(company, masterid, id, file));
