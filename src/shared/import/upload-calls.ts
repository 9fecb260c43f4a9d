import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, masterid, Ok } from '#shared/http/call-parts.ts';
import { importOptionsSchema } from './schema.ts';
import { wireText } from '#shared/values/schema.ts';

/** Bytes of a chunk: the maximum, and the minimum unless it is the last. */
export const MOST_PIECE = 8 * 1024 * 1024;
export const LEAST_PIECE = 1024 * 1024;
/** Header of a 409 with offset_conflict or upload_incomplete: the number of bytes received. */
export const OFFSET_HEADER = 'upload-offset';

const uploadid = z.object({ uploadid: id });
const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'Die Prüfsumme ist SHA-256, in 64 kleinen Hexadezimalziffern.');

export const NewImportUpload = z.strictObject({
  name: wireText(200),
  size: bytes.min(1).describe('Bytes der ganzen Datei'),
  type: wireText(200).optional().describe('Medientyp, wie ihn die Datei beim Import in einem Stück hätte'),
  modified: bytes.optional().describe('Letzte Änderung der Datei in Millisekunden seit 1970, um sie wiederzuerkennen'),
  options: importOptionsSchema.default({}),
});
export type NewImportUpload = z.input<typeof NewImportUpload>;

/** A file that is uploaded in chunks. */
export const ImportUpload = z
  .object({
    id,
    masterid: id,
    name: z.string(),
    size: bytes,
    modified: bytes.nullable(),
    options: importOptionsSchema,
    /** Bytes stored permanently; the next chunk begins here. */
    received: bytes,
    /** Length and checksum of the file's first chunk, to verify before continuing that it is the same file. */
    first: z.object({ bytes, sha256: z.string() }).nullable(),
    /** The user who began it. */
    by: z.string(),
    /** When the last chunk arrived, and the deadline of the next: the upload is deleted in the night after it. */
    changedAt: z.iso.datetime(),
    until: z.iso.datetime(),
    /** Bytes of a chunk: the minimum of all but the last, and the maximum. */
    leastPiece: bytes,
    mostPiece: bytes,
    /** The import, once the upload is complete; null before. */
    runid: id.nullable(),
  })
  .meta({ id: 'ImportUpload' });
export type ImportUpload = z.infer<typeof ImportUpload>;

export const importUploadCalls = {
  beginImportUpload: {
    method: 'POST',
    path: '/api/masters/{masterid}/uploads',
    summary: 'Eine Datei für einen Import in Stücken senden: Beginn',
    access: 'run',
    params: masterid,
    body: NewImportUpload,
    response: ImportUpload,
  },
  importUploads: {
    method: 'GET',
    path: '/api/masters/{masterid}/uploads',
    summary: 'Angefangene Übertragungen, die sich fortsetzen lassen',
    access: 'read',
    params: masterid,
    response: z.array(ImportUpload),
  },
  importUpload: {
    method: 'GET',
    path: '/api/uploads/{uploadid}',
    summary: 'Wie weit eine Übertragung in Stücken ist',
    access: 'read',
    params: uploadid,
    response: ImportUpload,
  },
  sendImportPiece: {
    method: 'POST',
    path: '/api/uploads/{uploadid}/pieces',
    summary:
      'Das nächste Stück senden, als bloße Bytes (1 bis 8 MiB, das letzte auch weniger). Beginnt es nicht dort, wo das Angekommene endet: 409 offset_conflict, und die Kopfzeile Upload-Offset sagt, wo',
    access: 'run',
    params: uploadid,
    query: z.object({
      offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Wo in der Datei es beginnt'),
      sha256: sha256.describe('SHA-256 des Stücks, hexadezimal'),
    }),
    bytes: true,
    response: z.object({ received: bytes }),
  },
  finishImportUpload: {
    method: 'POST',
    path: '/api/uploads/{uploadid}/finish',
    summary: 'Den Import starten, wenn alle Stücke da sind. Noch einmal gefragt ist die Antwort dieselbe',
    access: 'run',
    params: uploadid,
    response: z.object({ runid: id }),
  },
  discardImportUpload: {
    method: 'DELETE',
    path: '/api/uploads/{uploadid}',
    summary: 'Eine angefangene Übertragung verwerfen',
    access: 'run',
    params: uploadid,
    response: Ok,
  },
} as const satisfies Record<string, Call>;
