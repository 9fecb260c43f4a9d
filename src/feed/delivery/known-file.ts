import type { FastifyReply, FastifyRequest } from 'fastify';

type Dated = { etag: string; createdAt: Date };

/**
 * Sets ETag and Last-Modified, and returns whether the client already has this file (RFC 9110, 13.1; the tag takes precedence
 * over the date). Then only the status is sent, with the client's own tag. A weak tag means the compressed form of the file.
 */
export function isKnown({ headers }: FastifyRequest, reply: FastifyReply, { etag, createdAt }: Dated): boolean {
  const tag = `"${etag}"`;
  reply.header('etag', tag).header('last-modified', createdAt.toUTCString());
  const known = headers['if-none-match']?.split(',').map((one) => one.trim());
  const found =
    known === undefined
      ? isOfSameTime(headers['if-modified-since'], createdAt)
      : known.some((one) => [tag, `W/${tag}`, '*'].includes(one));
  if (!found) return false;
  if (known?.includes(`W/${tag}`)) reply.header('etag', `W/${tag}`);
  reply.code(304);
  return true;
}

/** Only the exact date counts: after a return to an older file, a channel with the newer one does not have it. */
function isOfSameTime(header: string | undefined, createdAt: Date): boolean {
  return Date.parse(header ?? '') === Math.floor(createdAt.getTime() / 1000) * 1000;
}
