import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { testDatabaseUrl, testKontor, token } from '../stages/kontor.ts';

describe('the token that the environment names', () => {
  let dataFolder = '';
  let databaseUrl: string | undefined;
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'kontor-own-token-'));
    databaseUrl = await testDatabaseUrl();
  });
  afterAll(() => rm(dataFolder, { recursive: true, force: true }));

  /** Starts with this token in the environment; what the two tokens may then. */
  const startedWith = async (named: string, askedAs: readonly string[]) => {
    const kontor = await testKontor(
      { KONTOR_API_TOKEN: named },
      { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
    );
    try {
      const statuses: number[] = [];
      for (const as of askedAs) statuses.push((await kontor.raw(api.session.path, { as })).status);
      return { statuses, tokens: await kontor.ask(api.tokens, { as: named }) };
    } finally {
      await kontor.close();
    }
  };

  it('M7 holds without an end while it is named, and not any more when another one is', async () => {
    const other = 'another-token-0123456789abcdef';
    const first = await startedWith(token, [token, other]);
    expect(first.statuses).toEqual([200, 401]);
    expect(first.tokens).toMatchObject([{ name: 'KONTOR_API_TOKEN', maker: '', expiresAt: null }]);
    expect((await startedWith(other, [token, other])).statuses).toEqual([401, 200]);
    expect((await startedWith(token, [token, other])).statuses).toEqual([200, 401]);
  });
});
