import Fastify from 'fastify';
import type { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { readInput, makeStorable } from '#platform/http/read-input.ts';
import type { Call } from '#shared/http/call.ts';

// The same reader as for small bodies: it refuses names that would change prototypes.
const parser = Fastify().getDefaultJsonParser('error', 'error');

/** What a text of JSON says. */
export function parseJson(text: string): { error: Error | null; body?: unknown } {
  const parsed: { error: Error | null; body?: unknown } = { error: null };
  // The parser of the framework looks at the text alone, and answers at once.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it does not look at the request
  void parser({} as Parameters<typeof parser>[0], text, (error, body) => {
    parsed.error = error;
    parsed.body = body;
  });
  return parsed;
}

/** The body of a call from its bytes, checked by the call's schema, on whatever thread this is. @throws KontorError as for any body */
export function readBody<C extends Call & { body: z.ZodType }>(call: C, bytes: Uint8Array): z.output<C['body']> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const { error, body } = text === '' ? { error: null, body: undefined } : parseJson(text);
  if (error !== null) throw new KontorError(400, 'unreadable', 'Die Anfrage ist nicht lesbar.', { cause: error });
  makeStorable(body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was just read by this schema
  return readInput(call, 'body', body) as z.output<C['body']>;
}
