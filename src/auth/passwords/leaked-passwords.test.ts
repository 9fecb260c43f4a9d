import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { isLeaked } from './leaked-passwords.ts';

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof import('node:fs/promises')>();
  return { ...files, readFile: vi.fn(files.readFile) };
});

it('T16 a list of leaked passwords that could not be read once is read with the next password', async () => {
  vi.mocked(readFile).mockRejectedValueOnce(new Error('too many open files'));
  await expect(isLeaked('correcthorsebatterystaple')).rejects.toThrow('too many open files');
  expect([await isLeaked('password1234'), await isLeaked('lampe-wolke-trecker')]).toEqual([true, false]);
  expect(readFile).toHaveBeenCalledTimes(2);
});
