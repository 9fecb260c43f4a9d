import { expect, it } from 'vitest';
import { runEach } from './maintenance-job.ts';

const log = { error: () => {} };

it('a step of the night that fails keeps no later one from running, and is the failure of the whole', async () => {
  const ran: string[] = [];
  const steps = [
    async () => void ran.push('first'),
    () => Promise.reject(new Error('broken')),
    async (company: string) => void ran.push(company),
    () => Promise.reject(new Error('later')),
  ];
  await expect(runEach(steps, 'k1', { signal: new AbortController().signal, log })).rejects.toThrow('broken');
  expect(ran).toEqual(['first', 'k1']);
});

it('a night that is cut off starts no further step', async () => {
  const stop = new AbortController();
  const ran: string[] = [];
  const steps = [async () => stop.abort(new Error('over')), async () => void ran.push('second')];
  await expect(runEach(steps, 'k1', { signal: stop.signal, log })).rejects.toThrow('over');
  expect(ran).toEqual([]);
});
