import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lease } from '#platform/db/lease.ts';
import { testKontor, type TestKontor, token } from '../../stages/kontor.ts';

const METRICS_TOKEN = 'kennwort-der-messung-mit-32-zeichen';

const bearer = (value: string) => ({ as: null, headers: { authorization: `Bearer ${value}` } });

describe('access to /metrics', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_METRICS_TOKEN: METRICS_TOKEN });
  });
  afterAll(() => kontor.close());

  it('T18 is open to nobody else: no session, no API token, no guess', async () => {
    for (const value of [token, '', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}x`]) {
      const answer = await kontor.raw('/metrics', bearer(value));
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'metrics_token' } });
    }
    expect((await kontor.raw('/metrics', { as: null, method: 'POST' })).status).toBe(404);
  });

  it('table figures are read by one process at a time, and by another once that one is gone', async () => {
    const lease = (holder: string) => new Lease(kontor.database, { name: 'test', holder, seconds: 60 });
    const [one, other] = [lease('one'), lease('other')];
    expect([await one.take(), await other.take(), await one.take()]).toEqual([true, false, true]);
    await other.release();
    expect(await other.take()).toBe(false);
    await one.release();
    expect([await other.take(), await one.take()]).toEqual([true, false]);
    await kontor.database.kysely
      .updateTable('leases')
      .set({ until: new Date(Date.now() - 1000) })
      .where('name', '=', 'test')
      .execute();
    expect(await one.take()).toBe(true);
    // The lease was taken while the clock was wrong by a day.
    await kontor.database.kysely
      .updateTable('leases')
      .set({ until: new Date(Date.now() + 86_400_000) })
      .where('name', '=', 'test')
      .execute();
    expect(await other.take()).toBe(true);
  });
});
