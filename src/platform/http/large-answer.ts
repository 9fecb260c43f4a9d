import { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { unprocessable } from '#platform/errors.ts';

/** Characters, and values, written at a time: both take time. */
const TOGETHER = 64 * 1024;
const VALUES_TOGETHER = 200;
/** Values measured at a time. */
const MEASURED_TOGETHER = 20_000;

/** Most characters in the texts of a response. Beyond that a browser freezes. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/**
 * Returns the JSON of a large response as a stream of chunks, however deep its lists are nested, so that other requests are
 * served in between. It stops when the signal aborts.
 * @throws 422 for a response with more than `most` characters
 */
export async function largeAnswer(
  answer: object,
  signal: AbortSignal,
  most: number = MOST_CHARACTERS,
): Promise<Readable> {
  if (await isLarger(answer, signal, most))
    throw unprocessable(
      'answer_too_large',
      `Die Antwort wäre zu groß: mehr als ${Math.round(most / 1024 / 1024)} MB Text. Bitte grenzen Sie ein, was gefragt wird: weniger Zeilen oder Werte auf einmal, weniger Felder.`,
    );
  return Readable.from(pieces(answer, signal));
}

async function* pieces(answer: object, signal: AbortSignal): AsyncGenerator<string> {
  let text = '';
  let values = 0;
  for (const part of partsOf(answer)) {
    text += part;
    if (text.length < TOGETHER && ++values < VALUES_TOGETHER) continue;
    yield text;
    [text, values] = ['', 0];
    await breathe();
    signal.throwIfAborted();
  }
  yield text;
}

/** Yields the JSON of a value in order; a value without nested lists or objects is one part. */
function* partsOf(value: unknown): Generator<string> {
  if (!isNested(value)) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  let mark = open;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && open === '{') continue;
    yield open === '{' ? `${mark}${JSON.stringify(name)}:` : mark;
    yield* partsOf(member);
    mark = ',';
  }
  yield mark === open ? open + close : close;
}

/** Whether a value is a list, or an object that contains lists or objects. */
const isNested = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' &&
    value !== null &&
    !('toJSON' in value) &&
    Object.values(value).some((member) => typeof member === 'object' && member !== null));

/** Whether the texts of a value have more than `most` characters. */
async function isLarger(answer: object, signal: AbortSignal, most: number): Promise<boolean> {
  const rest: unknown[] = [answer];
  let [sum, measured] = [0, 0];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') {
      sum += value.length;
      if (sum > most) return true;
    } else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) rest.push(member);
    if (++measured % MEASURED_TOGETHER > 0) continue;
    await breathe();
    signal.throwIfAborted();
  }
  return false;
}
