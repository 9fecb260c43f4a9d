import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { type Call, pathOf } from '#shared/http/call.ts';
import { holdOutgoing } from '#platform/installation-facts.ts';
import { createCompany } from '#auth/auth.ts';
import { operatingCompany } from '#operations/operator.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { admin, masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const json = { 'content-type': 'application/json' };

describe("the operator's page", () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } });
    await runExport(kontor, id);
  });
  afterAll(() => kontor.close());

  it('only an owner of the first company sees and releases the installation', async () => {
    await kontor.database.system((trx) => holdOutgoing(trx, '2026-01-01T00:00:00.000Z', new Date()));
    const { token } = await kontor.ask(api.createToken, { body: { name: 'Verwaltung', role: 'admin' } });
    const { installation, installationUse, cancelJob, pauseJobs, retryJobs, drainProcess, releaseOutgoing } = api;
    const bodies = new Map<Call, unknown>([
      [retryJobs, { kind: 'export' }],
      [pauseJobs, { paused: true }],
      [drainProcess, { name: 'x', drained: true }],
    ]);
    const calls = [installation, installationUse, cancelJob, pauseJobs, retryJobs, drainProcess, releaseOutgoing];
    for (const call of calls) {
      const path = pathOf(call, { company: 'x', id: 'x' });
      const body = bodies.has(call) ? { body: JSON.stringify(bodies.get(call)), headers: json } : {};
      const refused = await kontor.raw(path, { method: call.method, as: token, ...body });
      const code = call === releaseOutgoing ? 'people_only' : 'operator_only';
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(code)]);
    }
    expect((await kontor.ask(api.installation)).hold).not.toBeNull();
    await kontor.ask(api.releaseOutgoing);
  });

  it('an address that belongs to no member makes no tenant the operator', async () => {
    const { id: company } = (await kontor.ask(api.session)).company;
    const operators = async () =>
      Promise.all(['weg@beispiel.de', undefined, admin.email].map((email) => operatingCompany(kontor.database, email)));
    expect(await operators()).toEqual([company, company, company]);
    const tenant = await createCompany(kontor.database, randomIds, systemClock, 'Mieter');
    expect(await operators()).toEqual([undefined, company, company]);
    await kontor.database.kysely.deleteFrom('organization').where('id', '=', tenant).execute();
  });

  it("the operator sees each company's usage and running jobs, and cancels a job", async () => {
    const { id: company } = (await kontor.ask(api.session)).company;
    const row = { company, subject: 'x', payload: '{}', lease_until: new Date(Date.now() + 600_000) };
    await kontor.database.system((trx) =>
      trx
        .insertInto('jobs')
        .values([
          { ...row, id: 'laeuft1', kind: 'import', state: 'running', started_at: new Date(), worker: 'anderswo' },
          { ...row, id: 'alt1', kind: 'export', state: 'failed', finished_at: new Date() },
        ])
        .execute(),
    );
    const use = await kontor.ask(api.installationUse);
    expect(use.jobs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'import', state: 'running', count: 1 }),
        expect.objectContaining({ kind: 'export', state: 'failed', count: 1 }),
      ]),
    );
    expect(use.running).toMatchObject([{ id: 'laeuft1', kind: 'import', cancelling: false }]);
    expect(use.processes).toMatchObject([
      { name: expect.stringMatching(/.\/\d+$/), role: 'all', answers: true, running: 0, drained: null },
    ]);
    expect([use.store, use.marketplaces]).toEqual([{ place: '', refusal: null }, []]);
    const own = use.companies.find(({ id }) => id === company);
    expect(own).toMatchObject({ catalogues: 1, exports: 1 });
    expect(own?.bytes).toBeGreaterThan(1000);
    expect(use.companiesTotal).toBe(use.companies.length);
    expect([use.database.bytes > 1_000_000, use.disk.free > 0, use.program]).toEqual([
      true,
      true,
      expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{8}$/),
    ]);
    await kontor.ask(api.cancelJob, { params: { company, id: 'laeuft1' } });
    expect((await kontor.ask(api.installationUse)).running).toMatchObject([{ id: 'laeuft1', cancelling: true }]);
    await kontor.database.system((trx) => trx.deleteFrom('jobs').where('id', 'in', ['laeuft1', 'alt1']).execute());
  });
});
