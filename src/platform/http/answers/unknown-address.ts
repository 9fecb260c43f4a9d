import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';

type Known = { readonly parts: readonly string[]; readonly methods: readonly string[] };

/** Whether a path fits a route such as `/api/rule/:masterid`; a parameter matches any text but ''. */
const isMeant = ({ parts }: Known, segments: readonly string[]): boolean =>
  parts.length === segments.length &&
  parts.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]));

/**
 * Returns a function that makes the error for an unknown address, or for a known one with another method, naming the allowed
 * methods. Call it before any route is added. Only routes of API calls are named; the existence of others is not revealed.
 */
export function unknownAddress(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => KontorError {
  const known: Known[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config !== undefined && 'call' in config) known.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return ({ url, method }, reply) => {
    const segments = url.replace(/\?.*$/su, '').split('/');
    const methods = new Set(known.flatMap((one) => (isMeant(one, segments) ? one.methods : [])));
    if (methods.size === 0 || methods.has(method))
      return new KontorError(404, 'not_found', 'Diese Adresse gibt es nicht.');
    const taken = [...methods].toSorted().join(', ');
    reply.header('allow', taken);
    return new KontorError(
      405,
      'wrong_method',
      `Diese Adresse nimmt ${method} nicht an, nur ${taken}. Es wurde nichts geändert.`,
    );
  };
}
