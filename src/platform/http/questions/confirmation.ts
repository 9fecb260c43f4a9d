import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONFIRMED } from '#shared/http/call.ts';
import type { Principal } from '#platform/http/server.ts';
import type { Questions } from './questions.ts';
import { goneSignal, turnOf } from './turn-of-request.ts';

/** For calls that ask back before they do what may be a slip. */
export type Confirmation = {
  /** The call came again, with the header that says that its answer was read. */
  readonly given: boolean;
  /** Finds out what there is to ask, as a question on a catalogue: within its limits, and no longer than its asker is there. */
  readonly look: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
};

export function confirmationOf(
  app: FastifyInstance,
  principal: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): Confirmation {
  const questions = app.getDecorator<Questions>('questions');
  return {
    given: request.headers[CONFIRMED] === '1',
    look: async (work) =>
      questions.ask(await turnOf(questions, 'catalogue', principal, reply)(), goneSignal(reply), work),
  };
}
