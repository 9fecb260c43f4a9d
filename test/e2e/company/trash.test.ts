import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askLimitsReview, limitsReview } from '#catalogue/limits-review.ts';
import { exportJob } from '#feed/export/job.ts';
import { addJob } from '#platform/jobs/job-definition.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { importFile, masterWith, testKontor, type TestKontor, token } from '../../stages/kontor.ts';
import { trashOf } from '../../stages/company/trash.ts';

const DAY = 24 * 60 * 60 * 1000;
const csv = 'sku;titel\nA-1;Hammer\nA-2;Zange\n';

describe('the trash', () => {
  let kontor: TestKontor;
  let time = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_LOG: 'warn' }, { clock: { now: () => new Date(time) }, lookEveryMs: 40 });
  });
  afterAll(() => kontor.close());

  const { made, feedOf, post, trashMaster, restore, jobsOf, filesOf } = trashOf(() => kontor);
  const trashExport = (id: string, name: string) => post(pathOf(api.trashExport, { id }), { name });
  const said = async (path: string) => {
    const answer = await kontor.raw(path);
    const { error } = ErrorBody.parse(await answer.json());
    return `${answer.status} ${error.code} ${error.message}`;
  };

  it('a trashed export answers 410 at its address, and is restored with the same address and file', async () => {
    const { id } = await made('Kanal');
    const feed = await feedOf(id);
    const before = await (await fetch(kontor.url + feed)).text();
    expect(before).toContain('A-1');
    const wrong = await trashExport(id, 'kanal');
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain('name_differs');
    expect((await trashExport(id, 'Kanal')).status).toBe(200);
    const gone = await fetch(kontor.url + feed);
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain('wurde gelöscht');
    expect(await said(pathOf(api.export, { id }))).toMatch(/^404 in_trash Dieser Export liegt im Papierkorb\./);
    expect(await (await post(pathOf(api.rules, { masterid: id }))).text()).toContain(
      'Dieser Export liegt im Papierkorb.',
    );
    expect((await post(pathOf(api.runExport, { id }))).status).toBe(404);
    expect(await (await trashExport(id, 'Kanal')).text()).toContain('in_trash');
    const { entries } = await kontor.ask(api.trash);
    expect(entries).toMatchObject([{ id, kind: 'export', name: 'Kanal', catalogue: 'Testkatalog', daysLeft: 30 }]);
    expect((await restore(id)).status).toBe(200);
    expect(await feedOf(id)).toBe(feed);
    expect(await (await fetch(kontor.url + feed)).text()).toBe(before);
    expect((await kontor.ask(api.trash)).entries).toEqual([]);
  });

  it('a trashed catalogue takes its exports along, and its restore brings back only those', async () => {
    const { masterid, id } = await made('Bleibt');
    const { id: earlier } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Früher' } });
    expect((await trashExport(earlier, 'Früher')).status).toBe(200);
    const masters = await kontor.ask(api.masters);
    expect((await trashMaster(masterid)).status).toBe(200);
    expect((await kontor.ask(api.masters)).length).toBe(masters.length - 1);
    expect(await said(pathOf(api.master, { masterid }))).toMatch(/^404 in_trash Dieser Katalog liegt im Papierkorb\./);
    expect(await said(`${api.savedViews.path}?table=items&masterid=${masterid}`)).toMatch(
      /^404 in_trash Dieser Katalog/,
    );
    expect(await said(pathOf(api.master, { masterid: 'gibtesnicht1' }))).toMatch(/^404 not_found Diesen Katalog/);
    expect(await said(pathOf(api.export, { id }))).toMatch(/^404 in_trash Dieser Export liegt mit seinem Katalog im/);
    expect(await (await trashMaster(masterid)).text()).toContain('in_trash');
    expect(await (await trashExport(id, 'Bleibt')).text()).toContain('in_trash');
    const { entries } = await kontor.ask(api.trash);
    expect(entries.find((one) => one.id === masterid)).toMatchObject({ kind: 'catalogue', exports: ['Bleibt'] });
    const early = await restore(earlier);
    expect(early.status).toBe(409);
    expect(await early.text()).toContain('catalogue_in_trash');
    // Lists over the whole company still work without it.
    await kontor.ask(api.activity);
    await kontor.ask(api.firstSteps);
    await kontor.ask(api.search, { query: { q: 'Hammer' } });
    expect((await restore(masterid)).status).toBe(200);
    expect((await kontor.ask(api.export, { params: { id } })).settings.name).toBe('Bleibt');
    expect((await kontor.raw(pathOf(api.export, { id: earlier }))).status).toBe(404);
    expect((await restore(earlier)).status).toBe(200);
  });

  it('schedules of trashed catalogues start nothing, and their running jobs end', async () => {
    const { masterid, id } = await made('Geplant');
    const schedule = { active: true, kind: 'interval' as const, minutes: 15 };
    await kontor.ask(api.saveExportSchedule, { params: { id }, body: schedule });
    await expect.poll(async () => (await kontor.ask(api.exportSchedule, { params: { id } })).nextAt).not.toBeNull();
    const jobs = () => jobsOf('subject', `export:${id}`);
    const runs = async () => (await jobs()).length;
    await kontor.ask(api.runExport, { params: { id } });
    expect((await trashMaster(masterid)).status).toBe(200);
    expect(await jobs()).not.toContain('running');
    expect(await jobs()).not.toContain('queued');
    const before = await runs();
    time += 3 * 60 * 60 * 1000;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await runs()).toBe(before);
    await restore(masterid);
    // A start is skipped while the previous run has not ended: time passes until one happens.
    await expect
      .poll(
        () => {
          time += 15 * 60 * 1000;
          return runs();
        },
        { interval: 200 },
      )
      .toBeGreaterThan(before);
  });

  it('a run ordered at the moment of the deletion fails instead of being retried forever', async () => {
    const { id } = await made('Im selben Augenblick');
    expect((await trashExport(id, 'Im selben Augenblick')).status).toBe(200);
    // The request had seen the export, and was committed after the deletion had cancelled the export's jobs.
    const { company } = await kontor.ask(api.session);
    const order = { company: company.id, id: 'Spaet1', subject: `export:${id}`, payload: { owner: id, by: 'Frieda' } };
    await kontor.database.company(company.id, (trx) => addJob(trx, exportJob, order));
    await expect.poll(() => jobsOf('subject', `export:${id}`), { timeout: 15_000 }).toContain('failed');
    expect(await jobsOf('subject', `export:${id}`)).not.toContain('running');
    expect((await restore(id)).status).toBe(200);
  });

  it('a catalogue with a marketplace account cannot be trashed', async () => {
    const masterid = await masterWith(kontor, csv, { key: 'sku' });
    const body = { name: 'Konto Nord', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    const { id } = await kontor.ask(api.createMarketplaceAccount, { body });
    const refused = await trashMaster(masterid);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Konto Nord');
    await kontor.ask(api.deleteMarketplaceAccount, { params: { id } });
    expect((await trashMaster(masterid)).status).toBe(200);
    expect((await restore(masterid)).status).toBe(200);
  });

  it('creating an account and trashing its catalogue at once: only one of the two succeeds', async () => {
    const masterid = await masterWith(kontor, csv, { key: 'sku' });
    const body = { name: 'Konto Süd', sellerId: 'Y', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    // Creating an account has found its catalogue, and waits before the account is inserted.
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const held = kontor.database.system(async (trx) => {
      if (!kontor.database.embedded) await pg`lock table marketplace_accounts in exclusive mode`.execute(trx);
      await gone;
    });
    const made = post(pathOf(api.createMarketplaceAccount), body);
    await new Promise((done) => setTimeout(done, 300));
    const trashed = trashMaster(masterid);
    await new Promise((done) => setTimeout(done, 300));
    resolve();
    await held;
    const [account, trash] = [await made, await trashed];
    expect([account.status, trash.status]).toEqual(account.status === 200 ? [200, 409] : [404, 200]);
  });

  it('T26 a restored catalogue holds prices as before, and its switches cannot be changed in the trash', async () => {
    const masterid = await masterWith(kontor, csv, { key: 'sku' });
    const params = { masterid };
    const { company } = await kontor.ask(api.session);
    await kontor.ask(api.setRepricerState, { params, body: { active: false, dry_run: true, stopped: true } });
    await kontor.database.company(company.id, (trx) =>
      askLimitsReview(trx, { company: company.id, masterid }, 'Eine Datei hat Preisgrenzen verschoben.'),
    );
    const review = () =>
      kontor.database.company(company.id, (trx) => limitsReview(trx, { company: company.id, masterid }));
    const state = async () => ({ ...(await kontor.ask(api.repricerState, { params })), review: await review() });
    const before = await state();
    expect(before).toMatchObject({
      active: false,
      dry_run: true,
      stopped: true,
      review: 'Eine Datei hat Preisgrenzen verschoben.',
    });
    const account = { name: 'Konto', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9' };
    expect((await trashMaster(masterid)).status).toBe(200);
    const meanwhile = [
      await post(pathOf(api.setRepricerState, params), { stopped: false }),
      await post(pathOf(api.releasePrices, params), { what: 'limits', reason: 'x' }),
      await post(pathOf(api.startRestore, params), { moment: new Date(time).toISOString(), reason: 'x' }),
      await post(pathOf(api.saveMasterRules, params), []),
      await post(pathOf(api.saveListings, params), []),
      await post(pathOf(api.createMarketplaceAccount), account),
    ];
    expect(meanwhile.map(({ status }) => status)).toEqual(meanwhile.map(() => 404));
    const { token: as } = await kontor.ask(api.createToken, { body: { name: 'Bearbeiter', role: 'editor' } });
    await kontor.ask(api.restoreTrashed, { params: { id: masterid }, as });
    expect(await state()).toEqual(before);
  });

  it('an upload that ends after its catalogue was trashed is refused, and nothing of it is stored', async () => {
    const masterid = await masterWith(kontor, csv, { key: 'sku' });
    const incoming = join(await filesOf(masterid), 'incoming');
    const coming = () => readdir(incoming).catch(() => []);
    await expect.poll(coming).toEqual([]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' };
    const upload = request(kontor.url + pathOf(api.import, { masterid }), { method: 'POST', headers });
    const answered = once(upload, 'response');
    upload.write('--x\r\ncontent-disposition: form-data; name="file"; filename="b.csv"\r\n');
    upload.write(`content-type: text/csv\r\n\r\n${csv}`);
    await expect.poll(coming).toHaveLength(1);
    expect((await trashMaster(masterid)).status).toBe(200);
    upload.end('A-3;Feile\n\r\n--x--\r\n');
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(404);
    expect(await readdir(incoming)).toEqual([]);
    expect(await jobsOf('subject', `master:${masterid}`)).toEqual(['done']);
  });

  it('the snapshot of a run is kept while its export is in the trash', async () => {
    const { masterid, id } = await made('Zurück');
    for (let number = 2; number <= 12; number++)
      await importFile(kontor, masterid, { name: 'a.csv', bytes: `${csv}B-${number};Neu\n` });
    const nights = async () => (await jobsOf('kind', 'maintenance')).filter((state) => state === 'done').length;
    const night = async (days: number) => {
      const before = await nights();
      time = Math.max(time, Date.now()) + days * DAY;
      await expect.poll(nights, { timeout: 20_000 }).toBeGreaterThan(before);
    };
    await night(25);
    expect((await trashExport(id, 'Zurück')).status).toBe(200);
    await night(10);
    expect((await restore(id)).status).toBe(200);
    const states = await kontor.ask(api.snapshots, { params: { masterid } });
    expect(states.filter(({ gone }) => gone).map(({ number }) => number)).toEqual([2]);
  });
});
