import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

const never = new AbortController().signal;
const limits = { atOnce: 3, perCompany: 2, perUser: 1, waiting: 3, waitingPerUser: 2 };
const anna = { company: 'A', email: 'anna' };
const arne = { company: 'A', email: 'arne' };
const bert = { company: 'B', email: 'bert' };

/** Work that ends when `ends` is called; `begun` lists what was started, in order. */
function work(turns: ConcurrencyLimiter) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, account: { company: string; email: string }, signal = never) =>
    turns.run(account, signal, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { begun, run, end: (name: string) => ends.get(name)?.() };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('slots for expensive work (T22)', () => {
  it('one per user and two per company run at a time, and the next ones in order of arrival', async () => {
    const { begun, run, end } = work(new ConcurrencyLimiter(limits));
    void run('a1', anna);
    void run('a2', anna);
    void run('a3', arne);
    void run('b1', bert);
    await settle();
    expect(begun).toEqual(['a1', 'a3', 'b1']);
    end('a3');
    await settle();
    expect(begun).toEqual(['a1', 'a3', 'b1']);
    end('a1');
    await settle();
    expect(begun).toEqual(['a1', 'a3', 'b1', 'a2']);
  });

  it('a waiting request that aborts never runs, and one is refused if too many wait', async () => {
    const { begun, run, end } = work(new ConcurrencyLimiter(limits));
    const gone = new AbortController();
    void run('a1', anna);
    const left = run('a2', anna, gone.signal);
    void run('a3', anna);
    await expect(run('a4', anna)).rejects.toMatchObject({ status: 429, code: 'too_many_questions' });
    // Colleagues can use waiting places that one user alone may not take.
    const colleague = new AbortController();
    void run('a5', arne);
    const waits = run('a6', arne, colleague.signal);
    await expect(run('a7', arne)).rejects.toMatchObject({ status: 429, code: 'too_many_questions' });
    colleague.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    end('a1');
    await settle();
    expect(begun).toEqual(['a1', 'a5', 'a3']);
  });
});
