import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openServer } from '#platform/db/database.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { noMetrics } from '#platform/telemetry/metrics.ts';
import { openStore } from './open-store.ts';
import type { StoreSettings } from './store-settings.ts';

it('a store that does not respond is reported to the operator in German', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-open-store-'));
  // No query is sent to it in this test.
  const database = openServer('postgres://localhost:1/none', () => {});
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  const deps = { database, folder, log: makeLog('silent'), metrics: noMetrics };
  const kept = await openStore(undefined, deps);
  expect(await kept.state()).toEqual({ place: '', refusal: null });
  const settings: StoreSettings = {
    name: 's3://bucket/kontor',
    // No server listens at this port.
    endpoint: 'http://127.0.0.1:1',
    region: 'eu',
    accessKey: 'key',
    secretKey: 'secret',
    bucket: 'bucket',
    prefix: 'kontor/',
    cacheBytes: 1e6,
    redirects: false,
  };
  const opened = await openStore(settings, deps);
  expect(await opened.state()).toEqual({
    place: 's3://bucket/kontor',
    refusal: expect.stringContaining('Dateispeicher'),
  });
  await opened.close();
});
