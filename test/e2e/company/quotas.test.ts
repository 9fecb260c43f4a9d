import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { importFile, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

describe('quotas', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    // A hundred kilobytes.
    kontor = await testKontor({
      KONTOR_QUOTA_GB: '0.0001',
      KONTOR_QUOTA_CATALOGUES: '2',
      KONTOR_QUOTA_EXPORTS: '1',
      KONTOR_QUOTA_JOBS: '3',
    });
  });
  afterAll(() => kontor.close());

  const refusal = async (call: Call, params: Record<string, string>, body: object) => {
    const answer = await kontor.raw(pathOf(call, params), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = (await answer.json()) as { error?: { code: string; message: string } };
    return [answer.status, error?.code, error?.message];
  };
  const used = async () =>
    Object.fromEntries((await kontor.ask(api.quotas)).map(({ kind, ...use }) => [kind, [use.used, use.limit]]));

  it('refuse a catalogue or export beyond the limit with the usage; trashed ones free their place', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Eins' } });
    const { masterid: second } = await kontor.ask(api.createMaster, { body: { name: 'Zwei' } });
    expect(await refusal(api.createMaster, {}, { name: 'Drei' })).toEqual([
      409,
      'quota_exceeded',
      expect.stringContaining('2 von 2 Katalogen'),
    ]);
    await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } });
    expect(await refusal(api.createExport, { masterid }, { name: 'Noch einer' })).toEqual([
      409,
      'quota_exceeded',
      expect.stringContaining('1 von 1 Exporten'),
    ]);
    expect(await used()).toMatchObject({ catalogues: [2, 2], exports: [1, 1], jobs: [0, 3] });
    await kontor.ask(api.trashMaster, { params: { masterid: second }, body: { name: 'Zwei' } });
    await kontor.ask(api.createMaster, { body: { name: 'Drei' } });
    await kontor.ask(api.trashMaster, { params: { masterid }, body: { name: 'Eins' } });
  });

  it('apply to restores from the trash as well', async () => {
    const restore = (id: string) => refusal(api.restoreTrashed, { id }, {});
    const trash = (masterid: string, name: string) =>
      kontor.ask(api.trashMaster, { params: { masterid }, body: { name } });
    const { entries } = await kontor.ask(api.trash);
    const idOf = (name: string) => entries.find((one) => one.name === name)?.id ?? '';
    const [third] = await kontor.ask(api.masters);
    expect((await restore(idOf('Zwei')))[0]).toBe(200);
    expect(await restore(idOf('Eins'))).toEqual([409, 'quota_exceeded', expect.stringContaining('2 von 2 Katalogen')]);
    await trash(idOf('Zwei'), 'Zwei');
    const of = { masterid: third?.masterid ?? '' };
    const { id } = await kontor.ask(api.createExport, { params: of, body: { name: 'Export' } });
    expect(await restore(idOf('Eins'))).toEqual([409, 'quota_exceeded', expect.stringContaining('1 von 1 Exporten')]);
    expect(await used()).toMatchObject({ catalogues: [1, 2], exports: [1, 1] });
    await kontor.ask(api.trashExport, { params: { id }, body: { name: 'Export' } });
    expect((await restore(idOf('Eins')))[0]).toBe(200);
    await trash(idOf('Eins'), 'Eins');
  });

  it('refuse a run beyond the limit, and runs when the files exceed the storage limit', async () => {
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    const { company } = await kontor.ask(api.session);
    await kontor.database.company(company.id, (trx) =>
      pg`insert into jobs (company, id, kind, subject, state, payload, not_before)
        select ${company.id}, 'Waits' || n, case when n > 3 then 'export-part' else 'import' end, 'master:' || n, 'queued', '{}',
          now() + interval '1 day' from generate_series(1, 5) n`.execute(trx),
    );
    const address = { url: 'https://beispiel.de/a.csv' };
    // The parts of a run do not count.
    expect(await used()).toMatchObject({ jobs: [3, 3] });
    expect(await refusal(api.import, { masterid }, address)).toEqual([
      409,
      'quota_exceeded',
      expect.stringContaining('warten schon 3 Läufe'),
    ]);
    await kontor.database.company(company.id, (trx) =>
      pg`delete from jobs where company = ${company.id} and state = 'queued'`.execute(trx),
    );
    const rows = Array.from({ length: 4000 }, (_, n) => `A-${n};${Math.random()} ${Math.random()}\n`).join('');
    const large = await importFile(kontor, masterid, { name: 'b.csv', bytes: `sku;titel\n${rows}` }, { key: 'sku' });
    // The upload itself counts, and is deleted again.
    expect([large.state, large.message]).toEqual(['failed', expect.stringContaining('belegen')]);
    expect((await used())['bytes']?.[0]).toBeLessThan(100_000);
    await writeFile(join(kontor.dataFolder, 'items', company.id, masterid, 'large'), new Uint8Array(120_000));
    expect((await used())['bytes']?.[0]).toBeGreaterThan(100_000);
    expect(await refusal(api.import, { masterid }, address)).toEqual([
      409,
      'quota_exceeded',
      expect.stringMatching(/belegen 0,\d MB von 0,1 MB/),
    ]);
    // A run started without a user who could be refused fails with the same words.
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } });
    const { runid } = await kontor.ask(api.runExport, { params: { id } });
    await expect.poll(async () => (await kontor.ask(api.run, { params: { runid } })).state).toBe('failed');
    expect((await kontor.ask(api.run, { params: { runid } })).message).toMatch(/belegen/);
  });

  it('admit one of ten concurrent requests when there is room for one', async () => {
    const [first] = await kontor.ask(api.masters);
    await kontor.ask(api.trashMaster, {
      params: { masterid: first?.masterid ?? '' },
      body: { name: first?.name ?? '' },
    });
    expect((await used())['catalogues']).toEqual([1, 2]);
    // So that all ten have counted before one is inserted.
    await kontor.database.script(`create function slow() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.2); return new; end $$;
      create trigger slow before insert on masters for each row execute function slow();`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => refusal(api.createMaster, {}, { name: `Katalog ${n}` })),
    );
    expect(answers.filter(([status]) => status === 409)).toHaveLength(9);
    expect((await used())['catalogues']).toEqual([2, 2]);
  });
});
