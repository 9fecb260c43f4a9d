import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '#platform/storage/store.ts';

/** The one part of a file of `bytes` that a header `Range` asks for; undefined: all of it, 'none': there is no such part. */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end ? 'none' : { start, end };
}

/**
 * Sets the headers for what is asked of a file whose `etag` the reply names already, and says which part is to be sent; 'none' where the
 * answer is complete without. A part of another file than the asker knows is no use to him: he gets the whole.
 */
export function answerRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | 'none' | undefined {
  // Taken back where it is packed on its way.
  reply.header('accept-ranges', 'bytes').header('content-length', String(bytes));
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const range = readRange(request.headers.range, bytes);
  if (range === undefined) return undefined;
  // Parts are counted in the bytes of the file, not in packed ones.
  request.headers['x-no-compression'] = '1';
  if (range === 'none') {
    reply.code(416).removeHeader('content-length').header('content-range', `bytes */${bytes}`);
    return range;
  }
  reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
    .header('content-length', String(range.end - range.start + 1));
  return range;
}
