import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { prefetch, severalAtOnce } from './several.ts';

const numbers = Array.from({ length: 20 }, (_, n) => n);

it('several at once process all items, at most four at a time', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  const results = await severalAtOnce(numbers, async (n) => {
    most = Math.max(most, ++running);
    await wait(n % 3);
    done.push(n);
    running--;
    return n * 2;
  });
  expect([done.sort((a, b) => a - b), most]).toEqual([numbers, 4]);
  expect(results).toEqual(numbers.map((n) => n * 2));
});

it('after a failure no more are started, and the error is thrown once the running ones have ended', async () => {
  const [begun, ended]: number[][] = [[], []];
  const all = severalAtOnce(numbers, async (n) => {
    begun?.push(n);
    await wait(n === 1 ? 1 : 20);
    if (n === 1) throw new Error('weg');
    ended?.push(n);
  });
  await expect(all).rejects.toThrow('weg');
  expect([begun, ended]).toEqual([
    [0, 1, 2, 3],
    [0, 2, 3],
  ]);
});

it('results of work started ahead come in order, at most eight ahead, and a failure in its turn', async () => {
  const seen: number[] = [];
  let begun = 0;
  const begin = async (n: number) => {
    begun++;
    await wait((20 - n) % 4);
    if (n === 15) throw new Error('fort');
    return n * 2;
  };
  const all = async () => {
    for await (const [n, double] of prefetch(numbers, begin, async () => {})) {
      expect([double, begun - seen.length <= 8]).toEqual([n * 2, true]);
      seen.push(n);
    }
  };
  await expect(all()).rejects.toThrow('fort');
  expect(seen).toEqual(numbers.slice(0, 15));
});

it('a consumer that fails or stops early leaves no started work unended, neither its own nor that ahead of it', async () => {
  const [begun, ended] = [new Set<number>(), new Set<number>()];
  const begin = async (n: number) => {
    begun.add(n);
    await wait(n % 4);
    if (n === 5) throw new Error('fort');
    return n;
  };
  const end = async (n: number) => {
    ended.add(n);
    if (n === 4) throw new Error('cannot be ended');
  };
  const fails = async () => {
    for await (const [n] of prefetch(numbers, begin, end)) if (n === 2) throw new Error('voll');
  };
  await expect(fails()).rejects.toThrow('voll');
  expect([...begun]).toEqual(numbers.slice(0, 10));
  expect([...ended].sort((a, b) => a - b)).toEqual([2, 3, 4, 6, 7, 8, 9]);
});
