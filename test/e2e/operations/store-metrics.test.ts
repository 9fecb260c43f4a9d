import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deliveryMeter } from '#notifications/delivery-metrics.ts';
import { Undelivered } from '#notifications/deliveries.ts';
import { randomIds } from '#platform/ids.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { FILE_PART } from '#platform/storage/s3/parts.ts';
import { storeMeter } from '#platform/storage/s3/store-metrics.ts';
import { FileCache } from '#platform/storage/file-cache.ts';
import { prometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { api } from '#shared/http/api.ts';
import { hasObjectStore, type ObjectStore, objectStore } from '../../servers/object-store.ts';
import { createDatabase, freePort, postgresPrograms, postgresTemplate } from '../../servers/postgres.ts';
import { accessTo, hasty, makeBucket } from '../../stages/bucket-stage.ts';
import { clientOf } from '../../stages/client.ts';
import { kill, startProgram } from '../../stages/program.ts';

const METRICS_TOKEN = 'kennwort-der-messung-mit-32-zeichen';
/** Returns the value of the series with all of these labels. */
const valueOf = (text: string, name: string, ...labels: string[]) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
async function* bytesOf(content: Uint8Array) {
  yield content;
}

describe('metrics of the local file cache', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kontor-store-metrics-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('count hits, fetches and refusals for lack of room', async () => {
    const metrics = prometheusMetrics();
    const cache = await FileCache.open(join(root, 'cache'), 150, 0);
    cache.measure(metrics);
    expect(await metrics.text()).toContain('kontor_store_cache_lookups_total{outcome="full"} 0');
    const content = Buffer.alloc(100);
    const file = {
      sha256: 'cd00e292c5970d3c5e2f0ffa5171e555bc46bfc4faddfb4a418b6840b86e79a3',
      bytes: content.length,
    };
    const held = [
      await cache.hold(file, 'a', () => bytesOf(content)),
      await cache.hold(file, 'a', () => bytesOf(content)),
    ];
    const other = { sha256: '0'.repeat(64), bytes: 100 };
    await expect(cache.hold(other, 'b', () => bytesOf(content))).rejects.toMatchObject({ code: 'cache_full' });
    for (const { release } of held) release();
    const text = await metrics.text();
    const lookups = ['hit', 'miss', 'full'].map((outcome) =>
      valueOf(text, 'kontor_store_cache_lookups_total', `outcome="${outcome}"`),
    );
    expect(lookups).toEqual([1, 2, 1]);
    const sizes = ['bytes', 'limit_bytes', 'files'].map((name) => valueOf(text, `kontor_store_cache_${name}`));
    expect(sizes).toEqual([100, 150, 1]);
    cache.close();
  });
});

describe('metrics of deliveries', () => {
  it('count deliveries by kind and outcome, without the receiver', async () => {
    const metrics = prometheusMetrics();
    const measured = deliveryMeter(metrics);
    await measured('mail', async () => ({ became: 'sent' }));
    await measured('digest', async () => ({ became: 'dropped' }));
    const refused = () => Promise.reject(new Undelivered('HTTP-Status 500', { ids: ['d1'], channel: 'webhook:w1' }));
    await expect(measured('webhook:w1', refused)).rejects.toThrow('500');
    await expect(measured('webhook:w1', () => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
    const text = await metrics.text();
    for (const [kind, outcome] of [
      ['mail', 'sent'],
      ['digest', 'dropped'],
      ['webhook', 'undelivered'],
      ['webhook', 'error'],
    ] as const)
      expect(valueOf(text, 'kontor_delivery_seconds_count', `kind="${kind}"`, `outcome="${outcome}"`)).toBe(1);
    expect(text).not.toContain('w1');
  });
});

describe.skipIf(!hasObjectStore)('metrics of the bucket (needs root and radosgw)', () => {
  let root: string;
  let server: ObjectStore;
  let bucket: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'kontor-bucket-metrics-'));
    server = await objectStore();
    bucket = await makeBucket(server);
  });
  afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const counted = (access: Parameters<typeof accessTo>[0]) => {
    const metrics = prometheusMetrics();
    const objects = new Bucket(accessTo(access, bucket), hasty, storeMeter(metrics));
    onTestFinished(() => objects.close());
    const count = async (operation: string, outcome: string) =>
      valueOf(
        await metrics.text(),
        'kontor_store_request_seconds_count',
        `operation="${operation}"`,
        `outcome="${outcome}"`,
      );
    return { metrics, objects, count };
  };

  it('count requests by operation and outcome, and the bytes', async () => {
    const { metrics, objects, count } = counted(server);
    const content = randomBytes(2 * FILE_PART + 10);
    const path = join(root, 'large');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    await objects.putFile('C1/M1/large', path);
    await objects.putStream('C1/M1/small', bytesOf(Buffer.from('klein')));
    for await (const _ of objects.read('C1/M1/large'));
    for await (const _ of objects.list(''));
    expect(await objects.sizeOf('C1/M1/fort')).toBeUndefined();
    await objects.delete('C1/M1/small');
    const all = [
      ['begin', 'ok'],
      ['part', 'ok'],
      ['complete', 'ok'],
      ['put', 'ok'],
      ['read', 'ok'],
      ['list', 'ok'],
      ['look', 'absent'],
      ['remove', 'ok'],
    ] as const;
    const counts = [];
    for (const [operation, outcome] of all) counts.push(await count(operation, outcome));
    expect(counts).toEqual([1, 3, 1, 1, 1, 1, 1, 1]);
    const text = await metrics.text();
    expect(valueOf(text, 'kontor_store_bytes_total', 'direction="received"')).toBe(content.length);
    expect(valueOf(text, 'kontor_store_bytes_total', 'direction="sent"')).toBeGreaterThanOrEqual(content.length + 5);
    expect(text).not.toMatch(/C1|large|kontor-[0-9a-f]{16}/);
  });

  it('distinguish an unreachable store from a refusal, and count retries', async () => {
    const away = counted({ ...server, endpoint: `http://127.0.0.1:${await freePort()}` });
    await expect(away.objects.sizeOf('x')).rejects.toMatchObject({ code: 'store_away' });
    expect(await away.count('look', 'away')).toBe(1);
    expect(valueOf(await away.metrics.text(), 'kontor_store_retries_total')).toBe(hasty.attempts - 1);
    const denied = counted({ ...server, secretKey: 'falsch' });
    await expect(denied.objects.delete('x')).rejects.toMatchObject({ code: 'store_refused' });
    expect(await denied.count('remove', 'denied')).toBe(1);
  });

  it.skipIf(postgresPrograms() === undefined)(
    'appear in /metrics of a program with a bucket, are documented, and cover every alert',
    async () => {
      const program = await startProgram(join(root, 'A'), {
        KONTOR_STORE: `s3://${bucket}/programm`,
        S3_ENDPOINT: server.endpoint,
        S3_ACCESS_KEY: server.accessKey,
        S3_SECRET_KEY: server.secretKey,
        DATABASE_URL: await createDatabase(
          process.env['KONTOR_TEST_POSTGRES'] ?? '',
          `store_metrics_${randomIds.id().toLowerCase()}`,
          postgresTemplate,
        ),
        KONTOR_SECRET: 'g'.repeat(40),
        KONTOR_METRICS_TOKEN: METRICS_TOKEN,
        NODE_ENV: 'test',
      });
      onTestFinished(async () => void (await kill(program)));
      const client = clientOf(() => program.url);
      const { masterid } = await client.ask(api.createMaster, {}, { name: 'Tassen' });
      expect(await client.ended(await client.upload(masterid, 'sku;titel\nA-1;Tasse\n'))).toMatchObject({
        state: 'done',
      });
      expect((await client.raw(`/api/masters/${masterid}/items?limit=1`)).status).toBeLessThan(500);
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
      const text = await (await fetch(`${program.url}/metrics`, { headers })).text();
      expect(valueOf(text, 'kontor_store_request_seconds_count', 'operation="put"', 'outcome="ok"')).toBeGreaterThan(0);
      expect(valueOf(text, 'kontor_store_cache_files')).toBeGreaterThan(0);
      expect(text).not.toContain(bucket);
      const known = [...text.matchAll(/^# TYPE (kontor_store_\w+) (\w+)$/gm)].map(([, name = '']) => name);
      expect(known).toHaveLength(7);
      const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
      expect(known.filter((name) => !read('docs/observability.md').includes(`\`${name}\``))).toEqual([]);
      const asked = new Set(read('deploy/prometheus/alerts.yml').match(/\bkontor_store_\w+/g));
      expect([...asked].filter((name) => !known.includes(name.replace(/_count$/, '')))).toEqual([]);
    },
  );
});
