import Fastify from 'fastify';
import type { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { readInput, makeStorable } from '#platform/http/read-input.ts';
import type { Call } from '#shared/http/call.ts';

// The same parser as for small bodies: it refuses keys that would change prototypes.
const parser = Fastify().getDefaultJsonParser('error', 'error');

/** Parses JSON; returns the body or the error. */
export function parseJson(text: string): { error: Error | null; body?: unknown } {
  const parsed: { error: Error | null; body?: unknown } = { error: null };
  // The framework's parser uses only the text and calls back synchronously.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser does not use the request
  void parser({} as Parameters<typeof parser>[0], text, (error, body) => {
    parsed.error = error;
    parsed.body = body;
  });
  return parsed;
}

/**
 * Parses a call's body from its bytes and checks it against the call's schema; works in any thread.
 * @throws KontorError as for any body
 */
export function readBody<C extends Call & { body: z.ZodType }>(call: C, bytes: Uint8Array): z.output<C['body']> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const { error, body } = text === '' ? { error: null, body: undefined } : parseJson(text);
  if (error !== null) throw new KontorError(400, 'unreadable', 'Die Anfrage ist nicht lesbar.', { cause: error });
  makeStorable(body);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed by this very schema
  return readInput(call, 'body', body) as z.output<C['body']>;
}
