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

// Reads large bodies of requests, one after the other, so that the thread that answers everybody does not stand still meanwhile.
const NICENESS = Math.min(19, getPriority() + 5);
giveWay();

const Question = z.object({ id: z.number(), call: z.string(), text: z.string() });

const calls = new Map(Object.values<Call>(api).map((call) => [`${call.method} ${call.path}`, call]));

parentPort?.on('message', (message) => {
  const { id, call, text } = Question.parse(message);
  parentPort?.postMessage({ id, ...answer(calls.get(call), text) });
});

/** The body by its schema; what is wrong with it; or nothing when it is not JSON, which whoever asked then says. */
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

/** Whoever sends megabytes waits a little longer than those who do not: on a full machine the thread gets a third of their time. */
function giveWay(): void {
  try {
    // The number of a thread, which Linux takes as that of a process.
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS);
  } catch {
    // No Linux: it works as the others.
  }
}
