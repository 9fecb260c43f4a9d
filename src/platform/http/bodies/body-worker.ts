import { parentPort } from 'node:worker_threads';
import Fastify from 'fastify';
import { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { readInput, refuseUnstorable } from '#platform/http/read-input.ts';

// Reads large bodies of requests, one after the other, so that the thread that answers everybody does not stand still meanwhile.
const Question = z.object({ id: z.number(), call: z.string(), text: z.string() });

const calls = new Map(Object.values<Call>(api).map((call) => [`${call.method} ${call.path}`, call]));
// The same reader as for small bodies: it refuses names that would change prototypes.
const parser = Fastify().getDefaultJsonParser('error', 'error');
type Parsed = { error: Error | null; body?: unknown };

parentPort?.on('message', (message) => {
  const { id, call, text } = Question.parse(message);
  parentPort?.postMessage({ id, ...answer(calls.get(call), text) });
});

/** The body by its schema; what is wrong with it; or nothing when it is not JSON, which whoever asked then says. */
function answer(call: Call | undefined, text: string) {
  const { error, body } = parse(text);
  if (error !== null || call === undefined) return {};
  try {
    refuseUnstorable(body);
    return { read: { body: readInput(call.body, body, 422) } };
  } catch (failure) {
    if (!(failure instanceof KontorError)) throw failure;
    const { status, code, message, fields } = failure;
    return { refused: { status, code, message, fields: fields ?? [] } };
  }
}

function parse(text: string): Parsed {
  const parsed: Parsed = { error: null };
  // The parser of the framework looks at the text alone, and answers at once.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it does not look at the request
  void parser({} as Parameters<typeof parser>[0], text, (error, body) => {
    parsed.error = error;
    parsed.body = body;
  });
  return parsed;
}
