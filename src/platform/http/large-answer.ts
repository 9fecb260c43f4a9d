import { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';

/** Entries of a list that are written at a time. */
const TOGETHER = 200;

/**
 * The JSON of a large answer, written piece by piece: lists a few entries at a time, so that other requests are served in between.
 * It stops when the signal aborts.
 */
export const largeAnswer = (answer: object, signal: AbortSignal): Readable => Readable.from(pieces(answer, signal));

async function* pieces(answer: object, signal: AbortSignal): AsyncGenerator<string> {
  let mark = '{';
  for (const [name, value] of Object.entries(answer) as [string, unknown][]) {
    if (value === undefined) continue;
    yield `${mark}${JSON.stringify(name)}:`;
    mark = ',';
    if (Array.isArray(value)) yield* list(value, signal);
    else yield JSON.stringify(value);
  }
  yield mark === '{' ? '{}' : '}';
}

async function* list(values: readonly unknown[], signal: AbortSignal): AsyncGenerator<string> {
  yield '[';
  for (let at = 0; at < values.length; at += TOGETHER) {
    signal.throwIfAborted();
    const piece = JSON.stringify(values.slice(at, at + TOGETHER)).slice(1, -1);
    yield at === 0 ? piece : `,${piece}`;
    await breathe();
  }
  yield ']';
}
