import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { largeAnswer } from './large-answer.ts';

const never = new AbortController().signal;

describe('large answers', () => {
  it.each([
    {},
    { data: [] },
    { total: 3, data: [1, 'ü"', null], more: undefined, fields: [{ id: 'f0001' }], last: false },
    { data: Array.from({ length: 1001 }, (_, n) => ({ _id: `A-${n}`, f0001: n })) },
  ])('are the same JSON as if written at once', async (answer) => {
    expect(JSON.parse(await text(largeAnswer(answer, never)))).toEqual(JSON.parse(JSON.stringify(answer)));
  });

  it('T22 let everybody else come in between two pieces', async () => {
    let turns = 0;
    const state = { over: false };
    const others = (async () => {
      while (!state.over) {
        await turn();
        turns++;
      }
    })();
    const data = Array.from({ length: 5000 }, (_, n) => ({ _id: `A-${n}` }));
    await text(largeAnswer({ data }, never));
    state.over = true;
    await others;
    expect(turns).toBeGreaterThan(20);
  });

  it('T22 end when the asker has gone', async () => {
    const gone = new AbortController();
    let written = 0;
    const row = { toJSON: () => ++written };
    const answer = largeAnswer({ data: Array.from({ length: 100_000 }, () => row) }, gone.signal);
    await expect(
      (async () => {
        for await (const piece of answer) if (String(piece).length > 1) gone.abort(new Error('gone'));
      })(),
    ).rejects.toThrow('gone');
    expect(written).toBeLessThan(20_000);
  });
});
