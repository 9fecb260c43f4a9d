import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type HashCaller, HashLimiter } from './hash-limiter.ts';

/** Work that ends on request, with the names of the work begun so far. */
function held(turns: HashLimiter) {
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (asker: HashCaller, name: string) =>
    turns.run(asker, () => {
      began.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const endOne = async () => {
    ends.shift()?.();
    await turnOfLoop();
  };
  return { began, ask, endOne };
}

it('two passwords are hashed at once, known users go before strangers, and requests beyond the queue get 503 with the time to wait', async () => {
  const { began, ask, endOne } = held(new HashLimiter(2, 2));
  const asked = [
    ask('stranger', 's1'),
    ask('stranger', 's2'),
    ask('stranger', 's3'),
    ask('stranger', 's4'),
    ask('known', 'k1'),
  ];
  await turnOfLoop();
  expect(began).toEqual(['s1', 's2']);
  await expect(ask('stranger', 's5')).rejects.toMatchObject({ status: 503, code: 'passwords_busy', retryAfter: 5 });
  await endOne();
  expect(began).toEqual(['s1', 's2', 'k1']);
  for (let n = 0; n < 4; n++) await endOne();
  await Promise.all(asked);
  expect(began).toEqual(['s1', 's2', 'k1', 's3', 's4']);
});

it('a failed hash frees its slot', async () => {
  const turns = new HashLimiter(1, 1);
  await expect(turns.run('known', () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
  expect(await turns.run('known', () => Promise.resolve('done'))).toBe('done');
});
