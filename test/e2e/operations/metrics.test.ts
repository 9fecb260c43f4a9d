import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduleFigures } from '#feed/schedule/schedule-figures.ts';
import { actionFigures } from '#orders/actions/action-figures.ts';
import { backupFigures } from '#operations/backup/backup-figures.ts';
import { saveLastBackup } from '#platform/installation-facts.ts';
import { jobFigures } from '#platform/jobs/job-metrics.ts';
import { priceFigures } from '#repricer/price-figures.ts';
import { api } from '#shared/http/api.ts';
import { admin, masterWith, runExport, testKontor, type TestKontor, token } from '../../stages/kontor.ts';

const METRICS_TOKEN = 'kennwort-der-messung-mit-32-zeichen';
const COMPANY = 'Geheimwaren Krause KG';
/** All labels: none of them can contain a company, a person, an article or an address. */
const labelNames = new Set(
  'connector direction held kind le method migration node operation outcome role route state status subject verdict version'.split(
    ' ',
  ),
);

const bearer = (value: string) => ({ as: null, headers: { authorization: `Bearer ${value}` } });

describe('/metrics of a running program', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportId: string;
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_METRICS_TOKEN: METRICS_TOKEN, KONTOR_COMPANY: COMPANY });
    masterid = await masterWith(kontor, 'sku;titel;preis\nA-1;Hammer;12,50\nA-2;Säge;9,90\nA-2;Säge;9,90\n', {
      key: 'sku',
    });
    exportId = (
      await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal', channel: 'google' } })
    ).id;
    await runExport(kontor, exportId);
    await kontor.raw('/api/masters', { as: 'falsch' });
    await kontor.raw('/gibt/es/nicht?name=Krause');
  });
  afterAll(() => kontor.close());

  const scrape = async () => {
    const answer = await kontor.raw('/metrics', bearer(METRICS_TOKEN));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    return answer.text();
  };
  /** Returns the value of a series with all of these labels. */
  const valueOf = (text: string, name: string, ...labels: string[]) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => labels.every((label) => line.includes(label)))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

  it('reports requests, jobs, rows, queries and the process itself', async () => {
    // A job is counted when its end is stored, and the tables are read after the start.
    await expect.poll(scrape).toContain('\nkontor_price_stops 0\n');
    const ended = async () => valueOf(await scrape(), 'kontor_job_seconds_count', 'outcome="done"');
    await expect.poll(ended).toBeGreaterThanOrEqual(2);
    const text = await scrape();
    expect(valueOf(text, 'kontor_http_request_seconds_count', 'status="401"')).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'kontor_http_request_seconds_count', 'route="none"', 'status="404"')).toBe(1);
    expect(valueOf(text, 'kontor_job_seconds_count', 'kind="import"', 'outcome="done"')).toBe(1);
    expect(valueOf(text, 'kontor_job_seconds_count', 'kind="export"', 'outcome="done"')).toBe(1);
    expect(valueOf(text, 'kontor_import_rows_total', 'outcome="accepted"')).toBe(2);
    expect(valueOf(text, 'kontor_import_rows_total', 'outcome="duplicates"')).toBe(1);
    expect(valueOf(text, 'kontor_export_items_total', 'outcome="written"')).toBe(2);
    expect(valueOf(text, 'kontor_build_info', 'role="all"')).toBe(1);
    expect(valueOf(text, 'kontor_migration_number')).toBeGreaterThanOrEqual(48);
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(valueOf(text, 'nodejs_heap_used_bytes')).toBeGreaterThan(1e6);
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'kontor_price_stops', 'kontor_questions_running'])
      expect(text).toContain(`\n${name} `);
    if (!kontor.database.embedded) expect(valueOf(text, 'kontor_database_connections_open')).toBeGreaterThan(0);
  });

  it('reports the age of the last backup, and nothing if there was none', async () => {
    const now = new Date();
    const undone = new Error('nobody made this backup');
    const looked = kontor.database.system(async (trx) => {
      expect(await backupFigures.read(trx, now)).toEqual({ kontor_backup_age_seconds: [] });
      await saveLastBackup(trx, { file: 'a', bytes: 1 }, new Date(now.getTime() - 3_600_000));
      expect(await backupFigures.read(trx, now)).toEqual({ kontor_backup_age_seconds: [{ labels: {}, value: 3600 }] });
      throw undone;
    });
    await expect(looked).rejects.toBe(undone);
  });

  it('reports the age of waiting jobs, uploads, prices, order actions and due schedules', async () => {
    const { id: company } = (await kontor.ask(api.session)).company;
    const now = new Date();
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
    let read: Record<string, { labels: Record<string, string>; value: number }[]> = {};
    const undone = new Error('the rows must not stay: the program would work with them');
    const looked = kontor.database.system(async (trx) => {
      const job = { company, payload: '{}', kind: 'digest', state: 'queued' as const };
      const jobs = [300, 40].map((age) => ({ ...job, id: `alt${age}`, subject: `alt${age}`, created_at: ago(age) }));
      await trx.insertInto('jobs').values(jobs).execute();
      // No worker could take these: they wait for a running job, for their time, or for an earlier job's next attempt.
      const upload = { ...job, kind: 'upload', created_at: ago(5000) };
      const runs = { state: 'running' as const, taken_at: ago(1), lease_until: new Date(now.getTime() + 30_000) };
      const later = new Date(now.getTime() + 3_000_000);
      await trx
        .insertInto('jobs')
        .values([
          { ...upload, ...runs, id: 'u1', subject: 'upload:1', created_at: ago(6000) },
          { ...upload, id: 'u2', subject: 'upload:1' },
          { ...upload, id: 'u3', subject: 'upload:2', created_at: ago(6000), not_before: later },
          { ...upload, id: 'u4', subject: 'upload:2', in_order: true },
          { ...upload, id: 'u5', subject: 'upload:3', created_at: ago(70) },
        ])
        .execute();
      // A paused account sends nothing and is not polled: its open work waits for its merchant, not for us.
      const account = {
        company,
        master: masterid,
        connector: 'amazon',
        marketplace: 'M1',
        seller_id: 'A1',
        currency: 'EUR',
      };
      await trx
        .insertInto('marketplace_accounts')
        .values([
          { ...account, id: 'kanal', name: 'An', settings: '{}', active: true },
          { ...account, id: 'pausiert', name: 'Aus', settings: '{}', active: false },
        ])
        .execute();
      const action = { company, channel: 'kanal', order_id: 'O-1', body: '{}', created_by: 'Test', not_before: now };
      await trx
        .insertInto('order_actions')
        .values([
          { ...action, id: 'a1', kind: 'ship', action_key: 'a1', state: 'unknown', created_at: ago(200) },
          { ...action, id: 'a2', kind: 'ship', action_key: 'a2', state: 'unknown', created_at: ago(20) },
          {
            ...action,
            id: 'a3',
            channel: 'pausiert',
            kind: 'ship',
            action_key: 'a3',
            state: 'unknown',
            created_at: ago(9000),
          },
        ])
        .execute();
      const price = {
        company,
        master: masterid,
        marketplace: 'M1',
        account: 'kanal',
        sku: 'S',
        decision: 1,
        rule: 'R',
      };
      const cents = {
        currency: 'EUR',
        price_cents: 1,
        min_cents: 1,
        max_cents: 1,
        limits_version: '',
        reached_min: false,
      };
      await trx
        .insertInto('price_submissions')
        .values(
          [9000, 500, 50].map((age) => ({
            ...price,
            ...(age === 9000 ? { account: 'pausiert' } : {}),
            ...cents,
            id: `p${age}`,
            item: `p${age}`,
            state: 'new',
            created_at: ago(age),
          })),
        )
        .execute();
      await trx
        .insertInto('price_breakers')
        .values({ company, master: masterid, id: 'b1', kind: 'many', details: '{}', tripped_at: now })
        .execute();
      await trx
        .insertInto('schedules')
        .values({
          company,
          subject: 'schedule',
          scope: `master:${masterid}`,
          revision: 1,
          next_at: ago(700),
          good_at: now,
        })
        .execute();
      const figures = await Promise.all(
        [jobFigures, actionFigures, priceFigures, scheduleFigures].map((one) => one.read(trx, now)),
      );
      read = Object.assign({}, ...figures);
      throw undone;
    });
    await expect(looked).rejects.toBe(undone);
    const value = (name: string, label: string) =>
      Math.round(read[name]?.find(({ labels }) => Object.values(labels).join(' ').includes(label))?.value ?? -1);
    expect({
      jobs: value('kontor_jobs', 'digest queued'),
      oldestJob: value('kontor_jobs_oldest_seconds', 'digest queued'),
      uploads: value('kontor_jobs', 'upload queued'),
      oldestUpload: value('kontor_jobs_oldest_seconds', 'upload queued'),
      actions: value('kontor_order_actions', 'unknown'),
      oldestAction: value('kontor_order_actions_oldest_seconds', 'unknown'),
      prices: value('kontor_price_outbox', 'new'),
      oldestPrice: value('kontor_price_outbox_oldest_seconds', 'new'),
      held: value('kontor_price_breakers_open', 'many'),
      late: value('kontor_schedules_due_seconds', 'schedule'),
    }).toEqual({
      jobs: 2,
      oldestJob: 300,
      uploads: 4,
      oldestUpload: 70,
      actions: 3,
      oldestAction: 200,
      prices: 3,
      oldestPrice: 500,
      held: 1,
      late: 700,
    });
  });

  it('T18 names no company, no person, no catalogue, no article and no address', async () => {
    const text = await scrape();
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name));
    expect([...labels].filter((name) => !labelNames.has(name))).toEqual([]);
    const { rows } = await kontor.database.kysely
      .selectFrom('organization')
      .select(['id', 'name', 'slug'])
      .execute()
      .then((found) => ({ rows: found.flatMap((row) => Object.values(row)) }));
    const foreign = [
      ...rows,
      COMPANY,
      'Krause',
      admin.email,
      token,
      masterid,
      exportId,
      'A-1',
      'Hammer',
      'Testkatalog',
      '127.0.0.1',
    ];
    expect(foreign.filter((word) => word !== null && text.includes(word))).toEqual([]);
    expect(text).not.toMatch(/[\w.]+@[\w.]+/);
  });

  it('has every figure that an alert uses, and the documents describe each', async () => {
    const text = await scrape();
    const known = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
    const suffixes = known.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name],
    );
    const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const asked = new Set(read('deploy/prometheus/alerts.yml').match(/\b(?:kontor|nodejs|process)_\w+/g));
    // The embedded database has only one connection, and a bucket's metrics are tested in store-metrics.test.ts.
    const absent = kontor.database.embedded ? /^kontor_(database_connections|store_)/ : /^kontor_store_/;
    expect([...asked].filter((name) => !suffixes.includes(name) && !absent.test(name))).toEqual([]);
    const documented = read('docs/observability.md');
    expect(known.filter(({ name }) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it('a job stores the trace of the request that ordered it', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const answer = await kontor.raw(`/api/exports/${exportId}/run`, {
      method: 'POST',
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    });
    expect(answer.status).toBe(200);
    const { runid } = (await answer.json()) as { runid: string };
    const row = await kontor.database.system((trx) =>
      trx.selectFrom('jobs').select('trace').where('id', '=', runid).executeTakeFirst(),
    );
    expect(row?.trace).toBe(trace);
  });
});
