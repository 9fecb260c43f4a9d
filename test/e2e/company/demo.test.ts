import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { createCompany } from '#auth/auth.ts';
import { dataTables } from '#company/company-data.ts';
import { EXAMPLES_JOB, hasExamples, removeExamples } from '#company/examples.ts';
import { systemClock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { giveToken } from '../../stages/company-token.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const otherToken = 'token-of-another-company-0123';
const decision = (company: string) => {
  const what = { company, master: 'm', marketplace: 'DE', item: 'A', product_id: 'B', cause: 'offers', body: '{}' };
  const basis = { rule_revision: 1, snapshot: 1, limits_version: '1', reason: 'STANDARD', verdict: 'none' as const };
  return { ...what, ...basis, decided_at: new Date() };
};

describe('the demo company', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_DEMO: '1' });
  });
  afterAll(() => kontor.close());

  it('starts with orders, a file that waits for a release, and items with errors', { timeout: 120_000 }, async () => {
    const exports = async () => (await kontor.ask(api.masters)).flatMap((master) => master.exports);
    await expect.poll(async () => (await exports()).length, { timeout: 60_000 }).toBe(2);
    const [feed] = await exports();
    const id = feed?.id ?? '';
    const loaded = () => kontor.ask(api.export, { params: { id } });
    await expect.poll(async () => (await loaded()).lastRun?.state, { timeout: 90_000 }).toBe('blocked');
    const { settings, file, readiness, pullPath } = await loaded();
    expect(settings.name).toBe('Google Shopping DE');
    expect(file).not.toBeNull();
    // The brands and categories of the export's tables are in its file.
    const delivered = await (await kontor.raw(pullPath, { as: null })).text();
    expect(delivered.match(/<g:brand>(?!<\/)/g)?.length).toBeGreaterThan(1000);
    expect(delivered.match(/<g:google_product_category>(?!<\/)/g)?.length).toBeGreaterThan(1000);
    expect(readiness?.errors).toBeGreaterThan(0);
    expect(readiness?.errors).toBeLessThan((readiness?.items ?? 0) / 2);

    const counters = await kontor.ask(api.orderCounters);
    expect(counters).toMatchObject({ open: 8, overdue: 1, cancel_requests: 1 });
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const rows = await kontor.ask(api.orderStatistic, { body: { start: day(60), end: day(1) } });
    expect(new Set(rows.map(({ _id }) => _id.marketplaceChannelName)).size).toBe(2);
    const { buyboxdata } = await kontor.ask(api.repricerStatistic, { body: { start: day(20), end: day(1) } });
    expect(buyboxdata.buyboxstat[0]?.daten.length).toBeGreaterThan(400);
  });

  it(
    'its examples are removed in one call with files and running jobs; other companies and sign-ins stay',
    { timeout: 180_000 },
    async () => {
      // A demo of its own: the examples can be removed only once, and this test may be tried again.
      const kontor = await testKontor({ KONTOR_DEMO: '1' });
      onTestFinished(() => kontor.close());
      const exports = async () => (await kontor.ask(api.masters)).flatMap((master) => master.exports);
      await expect.poll(async () => (await exports()).length, { timeout: 60_000 }).toBe(2);
      const { database } = kontor;
      const [own] = await database.system((trx) => trx.selectFrom('masters').select('company').execute());
      const company = own?.company ?? '';
      const other = await createCompany(database, randomIds, systemClock, 'Andere Firma');
      await giveToken(database, other, otherToken);
      await database.company(other, async (trx) => {
        await trx.insertInto('masters').values({ company: other, id: 'fremd', name: 'Fremder Katalog' }).execute();
        await trx.insertInto('price_decisions').values(decision(other)).execute();
      });
      const folderOf = (id: string) => join(kontor.dataFolder, 'items', id);
      await mkdir(folderOf(other), { recursive: true });
      await writeFile(join(folderOf(other), 'bleibt'), '');
      await database.company(company, async (trx) => {
        await trx.insertInto('price_decisions').values(decision(company)).execute();
        const seal = { company, number: 999, from_id: 0, to_id: 1, decisions: 1, hash: 'x', sealed_at: new Date() };
        await trx.insertInto('decision_seals').values(seal).execute();
      });
      expect(await kontor.ask(api.examples)).toEqual({ present: true });
      const [master] = await kontor.ask(api.masters);
      const masterid = master?.masterid ?? '';

      // Prices of a real account must stay provable.
      const account = { name: 'Eigenes', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9' as const };
      const { id } = await kontor.ask(api.createMarketplaceAccount, { body: account });
      const refused = await kontor.raw('/api/examples', { method: 'DELETE' });
      expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('own_account')]);
      expect(await kontor.ask(api.masters)).toHaveLength(1);
      await kontor.ask(api.deleteMarketplaceAccount, { params: { id } });

      await kontor.ask(api.runExport, { params: { id: master?.exports[1]?.id ?? '' } });
      expect(await readdir(folderOf(company))).toContain(masterid);
      expect(await kontor.ask(api.removeExamples)).toEqual({ ok: true });
      for (const table of dataTables) {
        const { rows } = await database.company(company, (trx) =>
          pg`select company from ${pg.table(table)} where company = ${company} limit 1`.execute(trx),
        );
        expect([table, rows]).toEqual([table, []]);
      }
      await expect(access(folderOf(company))).rejects.toThrow('ENOENT');
      expect(await kontor.ask(api.masters)).toEqual([]);
      expect(await kontor.ask(api.examples)).toEqual({ present: false });
      expect((await kontor.ask(api.members)).length).toBe(1);
      expect((await kontor.raw('/api/examples', { method: 'DELETE' })).status).toBe(404);

      expect(await kontor.ask(api.masters, { as: otherToken })).toMatchObject([{ name: 'Fremder Katalog' }]);
      expect(await readdir(folderOf(other))).toEqual(['bleibt']);
      expect((await kontor.raw('/api/examples', { method: 'DELETE', as: otherToken })).status).toBe(403);
      expect((await kontor.raw('/api/examples', { method: 'DELETE' })).status).toBe(404);
      await expect(
        database.company(other, async (trx) => {
          await pg`select set_config('kontor.examples_go', ${other}, true)`.execute(trx);
          await pg`delete from price_decisions where company = ${other}`.execute(trx);
        }),
      ).rejects.toThrow(/kept/);

      const fresh = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
      const { id: first } = await kontor.ask(api.createExport, { params: { masterid: fresh }, body: { name: 'Neu' } });
      expect((await runExport(kontor, first)).run.state).toBe('done');
    },
  );

  it('its examples are removed although the store fails to delete the files', async () => {
    const { database } = kontor;
    const company = await createCompany(database, randomIds, systemClock, 'Dritte Firma');
    await database.company(company, async (trx) => {
      const payload = JSON.stringify({ account: 'konto' });
      await trx
        .insertInto('jobs')
        .values({ company, id: 'geschichte', ...EXAMPLES_JOB, state: 'done', payload })
        .execute();
    });
    const left: string[] = [];
    const removeBelow = (folder: string) => {
      left.push(folder);
      return Promise.reject(new Error('the store is away'));
    };
    const deps = {
      database,
      jobs: { cancel: () => Promise.reject(new Error('nothing runs')) } as unknown as Jobs,
      storagePaths: { company: (id: string) => `/daten/${id}`, store: { removeBelow } },
      stopDemoMarket: () => Promise.resolve(),
      log: makeLog('silent'),
    };
    await removeExamples(deps, company, () => Promise.resolve());
    expect(left).toEqual([`/daten/${company}`]);
    expect(await hasExamples(deps, company)).toBe(false);
  });
});
