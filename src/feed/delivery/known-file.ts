import type { FastifyReply, FastifyRequest } from 'fastify';

type Dated = { etag: string; createdAt: Date };

/**
 * Says which file it is, and whether whoever asks has it already (RFC 9110, 13.1; the tag comes before the date): then there is nothing to
 * send but the status, with the tag that he has it by. A weak one is of the file as it was packed on its way.
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

/** Only the very date counts: an older file that was put in force again is none that a channel with the newer one has. */
function isOfSameTime(header: string | undefined, createdAt: Date): boolean {
  return Date.parse(header ?? '') === Math.floor(createdAt.getTime() / 1000) * 1000;
}
