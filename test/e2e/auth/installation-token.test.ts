import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken } from '#auth/tokens.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { testDatabaseUrl, testKontor, token } from '../../stages/kontor.ts';

describe('the token set in the environment', () => {
  let dataFolder = '';
  let databaseUrl: string | undefined;
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'kontor-own-token-'));
    databaseUrl = await testDatabaseUrl();
  });
  afterAll(() => rm(dataFolder, { recursive: true, force: true }));

  /** Starts the program with this token in the environment; returns what the given tokens may do then. */
  const startedWith = async (named: string, askedAs: readonly string[]) => {
    const kontor = await testKontor(
      { KONTOR_API_TOKEN: named },
      { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
    );
    try {
      const statuses: number[] = [];
      for (const as of askedAs) statuses.push((await kontor.raw(api.session.path, { as })).status);
      // It may make calls that only people may: installations are set up with it.
      const made = await kontor.ask(api.createToken, { body: { name: 'Bericht', role: 'viewer' }, as: named });
      expect(made.maker).toBe('KONTOR_API_TOKEN');
      expect((await kontor.raw(api.session.path, { as: made.token })).status).toBe(200);
      const refused = await kontor.raw(api.createToken.path, { method: 'POST', body: '{}', as: made.token });
      expect(refused.status).toBe(403);
      const all = await kontor.ask(api.tokens, { as: named });
      return { statuses, made: made.token, tokens: all.filter(({ name }) => name !== 'Bericht') };
    } finally {
      await kontor.close();
    }
  };

  it('M7 is valid without an end while it is set, and invalid once another one is set', async () => {
    const other = 'another-token-0123456789abcdef';
    const first = await startedWith(token, [token, other]);
    expect(first.statuses).toEqual([200, 401]);
    expect(first.tokens).toMatchObject([{ name: 'KONTOR_API_TOKEN', maker: '', expiresAt: null }]);
    // Tokens that the former one created become invalid with it, and stay so when it is set again.
    const second = await startedWith(other, [token, other, first.made]);
    expect(second.statuses).toEqual([401, 200, 401]);
    expect(second.tokens).toHaveLength(1);
    expect((await startedWith(token, [token, other, first.made, second.made])).statuses).toEqual([200, 401, 401, 401]);
  });

  it('M7 moves to the company of the administrator configured now, and the tokens it created end', async () => {
    const started = (environment: Record<string, string>) =>
      testKontor(
        { KONTOR_API_TOKEN: token, ...environment },
        { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
      );
    const first = await started({});
    const former = (await first.ask(api.session, { as: token })).company.id;
    const { token: made } = await first.ask(api.createToken, { body: { name: 'Bericht', role: 'viewer' }, as: token });
    await first.close();
    const second = await started({ KONTOR_ADMIN_EMAIL: 'neu@beispiel.de', KONTOR_COMPANY: 'Neue Firma' });
    try {
      expect((await second.ask(api.session, { as: token })).company.id).not.toBe(former);
      expect((await second.raw(api.session.path, { as: made })).status).toBe(401);
      const rows = second.database.system((trx) =>
        trx.selectFrom('api_tokens').select('id').where('company', '=', former).execute(),
      );
      expect(await rows).toEqual([]);
    } finally {
      await second.close();
    }
    const third = await started({});
    try {
      expect((await third.ask(api.session, { as: token })).company.id).toBe(former);
    } finally {
      await third.close();
    }
  });

  it('M7 is the only token without an end: another such row in the database is refused', async () => {
    const kontor = await testKontor(
      { KONTOR_API_TOKEN: token },
      { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
    );
    try {
      const { company } = await kontor.ask(api.session);
      const secret = 'a-row-of-an-earlier-installation';
      const row = { name: 'Alt', role: 'owner', secret, maker: null, makerName: '', expiresAt: new Date() } as const;
      await kontor.database.company(company.id, async (trx) => {
        const id = await addToken(trx, randomIds, company.id, row);
        await trx.updateTable('api_tokens').set({ expires_at: null }).where('id', '=', id).execute();
      });
      expect((await kontor.raw(api.session.path, { as: secret })).status).toBe(401);
      expect((await kontor.raw(api.session.path, { as: token })).status).toBe(200);
    } finally {
      await kontor.close();
    }
  });
});
