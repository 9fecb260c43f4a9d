import { expect, it } from 'vitest';
import { despiteFailures } from './despite-failures.ts';

it('work that fails keeps none of the later work from being done, and is the failure of the whole', async () => {
  const done: string[] = [];
  const failed: string[] = [];
  const work = async (item: string) => {
    if (item.startsWith('broken')) throw new Error(item);
    done.push(item);
  };
  const all = despiteFailures(['first', 'broken 1', 'second', 'broken 2'], work, {
    signal: new AbortController().signal,
    failed: (error, item) => failed.push(`${item}: ${String(error)}`),
  });
  await expect(all).rejects.toThrow('broken 1');
  expect(done).toEqual(['first', 'second']);
  expect(failed).toEqual(['broken 1: Error: broken 1', 'broken 2: Error: broken 2']);
});

it.each([false, true])(
  'work that is cut off starts nothing more, and that is no failure (it throws: %s)',
  async (throws) => {
    const stop = new AbortController();
    const begun: number[] = [];
    const failed: unknown[] = [];
    const work = async (item: number) => {
      begun.push(item);
      stop.abort(new Error('over'));
      if (throws) throw new Error('cut off');
    };
    const all = despiteFailures([1, 2], work, { signal: stop.signal, failed: (error) => failed.push(error) });
    await expect(all).rejects.toThrow('over');
    expect([begun, failed]).toEqual([[1], []]);
  },
);
