import { describe, expect, it } from 'vitest';
import { KontorError } from './errors.ts';
import { runInThread } from './run-in-thread.ts';

const tooLarge = (cause: unknown) => new KontorError(413, 'too_large', 'Zu groß.', { cause });

/** Returns the address of a module whose thread answers with the result of `work`, the source of a function. */
function moduleOf(work: string): URL {
  const [own, errors] = ['./run-in-thread.ts', './errors.ts'].map((path) => new URL(path, import.meta.url).href);
  const source = `import { answerFromThread } from '${own}'; import { unprocessable } from '${errors}'; answerFromThread(${work});`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}
const run = (work: string, data: unknown, signal = new AbortController().signal) =>
  runInThread(moduleOf(work), data, { signal, tooLarge });

describe('work in a thread of its own (T22)', () => {
  it('answers with the result of its data', async () => {
    expect(await run('({ words }) => words.length', { words: ['a', 'b'] })).toBe(2);
  });

  it('passes on what the work refuses, with its status, code, text and fields', async () => {
    const fields = [{ field: 'zeile', message: 'Fehlt' }];
    const refused = run("(fields) => { throw unprocessable('no_rows', 'Keine Zeilen.', fields); }", fields);
    await expect(refused).rejects.toMatchObject({ status: 422, code: 'no_rows', message: 'Keine Zeilen.', fields });
  });

  it('fails with an error that is no refusal', async () => {
    await expect(run("() => { throw new TypeError('unexpected'); }", null)).rejects.toThrow('unexpected');
  });

  it('says that the work is too large if it takes too much memory', async () => {
    const filling = '() => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)); }';
    await expect(run(filling, null)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('an abort ends a thread that goes on, with the reason of the abort', async () => {
    const abort = new AbortController();
    const running = run('() => { for (;;); }', null, abort.signal);
    abort.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
  });
});
