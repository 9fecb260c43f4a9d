import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { readInput, makeStorable } from '#platform/http/read-input.ts';
import { parseJson } from './read-body.ts';

// Parses large request bodies one after the other, so that the main thread can keep answering requests.
const NICENESS = Math.min(19, getPriority() + 5);
giveWay();

const Question = z.object({ id: z.number(), call: z.string(), text: z.string() });

const calls = new Map(Object.values<Call>(api).map((call) => [`${call.method} ${call.path}`, call]));

parentPort?.on('message', (message) => {
  const { id, call, text } = Question.parse(message);
  parentPort?.postMessage({ id, ...answer(calls.get(call), text) });
});

/** Returns the body parsed by its schema, or its errors; {} if it is not JSON: the main thread then reports that. */
function answer(call: Call | undefined, text: string) {
  const { error, body } = parseJson(text);
  if (error !== null || call === undefined) return {};
  try {
    makeStorable(body);
    return { read: { body: readInput(call, 'body', body) } };
  } catch (failure) {
    if (!(failure instanceof KontorError)) throw failure;
    const { status, code, message, fields } = failure;
    return { refused: { status, code, message, fields: fields ?? [] } };
  }
}

/**
 * Lowers the priority of this thread: large bodies wait a little longer than other requests. On a full machine it gets a third
 * of the time of normal threads.
 */
function giveWay(): void {
  try {
    // A thread id, which Linux accepts as a process id.
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // Not on Linux: the thread keeps the normal priority.
  }
}
