import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { sizeText } from '#shared/values/size-text.ts';
import { KontorError } from '#platform/errors.ts';

/** A call of an interface: what is asked, and the answer with its whole text, whatever its status. */
export type EgressRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH';
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  /** Of the answer; 0: it is not read. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
};
export type Exchanged = { status: number; header: (name: string) => string | undefined; text: string };

/** What is said of a file that is larger than it may be. */
export const tooLargeText = (maxBytes: number) =>
  `Die Datei ist größer als ${sizeText(maxBytes)}, mehr wird hier nicht gelesen. Bitte stellen Sie eine kleinere bereit.`;

/** Undoes the coding of a transfer; undefined if there is none. @throws 422 for one that we do not know */
export function decoderOf(encoding: string | undefined) {
  if (encoding === undefined || encoding === 'identity' || encoding === '') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  throw new KontorError(422, 'content_encoding', `Die Übertragungskodierung „${encoding}“ wird nicht unterstützt.`);
}

/** Only the last part of any path, for showing and for guessing the kind of file; never used as a path. */
export function fileNameOf(disposition: string | undefined, url: URL): string {
  const filename = disposition?.match(/filename\*?=(?:UTF-8'')?"?([^";]+)/i)?.[1];
  const last = (filename ?? url.pathname).split(/[\\/]/).pop() ?? '';
  return last === '' ? url.hostname : last.slice(0, 200);
}

/** The header that says who asks, by the user part of an address. */
export function authorizationOf({ username, password }: URL): string {
  const pair = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** A part of an address as it is meant; one that holds a percent sign of its own is meant as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A server that is busy or broken may answer later; it says when, or a minute is as good as any. */
export function badStatus({ statusCode: status, headers }: Dispatcher.ResponseData): KontorError {
  const busy = status === 408 || status === 429 || status >= 500;
  const hint = busy ? 'Der Server ist überlastet oder gestört.' : 'Bitte Adresse und Zugangsdaten prüfen.';
  const requested = Number(headers['retry-after']);
  const later = busy ? { retryAfter: requested > 0 ? requested : 60 } : {};
  return new KontorError(422, 'address_status', `Die Adresse antwortet mit HTTP-Status ${status}. ${hint}`, later);
}

/** An answer as text, at most `maxBytes` after decoding; 0: nothing of it is read. @throws what a cut answer throws */
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
  const source = decoder === undefined ? body : body.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  for await (const part of source as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBytes) throw new KontorError(422, 'too_large', tooLargeText(maxBytes));
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
