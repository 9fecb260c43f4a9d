import type { FastifyReply } from 'fastify';
import type { QuestionKind } from '#shared/http/call.ts';
import { KontorError } from '#platform/errors.ts';
import type { Questions, Turn } from './questions.ts';
import type { Principal } from '#platform/http/server.ts';

/**
 * Takes a turn once, whether its body is waited with or the answer. It ends with the work, and where none was begun with the connection's
 * answer: whoever asks and goes again and again has no more work under way than his turns.
 */
export function turnOf(questions: Questions, kind: QuestionKind, principal: Principal, reply: FastifyReply) {
  let turn: Promise<Turn> | undefined;
  return () => {
    if (turn !== undefined) return turn;
    const given = questions.take(kind, { principal, signal: goneSignal(reply) });
    reply.raw.once(
      'close',
      () =>
        void given.then(
          (turn) => turn.inUse || turn.end(),
          () => {},
        ),
    );
    return (turn = given);
  };
}

/** Aborts when the client goes away before its answer is complete. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new KontorError(499, 'gone', 'Die Anfrage wurde abgebrochen.'));
  });
  return controller.signal;
}
