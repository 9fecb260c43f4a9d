import type { FastifyRequest } from 'fastify';
import { KontorError, unprocessable } from '#platform/errors.ts';

/**
 * Returns the uploaded file of a request, up to `mostBytes`, as a whole. @throws KontorError if there is none, if it is too large
 * (with the text `tooLarge`), or if the upload broke off
 */
export async function uploadedFile(
  request: FastifyRequest,
  { mostBytes, tooLarge }: { mostBytes: number; tooLarge: string },
): Promise<{ bytes: Uint8Array; name: string }> {
  try {
    const file = await request.file({ limits: { files: 1, fields: 5, fileSize: mostBytes } });
    if (!file) throw unprocessable('no_file', 'Es wurde keine Datei mitgeschickt. Bitte eine Datei auswählen.');
    // A part may have no file name, whatever the types say.
    return { bytes: await file.toBuffer(), name: String(file.filename ?? '') };
  } catch (error) {
    if (error instanceof KontorError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new KontorError(413, 'too_large', tooLarge);
    const text = 'Die hochgeladene Datei ist nicht lesbar. Bitte erneut versuchen.';
    throw new KontorError(400, 'upload_unreadable', text, { cause: error });
  }
}
