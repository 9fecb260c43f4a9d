import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';

describe("failed jobs on the operator's page", () => {
  let kontor: TestKontor;
  let company: string;
  let other: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    company = (await kontor.ask(api.session)).company.id;
    other = await createCompany(kontor.database, randomIds, systemClock, 'Andere Firma');
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer', { key: 'sku' });
    const body = { name: 'Export', format: { kind: 'csv' as const } };
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body })).id;
  });
  afterAll(() => kontor.close());

  const failed = async (id: string, kind: string, payload: object = {}, of = company) => {
    const row = { company: of, id, kind, subject: `${kind}:${id}`, payload: JSON.stringify(payload) };
    await kontor.database.system((trx) =>
      trx
        .insertInto('jobs')
        .values({ ...row, state: 'failed', finished_at: new Date() })
        .execute(),
    );
    return { company: of, id };
  };
  const retry = (body: object) =>
    kontor.raw(pathOf(api.retryJobs), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const shown = async (id: string) => (await kontor.ask(api.installationUse)).failed.find((job) => job.id === id);
  const events = async () => (await kontor.ask(api.securityLog, { query: { kind: 'operation' } })).events;
  const asJob = async (id: string) => {
    const row = await kontor.database.system((trx) =>
      trx.selectFrom('jobs').select('retried_as').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    return row.retried_as ?? '';
  };

  it('a retry starts a new run; the failed job records who retried it, and the security log has the event', async () => {
    const job = await failed('gescheitert1', 'export', { owner: exportid });
    expect(await shown(job.id)).toMatchObject({ kind: 'export', retryable: true, retried: null });
    expect((await kontor.ask(api.installationUse)).retryable).toMatchObject({ export: 1 });
    expect(await kontor.ask(api.retryJobs, { body: { jobs: [job] } })).toEqual({ started: 1, refused: [] });
    const run = await settled(kontor, await asJob(job.id));
    expect(run).toMatchObject({ state: 'done', startedBy: expect.stringMatching(/ \(Betrieb\)$/) });
    expect(await shown(job.id)).toMatchObject({
      retryable: false,
      retried: { by: run.startedBy, state: 'done' },
    });
    expect((await kontor.ask(api.run, { params: { runid: job.id } })).state).toBe('failed');
    expect((await events())[0]).toMatchObject({
      result: 'done',
      what: api.retryJobs.summary,
      subject: `Meine Firma: Export ${job.id}`,
    });
    expect((await kontor.ask(api.verifySecurityLog)).broken).toBe('');
  });

  it('a job that is no run cannot be cancelled as a run', async () => {
    const night = {
      company,
      id: 'nacht',
      kind: 'maintenance',
      subject: 'nacht',
      payload: '{}',
      state: 'queued' as const,
    };
    await kontor.database.system((trx) =>
      trx
        .insertInto('jobs')
        .values({ ...night, not_before: new Date(Date.now() + 86_400_000) })
        .execute(),
    );
    const { status } = await kontor.raw(pathOf(api.cancelRun, { runid: 'nacht' }), { method: 'POST' });
    const { state } = await kontor.database.system((trx) =>
      trx.selectFrom('jobs').select('state').where('id', '=', 'nacht').executeTakeFirstOrThrow(),
    );
    expect([status, state]).toEqual([404, 'queued']);
  });

  it('of two simultaneous retries one starts the job, the other gets 409', async () => {
    const job = await failed('gescheitert2', 'maintenance');
    const before = (await events()).length;
    const answers = await Promise.all([retry({ jobs: [job] }), retry({ jobs: [job] })]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.text()).toContain('schon erneut gestartet');
    expect((await events()).length).toBe(before + 1);
  });

  it('price jobs, archives, uploaded files and jobs that did not fail are refused with a German sentence', async () => {
    const upload = await failed('gescheitert3', 'import', { owner: 'x', source: 'artikel.csv', options: {} });
    const prices = await failed('gescheitert4', 'prices', { owner: 'x', by: 'x', since: new Date().toISOString() });
    const archive = await failed('gescheitert5', 'company-export');
    for (const job of [upload, prices, archive]) {
      expect(await shown(job.id)).toMatchObject({ retryable: false });
      const answer = await retry({ jobs: [job] });
      expect([job.id, answer.status, await answer.text()]).toEqual([
        job.id,
        409,
        expect.stringMatching(/not_retryable.*lässt sich nicht von hier aus erneut starten/),
      ]);
    }
    const done = await retry({ jobs: [{ company, id: await asJob('gescheitert1') }] });
    expect(done.status).toBe(409);
    expect((await retry({ kind: 'prices' })).status).toBe(409);
    expect((await retry({ jobs: [{ company, id: 'gibtesnicht' }] })).status).toBe(409);
  });

  it('all failed jobs of a kind are retried across companies; one that cannot be retried blocks no other', async () => {
    const gone = await failed('gescheitert6', 'export', { owner: 'gibtesnicht' });
    await failed('gescheitert7', 'export', { owner: exportid });
    await failed('gescheitert8', 'maintenance', {}, other);
    const exports = await kontor.ask(api.retryJobs, { body: { kind: 'export' } });
    expect(exports).toEqual({
      started: 1,
      refused: [{ ...gone, message: expect.stringContaining('gibt es nicht (mehr)') }],
    });
    expect(await kontor.ask(api.retryJobs, { body: { kind: 'maintenance' } })).toEqual({ started: 1, refused: [] });
    await expect.poll(async () => (await shown('gescheitert8'))?.retried?.state).toBe('done');
    expect(await shown('gescheitert8')).toMatchObject({ companyName: 'Andere Firma' });
    expect((await events())[0]).toMatchObject({ subject: 'Andere Firma: Nächtliche Pflege gescheitert8' });
  });

  it('a delivery that was given up is attempted once more', async () => {
    const delivery = { company, id: 'zustellung1', notification: 'n1', channel: 'webhook:fort', event: 'failed' };
    await kontor.database.system(async (trx) => {
      await trx
        .insertInto('deliveries')
        .values({ ...delivery, title: 'Titel', state: 'failed', tries: 8 })
        .execute();
      const notification = { company, id: 'n1', event: 'failed', title: 'Titel', text: 'Text', path: '/' };
      await trx.insertInto('notifications').values(notification).execute();
    });
    const job = await failed('gescheitert9', 'deliver', { delivery: delivery.id });
    expect(await kontor.ask(api.retryJobs, { body: { jobs: [job] } })).toEqual({ started: 1, refused: [] });
    // Its webhook was deleted, which the attempt finds out.
    const state = () =>
      kontor.database.system((trx) =>
        trx.selectFrom('deliveries').select('state').where('id', '=', delivery.id).executeTakeFirst(),
      );
    await expect.poll(async () => (await state())?.state).toBe('dropped');
  });

  it('a delivery whose notification was deleted is refused and stays failed', async () => {
    const delivery = {
      company,
      id: 'zustellung2',
      notification: 'aufgeräumt',
      channel: 'webhook:fort',
      event: 'failed',
    };
    await kontor.database.system((trx) =>
      trx
        .insertInto('deliveries')
        .values({ ...delivery, title: 'Titel', state: 'failed', tries: 8 })
        .execute(),
    );
    const job = await failed('gescheitert11', 'deliver', { delivery: delivery.id });
    await expect(kontor.ask(api.retryJobs, { body: { jobs: [job] } })).rejects.toThrow(
      /409.*Mitteilung wurde inzwischen aufgeräumt/,
    );
    const left = await kontor.database.system((trx) =>
      trx.selectFrom('deliveries').select('state').where('id', '=', delivery.id).executeTakeFirst(),
    );
    expect(left).toEqual({ state: 'failed' });
    expect(await shown(job.id)).toMatchObject({ retried: null });
  });

  it('deliveries of a crashed or cancelled delivery job end as dropped; a summary can be retried once', async () => {
    const waiting = async (id: string, channel: string) => {
      // The hour of its summary has come.
      const created_at = new Date(Date.now() - 2 * 24 * 60 * 60_000);
      const texts = { event: 'failed', title: 'Titel', text: 'Text', path: '/' };
      const notification = { company, id: `n-${id}`, created_at, ...texts };
      const delivery = { company, id, notification: notification.id, channel, event: 'failed', title: 'Titel' };
      await kontor.database.system(async (trx) => {
        await trx.insertInto('notifications').values(notification).execute();
        await trx
          .insertInto('deliveries')
          .values({ ...delivery, state: 'waiting' })
          .execute();
      });
    };
    await waiting('summe1', 'digest');
    await waiting('summe2', 'digest');
    await waiting('abgebrochen1', 'webhook:fort');
    const job = { company, state: 'queued', payload: JSON.stringify({ delivery: 'abgebrochen1' }) } as const;
    await kontor.database.system((trx) =>
      trx
        .insertInto('jobs')
        .values([
          { ...job, id: 'tot1', kind: 'digest', subject: 'deliver:digest', attempts: 3, cancel: false },
          { ...job, id: 'abgebrochen1', kind: 'deliver', subject: 'deliver:webhook:fort', attempts: 0, cancel: true },
        ])
        .execute(),
    );
    const states = () =>
      kontor.database.system(async (trx) => {
        const ids = ['summe1', 'summe2', 'abgebrochen1'];
        const rows = await trx.selectFrom('deliveries').select(['id', 'state']).where('id', 'in', ids).execute();
        return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
      });
    await expect
      .poll(states, { timeout: 15_000 })
      .toEqual({ summe1: 'failed', summe2: 'failed', abgebrochen1: 'dropped' });
    const { notifications } = await kontor.ask(api.notifications);
    expect(notifications.map(({ title }) => title)).toContain('Nicht zugestellt: E-Mail');
    // There are no recipients any more, which the attempt finds out.
    const again = { company, id: 'tot1' };
    expect(await shown('tot1')).toMatchObject({ retryable: true });
    expect(await kontor.ask(api.retryJobs, { body: { jobs: [again] } })).toEqual({ started: 1, refused: [] });
    await expect.poll(states).toEqual({ summe1: 'dropped', summe2: 'dropped', abgebrochen1: 'dropped' });
    // Its content was dropped: a second such job has nothing to send.
    await failed('tot2', 'digest');
    await expect(kontor.ask(api.retryJobs, { body: { jobs: [{ company, id: 'tot2' }] } })).rejects.toThrow(
      /409.*lässt sich nicht wiederholen/,
    );
  });

  it('while jobs are paused no process starts one; afterwards all waiting jobs run', async () => {
    const pause = (paused: boolean) => kontor.ask(api.pauseJobs, { body: { paused } });
    await pause(true);
    expect((await kontor.ask(api.installation)).paused).toMatchObject({ by: expect.any(String) as string });
    const { runid } = await kontor.ask(api.runExport, { params: { id: exportid } });
    await wait(1500);
    expect(await kontor.ask(api.run, { params: { runid } })).toMatchObject({ state: 'queued' });
    await pause(false);
    expect((await kontor.ask(api.installation)).paused).toBeNull();
    expect(await settled(kontor, runid)).toMatchObject({ state: 'done' });
    expect((await events()).slice(0, 2).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('wieder begonnen'),
      expect.stringContaining('angehalten'),
    ]);
  });

  it('a job that the company itself retried is no longer offered', async () => {
    const { id } = await failed('gescheitert10', 'export', { owner: exportid });
    await kontor.ask(api.retryRun, { params: { runid: id } });
    expect(await shown(id)).toMatchObject({
      retryable: false,
      retried: { by: expect.not.stringContaining('Betrieb') },
    });
  });
});
