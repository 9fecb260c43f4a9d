import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Call, CONFIRMED } from '#shared/http/call.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Questions } from './questions.ts';
import { goneSignal, turnOf } from './turn-of-request.ts';

/** For calls that request a confirmation before doing what may be a mistake. */
export type Confirmation = {
  /** Hash of the confirmation text that the user has agreed to, sent with the call; undefined if none was sent. */
  readonly given: string | undefined;
  /** Returns the hash of a confirmation text for this very call. */
  readonly markOf: (question: string) => string;
  /** Computes what must be confirmed, within the limits of catalogue questions, and only while the client is connected. */
  readonly look: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
};

/** Returns a keyed hash of a company's text, which nobody else can compute. */
export type KeyedHash = (company: string, text: string) => string;
type Input = {
  principal: Principal;
  params: unknown;
  query: unknown;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

export function confirmationOf(
  app: FastifyInstance,
  { method, path }: Call,
  { principal, params, query, body, request, reply }: Input,
): Confirmation {
  const questions = app.getDecorator<Questions>('questions');
  const given = request.headers[CONFIRMED];
  return {
    given: typeof given === 'string' ? given : undefined,
    // A confirmation is valid only for the same call with the same content, and only while the same numbers result.
    markOf: (question) =>
      app.getDecorator<KeyedHash>('markText')(
        principal.company,
        `confirmation ${JSON.stringify([method, path, params, query, body, question])}`,
      ),
    look: async (work) =>
      questions.ask(await turnOf(questions, 'catalogue', principal, reply)(), goneSignal(reply), work),
  };
}
