import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCompany, createUser } from '#auth/auth.ts';
import { showTrash } from '#catalogue/trash.ts';
import { systemClock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { giveToken } from '../../stages/company-token.ts';
import { openTestDatabase, testDatabaseUrl, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { shortWrites } from '../../stages/short-writes.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const as = 'token-of-another-company-0123';
const HOUR = 60 * 60 * 1000;
const owner = { name: 'Frieda', email: 'frieda@beispiel.de', password: 'lampe-wolke-trecker' };

describe("export and deletion of a company's data", () => {
  let kontor: TestKontor;
  let folder: string;
  let company: string;
  let exportid: string;
  /** The owner's browser. */
  let frieda: Visitor;
  /** Folder for exported archives, outside the program's folder, which must not contain persons. */
  let taken: string;
  let time = Date.now();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-company-'));
    taken = await mkdtemp(join(tmpdir(), 'kontor-taken-'));
    const databaseUrl = await testDatabaseUrl();
    const database = await openTestDatabase(folder, databaseUrl);
    company = await createCompany(database, randomIds, systemClock, 'Andere Firma');
    await createUser(database, randomIds, systemClock, { ...owner, company, role: 'owner' });
    await giveToken(database, company, as);
    await database.close();
    kontor = await testKontor(
      {},
      {
        dataFolder: folder,
        clock: { now: () => new Date(time) },
        lookEveryMs: 40,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      },
    );
    frieda = new Visitor(kontor);
    expect((await frieda.signIn(owner)).status).toBe(200);
    const { masterid } = await kontor.ask(api.createMaster, { as, body: { name: 'Ganz eigener Katalog' } });
    const form = new FormData();
    form.set('options', JSON.stringify({ key: 'sku' }));
    form.set('file', new Blob(['sku;titel\nA-1;Hammer\n']), 'a.csv');
    const imported = await kontor.raw(pathOf(api.import, { masterid }), { method: 'POST', body: form, as });
    const { runid } = (await imported.json()) as { runid: string };
    while ((await kontor.ask(api.run, { as, params: { runid } })).state !== 'done') await wait(50);
    ({ id: exportid } = await kontor.ask(api.createExport, { as, params: { masterid }, body: { name: 'Export' } }));
    const order = {
      orderid: 'O-1',
      placed_at: new Date(time - HOUR).toISOString(),
      lines: [{ productid: 'P-1', sku: 'A-1', ordered: 2, unit_cents: 100 }],
      persons: { buyer: { name: 'Kanari Vogel' } },
    };
    await kontor.ask(api.createOrders, { as, body: { channel: exportid, orders: [order] } });
    await kontor.database.company(company, async (trx) => {
      await pg`insert into price_decisions (company, master, marketplace, item, product_id, decided_at, cause, rule_revision, snapshot,
        limits_version, reason, body, verdict)
        values (${company}, ${masterid}, 'm', 'A-1', 'P', now(), 'c', 1, 1, 'v', 'r', 'b', 'none')`.execute(trx);
      await pg`insert into article_offers (company, master, marketplace, product_id, condition, event_at, received_at, message, offers)
        values (${company}, ${masterid}, 'm', 'P', 'new', now(), now(), 'm', '[]')`.execute(trx);
      await pg`insert into offer_minutes (company, master, marketplace, product_id, condition, minute, sellers)
        values (${company}, ${masterid}, 'm', 'P', 'new', now() - interval '95 days', '{}')`.execute(trx);
      await pg`insert into decision_seals (company, number, from_id, to_id, decisions, hash, sealed_at)
        values (${company}, 1, 0, 1, 1, 'h', now())`.execute(trx);
      await pg`insert into decision_audits (company, verified_at, seals) values (${company}, now(), 1)`.execute(trx);
      await pg`insert into decision_archives (company, from_seal, to_seal, from_id, to_id, from_time, to_time, decisions, bytes, key, sha256,
        archived_at) values (${company}, 1, 1, 0, 1, now(), now(), 1, 1, ${`${company}/decisions/1-1-x.parquet`}, 'h', now())`.execute(
        trx,
      );
    });
    const archives = join(folder, 'items', company, 'decisions');
    await mkdir(archives);
    for (const name of ['1-1-x.parquet', 'left-by-a-killed-night']) await writeFile(join(archives, name), 'P');
    await kontor.ask(api.createMaster, { body: { name: 'Bleibt' } });
  });
  afterAll(async () => {
    await kontor.close();
    for (const one of [folder, taken]) await rm(one, { recursive: true, force: true });
  });

  /** Downloads a file as a browser does. */
  const fetched = (path: string) => {
    const cookie = [...frieda.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return kontor.raw(path, { as: null, headers: { cookie } });
  };
  const rowsNaming = async (text: string) => {
    const found: Record<string, number> = {};
    await kontor.database.kysely.transaction().execute(async (trx: Trx) => {
      await pg`select set_config('kontor.company', '*', true)`.execute(trx);
      await showTrash(trx);
      const { rows } = await pg<{ name: string }>`select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(trx);
      for (const { name } of rows) {
        const { rows: counted } = await pg<{ n: number }>`select count(*)::int as n from ${pg.table(name)} t
          where position(${text} in t::text) > 0`.execute(trx);
        if ((counted[0]?.n ?? 0) > 0) found[name] = counted[0]?.n ?? 0;
      }
    });
    return found;
  };

  it('an archive is created while an upload is being written, and leaves the upload out', async () => {
    const [master] = await kontor.ask(api.masters, { as });
    const incoming = join(folder, 'items', company, master?.masterid ?? '', 'incoming');
    await mkdir(incoming, { recursive: true });
    const coming = setInterval(() => appendFileSync(join(incoming, 'Zz'), 'x'.repeat(100_000)), 1);
    try {
      await frieda.ask(api.exportCompany);
      const state = async () => (await kontor.ask(api.companyData, { as })).export?.state;
      await expect.poll(state).toMatch(/done|failed/);
      expect(await state()).toBe('done');
    } finally {
      clearInterval(coming);
      await rm(join(incoming, 'Zz'), { force: true });
    }
  });

  it('an archive holds every table, the decrypted persons, the files and a German description', async () => {
    onTestFinished(await shortWrites({ most: 40 }));
    const { id } = await frieda.ask(api.exportCompany);
    await expect.poll(async () => (await kontor.ask(api.companyData, { as })).export?.state).toBe('done');
    const { path } = await frieda.ask(api.companyArchiveAddress, { params: { runid: id } });
    const answer = await fetched(path);
    expect(answer.status).toBe(200);
    const file = join(taken, 'archive.tar');
    await writeFile(file, new Uint8Array(await answer.arrayBuffer()));
    const listed = spawnSync('tar', ['-tf', file], { encoding: 'utf8' }).stdout.split('\n');
    const dated = spawnSync('tar', ['--utc', '-tvf', file], { encoding: 'utf8' }).stdout.trim().split('\n');
    const day = new Date(time).toISOString().slice(0, 10);
    expect(dated.filter((line) => !line.includes(` ${day} `))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(['LIESMICH.txt', 'tabellen/orders.jsonl', 'tabellen/masters.jsonl']));
    expect(listed.filter((name) => /^dateien\/.+\.parquet$/.test(name))).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining(['dateien/decisions/1-1-x.parquet', 'tabellen/decision_archives.jsonl']),
    );
    expect(listed).not.toContain('tabellen/secrets.jsonl');
    expect(listed).not.toContain('tabellen/api_tokens.jsonl');
    const contentOf = (name: string) => spawnSync('tar', ['-xOf', file, name], { encoding: 'utf8' }).stdout;
    expect(contentOf('LIESMICH.txt')).toContain('Daten der Firma Andere Firma');
    // Whoever knows this address reads the export's files without a session.
    const { pullPath } = await frieda.ask(api.export, { params: { id: exportid } });
    const feedToken = /^\/feeds\/([^/]+)\//.exec(pullPath)?.[1] ?? '';
    expect(feedToken.length).toBeGreaterThan(20);
    expect(contentOf('tabellen/exports.jsonl')).toContain(exportid);
    expect((await readFile(file)).includes(feedToken)).toBe(false);
    const person = JSON.parse(contentOf('tabellen/order_persons.jsonl').trim());
    expect(person).toMatchObject({ order_id: 'O-1', person: { name: 'Kanari Vogel' } });
    expect(person).not.toHaveProperty('sealed');
    expect(contentOf('tabellen/mitglieder.jsonl')).toContain(owner.email);
    expect(contentOf('tabellen/masters.jsonl')).not.toContain('Bleibt');
    expect((await readFile(file)).includes('Bleibt')).toBe(false);
  });

  it('an archive link is valid for ten minutes, for its owner only; the archive is deleted after three days', async () => {
    const { export: archive } = await kontor.ask(api.companyData, { as });
    const runid = archive?.id ?? '';
    const { path } = await frieda.ask(api.companyArchiveAddress, { params: { runid } });
    expect((await kontor.raw(path)).status).toBe(404);
    expect((await fetched(`${path}x`)).status).toBe(403);
    time += 11 * 60 * 1000;
    expect((await fetched(path)).status).toBe(403);
    time += 73 * HOUR;
    expect((await kontor.ask(api.companyData, { as })).export?.until).toBeNull();
    await frieda.signIn(owner);
    expect(await frieda.outcome(api.companyArchiveAddress, { params: { runid } })).toEqual([404, 'not_found']);
    const work = join(folder, 'items', company, 'work');
    await expect.poll(() => readdirSync(work), { timeout: 60_000 }).toEqual([]);
    // The same night archives decisions, and first removes what a killed run left.
    expect(readdirSync(join(folder, 'items', company, 'decisions'))).toEqual(['1-1-x.parquet']);
    const minutes = await kontor.database.company(company, (trx) =>
      trx.selectFrom('offer_minutes').select('product_id').execute(),
    );
    expect(minutes).toEqual([]);
  });

  it('a deletion requires the name and a fresh proof, is shown to members and can be cancelled', async () => {
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn(owner)).status).toBe(200);
    expect(await visitor.outcome(api.deleteCompany, { body: { name: 'Andere' } })).toEqual([422, 'name_differs']);
    time += HOUR;
    expect(await visitor.outcome(api.deleteCompany, { body: { name: 'Andere Firma' } })).toEqual([
      403,
      'step_up_required',
    ]);
    await visitor.ask(api.prove, { body: { password: owner.password } });
    await visitor.ask(api.deleteCompany, { body: { name: 'Andere Firma' } });
    expect(await visitor.outcome(api.deleteCompany, { body: { name: 'Andere Firma' } })).toEqual([
      409,
      'deletion_asked',
    ]);
    const { deletion } = await visitor.ask(api.companyData);
    expect(deletion?.askedBy).toBe('Frieda');
    const counters = await kontor.raw(pathOf(api.liveComponentFirst, { component: 'header-counters' }), { as });
    expect(await counters.text()).toContain('Firma wird gelöscht');
    await visitor.ask(api.keepCompany);
    expect((await visitor.ask(api.companyData)).deletion).toBeNull();
    time += 25 * HOUR;
    await wait(300);
    expect(await kontor.ask(api.masters, { as })).toHaveLength(1);
  });

  it("the operator's own company cannot be deleted while other companies exist", async () => {
    const { name } = (await kontor.ask(api.session)).company;
    const refused = await kontor.raw(pathOf(api.deleteCompany), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('operator_company');
  });

  it('a day after the request no table or folder holds the company, and other companies are unchanged', async () => {
    const own = await kontor.ask(api.masters);
    await frieda.signIn(owner);
    await frieda.ask(api.deleteCompany, { body: { name: 'Andere Firma' } });
    const files = join(folder, 'items', company);
    expect(existsSync(files)).toBe(true);
    time += 23 * HOUR;
    await wait(300);
    expect(await kontor.ask(api.masters, { as })).toHaveLength(1);
    time += 2 * HOUR;
    await expect.poll(async () => (await kontor.raw('/api/masters', { as })).status).toBe(401);
    expect(existsSync(files)).toBe(false);
    time += 2 * 60_000;
    await expect.poll(() => rowsNaming(company)).toEqual({ deletion_records: 1 });
    expect(await rowsNaming(owner.email)).toEqual({});
    expect(await kontor.ask(api.masters)).toEqual(own);
    const [record] = await kontor.database.system((trx) =>
      trx.selectFrom('deletion_records').selectAll().where('company', '=', company).execute(),
    );
    expect(record).toMatchObject({ kind: 'company', name: 'Andere Firma' });
    expect(JSON.parse(record?.table_rows ?? '')).toMatchObject({ masters: 1, orders: 1, order_persons: 1, user: 1 });
    expect(record?.file_count).toBeGreaterThan(0);
  });
});
