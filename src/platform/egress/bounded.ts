import type { Dispatcher } from 'undici';
import { KontorError } from '#platform/errors.ts';
import type { PaceWatch } from './pace.ts';

const tooLarge = (maxBytes: number) =>
  new KontorError(422, 'too_large', `Die Datei ist größer als ${Math.floor(maxBytes / 1024 ** 2)} MB.`);

/** Yields a response's body in chunks. @throws 422 as soon as its announced or real size exceeds `maxBytes` */
export function bounded({ headers, body }: Dispatcher.ResponseData, maxBytes: number, watch: PaceWatch) {
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    body.on('error', () => undefined).destroy();
    throw tooLarge(maxBytes);
  }
  return parts(body, maxBytes, watch);
}

async function* parts(body: AsyncIterable<Buffer>, maxBytes: number, watch: PaceWatch): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const part of body) {
    length += part.length;
    watch.count(part.length);
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield part;
  }
}
