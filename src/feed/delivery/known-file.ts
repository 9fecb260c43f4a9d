import type { FastifyReply, FastifyRequest } from 'fastify';

type Dated = { etag: string; createdAt: Date };

/**
 * Says which file it is, and whether whoever asks has it already (RFC 9110, 13.1; the tag comes before the date): then there is nothing to
 * send but the status.
 */
export function isKnown({ headers }: FastifyRequest, reply: FastifyReply, { etag, createdAt }: Dated): boolean {
  reply.header('etag', `"${etag}"`).header('last-modified', createdAt.toUTCString());
  const known = headers['if-none-match'];
  const found =
    known === undefined
      ? isOfSameTime(headers['if-modified-since'], createdAt)
      : known.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${etag}"` || one.trim() === '*');
  if (found) reply.code(304);
  return found;
}

/** Only the very date counts: an older file that was put in force again is none that a channel with the newer one has. */
function isOfSameTime(header: string | undefined, createdAt: Date): boolean {
  return Date.parse(header ?? '') === Math.floor(createdAt.getTime() / 1000) * 1000;
}
