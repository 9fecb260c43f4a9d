import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, masterid, Ok } from '#shared/http/call-parts.ts';
import { importOptionsSchema } from './schema.ts';
import { wireText } from '#shared/values/schema.ts';

/** Bytes of a piece: at most, and at least where it is not the last. */
export const MOST_PIECE = 8 * 1024 * 1024;
export const LEAST_PIECE = 1024 * 1024;
/** With a 409 of offset_conflict or upload_incomplete: how many bytes are there. */
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

/** A file that is sent in pieces. */
export const ImportUpload = z
  .object({
    id,
    masterid: id,
    name: z.string(),
    size: bytes,
    modified: bytes.nullable(),
    options: importOptionsSchema,
    /** So many bytes are there for good; the next piece begins here. */
    received: bytes,
    /** The piece that the file begins with, so that whoever goes on knows that it is the same file. */
    first: z.object({ bytes, sha256: z.string() }).nullable(),
    /** Who began it. */
    by: z.string(),
    /** When the last piece came, and until when the next has to: it is forgotten in the night after. */
    changedAt: z.iso.datetime(),
    until: z.iso.datetime(),
    /** Bytes of a piece: all but the last have at least so many. */
    leastPiece: bytes,
    mostPiece: bytes,
    /** The import, once it was finished. */
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
