import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { KontorError, unprocessable } from '#platform/errors.ts';

const MOST_BYTES = 20 * 1024 * 1024;
const Sent = z.object({ text: z.string() });

/** Returns the bytes of a request's uploaded file, or of the `text` in its JSON body. @throws KontorError saying what is wrong */
export async function fileOf(request: FastifyRequest): Promise<Uint8Array> {
  if (!request.isMultipart()) {
    const sent = Sent.safeParse(request.body);
    if (!sent.success) throw unprocessable('no_file', 'Bitte eine Datei hochladen oder {text} angeben.');
    return new TextEncoder().encode(sent.data.text);
  }
  try {
    const file = await request.file({ limits: { files: 1, fields: 5, fileSize: MOST_BYTES } });
    if (!file) throw unprocessable('no_file', 'Es wurde keine Datei mitgeschickt. Bitte eine Datei auswählen.');
    return await file.toBuffer();
  } catch (error) {
    if (error instanceof KontorError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'FST_REQ_FILE_TOO_LARGE')
      throw new KontorError(413, 'too_large', 'Die Datei ist größer als 20 MB. Bitte teilen Sie sie.');
    throw new KontorError(
      400,
      'upload_unreadable',
      'Die hochgeladene Datei ist nicht lesbar. Bitte erneut versuchen.',
      {
        cause: error,
      },
    );
  }
}
