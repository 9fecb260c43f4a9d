import { gunzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { uploadedFile } from '#platform/http/bodies/uploaded-file.ts';

const MOST_BYTES = 20 * 1024 * 1024;
/** How many times its size a gz may become, as in imports; small files may always become `SMALL` bytes. */
const MOST_GROWTH = 200;
const SMALL = 1024 * 1024;
const Sent = z.object({ text: z.string() });

/** Returns the bytes of a request's uploaded file, or of the `text` in its JSON body. @throws KontorError saying what is wrong */
export async function fileOf(request: FastifyRequest): Promise<Uint8Array> {
  if (!request.isMultipart()) {
    const sent = Sent.safeParse(request.body);
    if (!sent.success) throw unprocessable('no_file', 'Bitte eine Datei hochladen oder {text} angeben.');
    return new TextEncoder().encode(sent.data.text);
  }
  const tooLarge = 'Die Datei ist größer als 20 MB. Bitte teilen Sie sie.';
  return (await uploadedFile(request, { mostBytes: MOST_BYTES, tooLarge })).bytes;
}

/** Returns the file inside of a gz, other files as they are. @throws KontorError if it is too large, truncated or an archive */
export function unpackedFile(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const file = gunzipped(bytes);
  // A tar is text between the heads of its files: it could be read as a table with wrong cells.
  if (new TextDecoder('latin1').decode(file.subarray(257, 262)) !== 'ustar') return file;
  throw unprocessable(
    'unreadable',
    'Die Datei ist ein Archiv (tar.gz). Es wurde nichts gespeichert. Bitte entpacken Sie sie und wählen Sie die Datei mit den Bestellungen.',
  );
}

function gunzipped(bytes: Uint8Array): Uint8Array {
  const allowed = Math.max(SMALL, bytes.length * MOST_GROWTH);
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(MOST_BYTES, allowed) });
  } catch (error) {
    if (error instanceof RangeError)
      throw new KontorError(413, 'too_large', allowed < MOST_BYTES ? growsText : unpackedText, { cause: error });
    throw new KontorError(
      422,
      'unreadable',
      'Die gepackte Datei (gz) ist beschädigt oder unvollständig. Es wurde nichts gespeichert. Bitte laden Sie sie noch einmal herunter, oder wählen Sie sie ungepackt.',
      { cause: error },
    );
  }
}

const unpackedText = 'Die Datei ist entpackt größer als 20 MB. Es wurde nichts gespeichert. Bitte teilen Sie sie.';
const growsText = `Die Datei wächst beim Entpacken auf mehr als das ${MOST_GROWTH}-Fache. So etwas kommt bei Bestellungen nicht vor und wird zum Schutz des Servers abgelehnt. Es wurde nichts gespeichert. Bitte wählen Sie die Datei ungepackt.`;
