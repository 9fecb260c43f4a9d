import { once } from 'node:events';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../../seed/random.ts';
import { tools } from '../servers/servers.ts';
import { clientOf } from '../stages/client.ts';
import { fastClock } from '../stages/fast-clock.ts';
import { openTestDatabase } from '../stages/kontor.ts';
import { credentials, csvOf, place, priceRecord, sell, soldItems } from '../stages/repricer/price-chaos.ts';
import { kill, type Program, startProgram } from '../stages/program.ts';

const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
/** Number of articles that are sold from the start, and of those sold only after the clock was set back. */
const [EARLY, LATE] = [30, 10];
const ITEMS = EARLY + LATE;
const soon = { timeout: 200_000, interval: 2000 };
const Body = z.object({ id: z.string(), title: z.string() });

/**
 * The machine's clock, for the program and all its child processes, is set forward and back while it works; the marketplace's
 * clock is right.
 */
describe.skipIf(!existsSync(tools.faketime))('a clock that jumps (needs faketime)', () => {
  let folder: string;
  let program: Program;
  let sandbox: Sandbox;
  const heard: string[] = [];
  const client = clientOf(() => program.url);
  const setClock = (offset: string) => writeFileSync(join(folder, 'clock'), `${offset}\n`);
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const { id, title } = Body.parse(JSON.parse(await text(request)));
    heard.push(`${id} ${title}`);
    response.writeHead(204).end();
  };
  const receiver = createServer((request, response) => void hear(request, response));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-clock-'));
    setClock('+0');
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const clock = `${Date.now()}:1:20`;
    program = await startProgram(join(folder, 'data'), {
      KONTOR_EGRESS_LOOPBACK: '1',
      NODE_ENV: 'test',
      KONTOR_TEST_CLOCK: clock,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
      // Read again each time; monotonic time continues, as on a machine whose clock is set.
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    sandbox = await startSandbox({
      place,
      credentials,
      clock: fastClock(clock),
      chance: seeded(16),
      items: soldItems(ITEMS),
      movesPerSecond: 2,
      rateFactor: 20,
      everyMs: 500,
    });
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await client.ask(api.createWebhook, {}, { name: 'Lager', url, events: ['failed'], active: true });
  });
  afterAll(async () => {
    await kill(program);
    await sandbox.close();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a successful import and a failing one, of which the webhook must be notified once. */
  const work = async (name: string) => {
    const { masterid } = await client.ask(api.createMaster, {}, { name });
    expect(await client.ended(await client.upload(masterid, csvOf(ITEMS, 0.01)))).toMatchObject({ state: 'done' });
    expect(await client.ended(await client.upload(masterid, ''))).toMatchObject({ state: 'failed' });
    await expect.poll(() => heard.filter((one) => one.includes(`„${name}“`)), soon).toHaveLength(1);
    return masterid;
  };
  /** Waits for more prices; in such a market breakers trip, and a user releases them. */
  const morePrices = async (masterid: string, before: number) => {
    const seen = async () => {
      await client.ask(api.releasePrices, { masterid }, { what: 'breakers', reason: 'Test' });
      return sandbox.counters.prices;
    };
    await expect.poll(seen, soon).toBeGreaterThan(before + 2);
  };

  it('F16 an hour forward and back again: jobs, messages and prices continue, and nothing is sent twice', async () => {
    const masterid = await work('Vorher');
    const account = await sell(client, sandbox, masterid, EARLY);
    await morePrices(masterid, 0);
    // Competitors move without any message: the program has to poll.
    await sandbox.advance(120);
    const beforeJump = sandbox.counters.prices;
    setClock('+1h');
    await work('Vor');
    await morePrices(masterid, beforeJump);
    setClock('+0');
    await work('Zurück');
    // Articles polled during the skipped hour are held until that time comes; others get prices at once.
    const beforeLate = sandbox.counters.prices;
    const late = { marketplace: place.marketplace, account, condition: 'new', fulfillment: 'MFN', currency: 'EUR' };
    const listings = Array.from({ length: LATE }, (_, n) => n + EARLY).map((n) => ({
      ...late,
      shipping: 0,
      price: 1500,
      stock: null,
      item: `A-${n}`,
      sku: `S${n}`,
      asin: `B${n}`,
    }));
    await client.ask(api.saveListings, { masterid }, listings);
    await morePrices(masterid, beforeLate);
    await client.ask(api.stopPrices, {}, { stopped: true, reason: 'Ende' });
    expect(new Set(heard).size).toBe(heard.length);
    // On a busy machine a call to the marketplace may fail too, with one notification of its own; it is printed.
    const ofImports = heard.filter((one) => one.includes('Import'));
    if (ofImports.length < heard.length) console.warn(heard);
    expect(ofImports).toHaveLength(3);
    expect(sandbox.counters).toMatchObject({ outside: 0, repeated: 0 });
    await kill(program, 'SIGTERM');
    const database = await openTestDatabase(join(folder, 'data'), undefined);
    const record = await database.system((trx) => priceRecord(trx, sandbox, 0));
    await database.close();
    expect(record).toMatchObject({ outside: 0, repeated: 0, withoutDecision: 0, unexplained: 0 });
  }, 900_000);
});
