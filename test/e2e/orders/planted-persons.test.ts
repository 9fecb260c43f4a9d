import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { requestBackup } from '#operations/backup/local-command.ts';
import type { Database } from '#platform/db/database.ts';
import { api } from '#shared/http/api.ts';
import { seeded } from '../../../seed/random.ts';
import { clientOf, signedIn } from '../../stages/client.ts';
import { fastClock } from '../../stages/fast-clock.ts';
import { admin, openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';
import {
  columnsHolding,
  columnsWithPersons,
  filesWithPersons,
  holdsPerson,
  plantedPerson,
} from '../../stages/orders/planted-persons.ts';
import { credentials, place } from '../../stages/repricer/price-chaos.ts';
import { kill, startProgram, type Program } from '../../stages/program.ts';

const patience = { timeout: 60_000, interval: 200 };
const today = new Date().toISOString().slice(0, 10);
const order = (orderid: string, number: number, sku: string) => ({
  orderid,
  placed_at: new Date(Date.now() - 3_600_000).toISOString(),
  persons: { buyer: plantedPerson(number), delivery: plantedPerson(number + 1), invoice: plantedPerson(number + 2) },
  lines: [{ productid: `${orderid}-1`, sku, ordered: 2, unit_cents: 1500 }],
});
const csv = `Bestellnummer;Bestelldatum;Artikelnummer;Menge;Einzelpreis;Empfänger;Straße;PLZ;Ort
D-1;${today} 08:00;A-1;1;15,00;${plantedPerson(7).name};${plantedPerson(7).lines[0]};00000;${plantedPerson(7).city}
D-2;kein Datum;A-1;1;15,00;${plantedPerson(8).name};${plantedPerson(8).lines[0]};00000;${plantedPerson(8).city}
`;

/** One process imports, works and erases orders of fictitious persons; then everything that it leaves is searched. */
describe('planted personal data', () => {
  let folder: string;
  let databaseUrl: string | undefined;
  let program: Program | undefined;
  let sandbox: Sandbox;
  let masterid: string;
  let channel: string;
  const told: string[] = [];
  const listening = new AbortController();
  const client = clientOf(() => program?.url ?? 'http://127.0.0.1:9');
  /** Records every answer: only those about persons may contain any. */
  const open = async (path: string, init: RequestInit = {}) => {
    const answer = await client.raw(path, init);
    const text = await answer.text();
    told.push(text);
    return { status: answer.status, text };
  };
  const post = (path: string, body: unknown) =>
    open(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const listed = async () => {
    const { text } = await open('/api/orders?filter=alle&limit=100');
    return (JSON.parse(text) as { rows: { orderid: string; channel: string }[] }).rows;
  };

  const start = (more: Record<string, string> = {}) =>
    startProgram(join(folder, 'data'), {
      KONTOR_EGRESS_LOOPBACK: '1',
      NODE_ENV: 'test',
      KONTOR_LOG: 'debug',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...more,
    });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-planted-'));
    databaseUrl = await testDatabaseUrl();
    const clock = `${Date.now()}:10:0`;
    program = await start({ KONTOR_TEST_CLOCK: clock });
    ({ masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' }));
    await client.ended(await client.upload(masterid, 'sku;titel\nA-1;Hammer\nA-2;Zange'));
    sandbox = await startSandbox({
      place,
      credentials,
      clock: fastClock(clock),
      chance: seeded(5),
      items: [{ sku: 'A-2', asin: 'B2', cents: 1500, minCents: 1000, maxCents: 2000 }],
      rateFactor: 100,
      everyMs: 200,
      deliver: async (messages) => {
        await client.ask(api.takeOffers, { masterid }, messages);
      },
    });
    ({ id: channel } = await client.ask(api.createExport, { masterid }, { name: 'Laden' }));
    await client.ask(
      api.createMarketplaceAccount,
      {},
      {
        ...place,
        masterid,
        name: 'Sandbox',
        settings: { ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl },
        active: true,
      },
    );
    for (const path of ['/api/live', `/notify/notify/${masterid}`]) void listen(path);
  }, 120_000);
  afterAll(async () => {
    listening.abort();
    await sandbox.close();
    if (program !== undefined) await kill(program);
    rmSync(folder, { recursive: true, force: true });
  });

  async function listen(path: string): Promise<void> {
    const answer = await client.raw(path, { signal: listening.signal });
    try {
      for await (const part of answer.body ?? []) told.push(Buffer.from(part).toString());
    } catch {
      // The test is over.
    }
  }

  it('is found as text, in base64, compressed and in a file', () => {
    const text = JSON.stringify(plantedPerson(1));
    for (const before of ['', 'x', 'xx']) expect(holdsPerson(Buffer.from(btoa(`${before}Kanari Vogel`)))).toBe(true);
    expect([text, gzipSync(text), 'nichts'].map((one) => holdsPerson(Buffer.from(one)))).toEqual([true, true, false]);
    const planted = join(folder, 'probe');
    mkdirSync(planted);
    writeFileSync(join(planted, 'a.gz'), gzipSync(text));
    expect(filesWithPersons(planted)).toEqual({ looked: 1, found: ['a.gz'] });
  });

  it('appears only sealed in answers, logs, storage and backups', async () => {
    expect(
      (await post('/api/orders', { channel, orders: [order('C-1', 1, 'A-1'), order('C-2', 4, 'A-2')] })).status,
    ).toBe(200);
    // Including refused input: an invalid telephone number, an order without lines, a file with an invalid date.
    await post('/api/orders', { channel, orders: [{ ...order('C-3', 1, 'A-1'), lines: [] }] });
    await post('/api/orders', { channel, orders: [{ ...order('C-4', 1, 'A-1'), persons: plantedPerson(3).name }] });
    await post(`/api/orders/import?channel=${channel}`, { text: csv });
    // Failures are logged with the marketplace's answer.
    sandbox.setFaults({ error503: 0.3, html: 0.3 }, ['getOrder', 'searchOrders']);
    const lines = [{ sku: 'A-2', quantity: 2 }];
    const bought = Array.from({ length: 3 }, () => sandbox.book.buy({ lines })?.id ?? '');
    await expect
      .poll(async () => (await listed()).map(({ orderid }) => orderid), patience)
      .toEqual(expect.arrayContaining(['C-1', 'C-2', 'D-1', ...bought]));
    await work(bought);
    await search();
    await persons();
    const file = join(folder, 'data', 'sicherung.tar');
    await requestBackup(join(folder, 'data'), file);
    await archive();
    const { looked, found } = filesWithPersons(folder);
    // The owner's data export contains them, but only in the file meant for them.
    expect(found.filter((name) => !name.startsWith('probe'))).toEqual([
      expect.stringMatching(/^data\/items\/[^/]+\/work\/[^/]+\.tar: tabellen\/order_persons\.jsonl$/),
    ]);
    // The backup was searched too.
    expect(looked).toBeGreaterThan(30);
    expect(told.filter((text) => holdsPerson(Buffer.from(text)))).toEqual([]);
    expect(told.length).toBeGreaterThan(20);
    expect(sandbox.counters.personsSent).toBe(0);
  }, 180_000);

  async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openTestDatabase(join(folder, 'data'), databaseUrl);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** Returns the encrypted table's rows in a backup. */
  const sealedIn = (file: string): string =>
    gunzipSync(spawnSync('tar', ['-xOf', file, 'database/order_persons.jsonl.gz']).stdout).toString();

  /** Uses every form of an order, here and at the marketplace. */
  async function work([shipped = '', cancelled = '', returned = '']: readonly string[]) {
    const parcel = { quantity: 1, carrier: 'DHL', tracking: '00340433836442636597' };
    const lineOf = (id: string) => encodeURIComponent(sandbox.book.orders.get(id)?.lines[0]?.id ?? '');
    await post('/apis/order/C-1/C-1-1/fulfill/', parcel);
    await post('/apis/order/C-1/C-1-1/cancel/1/NoInventory', {});
    await post('/apis/order/C-1/C-1-1/return/1/no%20Reason', {});
    await post(`/apis/order/${shipped}/${lineOf(shipped)}/fulfill/`, parcel);
    await post(`/apis/order/${cancelled}/${lineOf(cancelled)}/cancel/2/NoInventory`, {});
    sandbox.book.askToCancel(returned, sandbox.book.orders.get(returned)?.lines[0]?.id ?? '', 'NO_LONGER_NEEDED');
    await expect.poll(() => sandbox.counters.shipments, patience).toBe(1);
  }

  /** Uses everything by which a person could be searched for, and every list. */
  async function search() {
    for (const text of ['Kanari', 'kanari1@beispiel.invalid', '+49 30 23125 1']) {
      const { text: found } = await open(`/api/orders?filter=alle&search=${encodeURIComponent(text)}`);
      expect(JSON.parse(found)).toMatchObject({ rows: [], total: 0 });
      await client.raw(`/api/search?q=${encodeURIComponent(text)}`).then((answer) => answer.text());
    }
    const pages = [
      '/api/orders/C-1',
      '/api/orders/C-1/persons/readings',
      '/api/orders/counters',
      '/api/notifications',
      '/api/security-log',
      '/api/trash',
    ];
    for (const path of pages) expect([path, (await open(path)).status]).toEqual([path, 200]);
    await open('/dashboard/orders/statistic', {
      method: 'POST',
      body: new URLSearchParams({ start: today, end: today }),
    });
    // A user without the permission gets neither the persons nor an archive with them.
    const owner = await signedIn(() => program?.url ?? '', admin);
    const { token } = await owner.ask(api.createToken, {}, { name: 'Bestellungen', role: 'viewer' });
    const viewer = clientOf(() => program?.url ?? '', token);
    for (const path of ['/api/company/export', '/api/orders/persons', '/api/orders/C-1/persons/report']) {
      const answer = await viewer.raw(path, { method: 'POST' });
      told.push(await answer.text());
      expect([path, answer.status]).toEqual([path, 403]);
    }
  }

  /** Creates an archive of all the company's data, replacing the one before. */
  async function archive() {
    await client.ask(api.exportCompany);
    await expect.poll(async () => (await client.ask(api.companyData)).export?.state, patience).toBe('done');
  }

  /** With the permission all persons are shown: what is searched for was really stored. */
  async function persons() {
    const orders = (await listed()).map(({ orderid, channel: of }) => ({ orderid, channel: of }));
    const answer = await client.ask(api.orderPersons, {}, { purpose: 'view', orders });
    const found = answer.persons.map((one) => [one.orderid, holdsPerson(Buffer.from(JSON.stringify(one)))]);
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter(([, isThere]) => isThere !== true)).toEqual([]);
  }

  it('is gone after its erasure from tables, a new backup and a new archive, even sealed', async () => {
    const orders = await listed();
    if (program === undefined) throw new Error('no program');
    await kill(program, 'SIGTERM');
    const output = program.output();
    expect(output.split('\n').length).toBeGreaterThan(3);
    expect(output.split('\n').filter((line) => holdsPerson(Buffer.from(line)))).toEqual([]);
    const rows = await inDatabase(async (database) => {
      expect(await columnsWithPersons(database)).toEqual([]);
      return database.system((trx) => trx.selectFrom('order_persons').select('sealed').execute());
    });
    const sealed = rows.map((row) => row.sealed);
    expect(sealed.length).toBeGreaterThan(8);
    await sandbox.close();
    program = await start();
    for (const { orderid, channel: of } of orders)
      expect((await post(`/api/orders/${orderid}/persons/erase?channel=${of}`, {})).status).toBe(200);
    await requestBackup(join(folder, 'data'), join(folder, 'danach.tar'));
    const before = sealedIn(join(folder, 'data', 'sicherung.tar'));
    expect(sealed.filter((one) => !before.includes(one))).toEqual([]);
    expect(sealedIn(join(folder, 'danach.tar'))).toBe('');
    // The earlier archive was deleted with it; otherwise an archive is deleted in the night after its three days.
    await archive();
    expect(filesWithPersons(folder).found).toEqual(['probe/a.gz']);
    await kill(program, 'SIGTERM');
    expect(holdsPerson(Buffer.from(program.output()))).toBe(false);
    expect(await inDatabase((database) => columnsHolding(database, sealed))).toEqual([]);
  }, 180_000);
});
