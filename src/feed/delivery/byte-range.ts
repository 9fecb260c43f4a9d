import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '#platform/storage/store.ts';

/** Parses a `Range` header for a file of `bytes` bytes; undefined: the whole file, 'none': the range does not exist. */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return start > end ? 'none' : { start, end };
}

/**
 * Sets the range headers for a file whose `etag` header is already set. Returns the range to send, undefined for the whole file,
 * or 'none' if the reply needs no body. A client that knows another version of the file gets the whole file (If-Range).
 */
export function answerRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | 'none' | undefined {
  // Compression removes content-length again.
  reply.header('accept-ranges', 'bytes').header('content-length', String(bytes));
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const range = readRange(request.headers.range, bytes);
  if (range === undefined) return undefined;
  // Ranges count bytes of the file itself, not of its compressed form.
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
