import { expect, it } from 'vitest';
import { SideBySide } from './side-by-side.ts';

const accounts = (...keys: string[]) => new Map(keys.map((key) => [key, key]));

it('an account that is slow delays no other, and is not served twice at the same time', async () => {
  const turns = new SideBySide(1);
  const slow = Promise.withResolvers<number>();
  const served: string[] = [];
  const work = (key: string) => {
    served.push(key);
    return key === 'slow' ? slow.promise : Promise.resolve(1);
  };
  expect(await turns.turn(accounts('slow', 'a', 'b'), work)).toBe(2);
  expect(await turns.turn(accounts('slow', 'a'), work)).toBe(1);
  expect(served).toEqual(['slow', 'a', 'b', 'a']);
  slow.resolve(1);
  await turns.close();
  expect(await turns.turn(accounts('slow'), work)).toBe(1);
});

it('no more than eight are served at the same time, over all turns; the others are served later', async () => {
  const turns = new SideBySide(1);
  const held = Promise.withResolvers<number>();
  const keys = Array.from({ length: 12 }, (_, n) => `account ${n}`);
  let begun = 0;
  const work = () => {
    begun += 1;
    return held.promise;
  };
  await turns.turn(accounts(...keys.slice(0, 5)), work);
  await turns.turn(accounts(...keys), work);
  expect(begun).toBe(8);
  held.resolve(1);
  await turns.close();
  expect(begun).toBe(8);
  expect(await new SideBySide().turn(accounts(...keys), work)).toBe(12);
});

it('accounts that had no turn come before slow ones that had', async () => {
  const turns = new SideBySide(1);
  const keys = [...Array.from({ length: 8 }, (_, n) => `slow ${n}`), 'fast'];
  const served: string[] = [];
  const held = Promise.withResolvers<number>();
  const work = (key: string) => {
    served.push(key);
    return key === 'fast' ? Promise.resolve(1) : held.promise;
  };
  await turns.turn(accounts(...keys), work);
  expect(served).not.toContain('fast');
  held.resolve(1);
  await turns.close();
  await turns.turn(accounts(...keys), work);
  expect(served[8]).toBe('fast');
});
