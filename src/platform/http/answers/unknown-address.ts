import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KontorError } from '#platform/errors.ts';

type Known = { readonly parts: readonly string[]; readonly methods: readonly string[] };

/** `/api/rule/:masterid`: between the slashes anything may stand for a name. */
const isMeant = ({ parts }: Known, asked: readonly string[]): boolean =>
  parts.length === asked.length &&
  parts.every((part, at) => (part.startsWith(':') ? asked[at] !== '' : part === asked[at]));

/**
 * The refusal of an address that there is not, or that takes other methods, which are named then. To be called before any route is added.
 * Of calls alone: what else there is stays untold.
 */
export function unknownAddress(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => KontorError {
  const known: Known[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config !== undefined && 'call' in config) known.push({ parts: url.split('/'), methods: [method].flat() });
  });
  return ({ url, method }, reply) => {
    const asked = url.replace(/\?.*$/su, '').split('/');
    const methods = new Set(known.flatMap((one) => (isMeant(one, asked) ? one.methods : [])));
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
