import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { largeAnswer } from './large-answer.ts';

const never = new AbortController().signal;

describe('large responses', () => {
  it.each([
    {},
    { data: [] },
    { total: 3, data: [1, 'ü"', null], more: undefined, fields: [{ id: 'f0001' }], last: false },
    { data: Array.from({ length: 1001 }, (_, n) => ({ _id: `A-${n}`, f0001: n })) },
    [],
    [undefined, [], [[1], {}], { a: { b: [{ c: undefined, d: [null] }] } }, new Date(0), { at: new Date(0) }],
    Array.from({ length: 1001 }, (_, n) => ({ value: `A-${n}`, suggestions: [{ id: '1', more: [] }] })),
  ])('are the same JSON as if serialised at once', async (answer) => {
    expect(JSON.parse(await text(await largeAnswer(answer, never)))).toEqual(JSON.parse(JSON.stringify(answer)));
  });

  it.each([
    { data: Array.from({ length: 5000 }, (_, n) => ({ _id: `A-${n}` })) },
    // An explanation: almost everything is nested in one member of one list entry.
    { stages: [{ rules: [{ changes: Array.from({ length: 5000 }, (_, n) => ({ field: `f${n}` })) }] }] },
    Array.from({ length: 5000 }, (_, n) => ({ value: `A-${n}`, suggestions: [{ id: n }] })),
  ])('T22 let other work run between two chunks', async (answer) => {
    let turns = 0;
    const state = { over: false };
    const others = (async () => {
      while (!state.over) {
        await turn();
        turns++;
      }
    })();
    await text(await largeAnswer(answer, never));
    state.over = true;
    await others;
    expect(turns).toBeGreaterThan(20);
  });

  it('T22 write a bounded number of values and amount of text per chunk', async () => {
    const answer = [{ fields: Array.from({ length: 1000 }, () => ({ value: 'ä'.repeat(10_000) })) }];
    for await (const piece of await largeAnswer(answer, never)) expect(String(piece).length).toBeLessThan(100_000);
  });

  it('T22 are refused with advice if they exceed the size limit', async () => {
    const answer = { stages: [{ values: ['x'.repeat(700_000), 'x'.repeat(700_000)] }] };
    const tooLarge = { status: 422, code: 'answer_too_large', message: expect.stringContaining('mehr als 1 MB') };
    await expect(largeAnswer(answer, never, 1024 * 1024)).rejects.toEqual(expect.objectContaining(tooLarge));
    expect((await largeAnswer(answer, never, 2 * 1024 * 1024)).readable).toBe(true);
  });

  it('T22 stop when the client has disconnected', async () => {
    const gone = new AbortController();
    let written = 0;
    const row = { toJSON: () => ++written };
    const answer = await largeAnswer({ data: Array.from({ length: 100_000 }, () => row) }, gone.signal);
    await expect(
      (async () => {
        for await (const piece of answer) if (String(piece).length > 1) gone.abort(new Error('gone'));
      })(),
    ).rejects.toThrow('gone');
    expect(written).toBeLessThan(20_000);
  });
});
