import type { FastifyReply } from 'fastify';
import type { QuestionKind } from '#shared/http/call.ts';
import { KontorError } from '#platform/errors.ts';
import type { Questions, Slot } from './questions.ts';
import type { Principal } from '#platform/http/server.ts';

/**
 * Returns a function that takes the request's turn once, before its body is parsed or before it is answered. The turn ends with
 * the work, or when the response closes if no work has begun: a client that sends requests and disconnects again and again
 * cannot have more work running than it has turns.
 */
export function turnOf(questions: Questions, kind: QuestionKind, principal: Principal, reply: FastifyReply) {
  let slot: Promise<Slot> | undefined;
  return () => {
    if (slot !== undefined) return slot;
    const given = questions.take(kind, { principal, signal: goneSignal(reply) });
    reply.raw.once(
      'close',
      () =>
        void given.then(
          (slot) => slot.inUse || slot.end(),
          () => {},
        ),
    );
    return (slot = given);
  };
}

/** Returns a signal that aborts when the client disconnects before its response is complete, at once if it has left already. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const closed = () => {
    if (!raw.writableFinished) controller.abort(new KontorError(499, 'gone', 'Die Anfrage wurde abgebrochen.'));
  };
  if (raw.closed) closed();
  else raw.once('close', closed);
  return controller.signal;
}
