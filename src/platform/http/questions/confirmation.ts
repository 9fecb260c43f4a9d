import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Call, CONFIRMED } from '#shared/http/call.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Questions } from './questions.ts';
import { goneSignal, turnOf } from './turn-of-request.ts';

/** For calls that ask back before they do what may be a slip. */
export type Confirmation = {
  /** The mark that the call came with, of a question that was read. */
  readonly given: string | undefined;
  /** The mark of what is asked about this very call. */
  readonly markOf: (question: string) => string;
  /** Finds out what there is to ask, as a question on a catalogue: within its limits, and no longer than its asker is there. */
  readonly look: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
};

/** Makes marks of a company's texts, which nobody else can make. */
export type MarkText = (company: string, text: string) => string;
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
    // What was agreed to holds for the same call with the same content alone, and only while the same numbers come out.
    markOf: (question) =>
      app.getDecorator<MarkText>('markText')(
        principal.company,
        `confirmation ${JSON.stringify([method, path, params, query, body, question])}`,
      ),
    look: async (work) =>
      questions.ask(await turnOf(questions, 'catalogue', principal, reply)(), goneSignal(reply), work),
  };
}
