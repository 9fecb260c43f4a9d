import { pipeline, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { sizeText } from '#shared/values/size-text.ts';
import { KontorError } from '#platform/errors.ts';

/** An API call. Its response is returned with its whole text, whatever its status. */
export type EgressRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  /** Limit of the response in bytes; 0: it is not read. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
};
export type Exchanged = { status: number; header: (name: string) => string | undefined; text: string };

/** The error message for a file above the limit. */
export const tooLargeText = (maxBytes: number) =>
  `Die Datei ist größer als ${sizeText(maxBytes)}, mehr wird hier nicht gelesen. Bitte stellen Sie eine kleinere bereit.`;

/** Returns a decoder for a transfer encoding; undefined if there is none. @throws 422 for an unknown encoding */
export function decoderOf(encoding: string | undefined) {
  if (encoding === undefined || encoding === 'identity' || encoding === '') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw new KontorError(422, 'content_encoding', `Die Übertragungskodierung „${encoding}“ wird nicht unterstützt.`);
}

/** Returns a file name for display and for guessing the file type: only the last part of any path, never used as a path. */
export function fileNameOf(disposition: string | undefined, url: URL): string {
  const filename = disposition?.match(/filename\*?=(?:UTF-8'')?"?([^";]+)/i)?.[1];
  const last = (filename ?? url.pathname).split(/[\\/]/).pop() ?? '';
  return last === '' ? url.hostname : last.slice(0, 200);
}

/** Returns the authorization header for the user part of an address. */
export function authorizationOf({ username, password }: URL): string {
  const pair = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Decodes a part of an address; one with an unescaped percent sign is taken literally. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the error for a status. A busy or broken server may answer later: when it says, or after a minute. */
export function badStatus({ statusCode: status, headers }: Dispatcher.ResponseData): KontorError {
  const busy = status === 408 || status === 429 || status >= 500;
  const hint = busy ? 'Der Server ist überlastet oder gestört.' : 'Bitte Adresse und Zugangsdaten prüfen.';
  const requested = Number(headers['retry-after']);
  const later = busy ? { retryAfter: requested > 0 ? requested : 60 } : {};
  return new KontorError(422, 'address_status', `Die Adresse antwortet mit HTTP-Status ${status}. ${hint}`, later);
}

/**
 * Returns a response as text, at most `maxBytes` after decoding; 0: nothing is read.
 * @throws the stream's error if the response is cut off
 */
export async function textOf(
  body: Readable,
  encoding: string | readonly string[] | undefined,
  maxBytes: number,
): Promise<string> {
  if (maxBytes === 0) {
    body.on('error', () => undefined).destroy();
    return '';
  }
  const decoder = decoderOf([encoding].flat()[0]);
  const chunks: Buffer[] = [];
  let length = 0;
  // The reader gets the errors of both; if it stops, both end.
  const source = decoder === undefined ? body : pipeline(body, decoder, () => {});
  for await (const part of source as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBytes) throw new KontorError(422, 'too_large', tooLargeText(maxBytes));
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
