import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prune } from '#operations/pruning/prune.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { RULE_LIMITS } from '#shared/rules/schema.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { bosch, brandRule, fjord, nordkap } from '../../stages/feed/brand-rules.ts';

describe('history of documents', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;marke\n1;bosch\n2;fjord\n');
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } })).id;
  });
  afterAll(() => kontor.close());
  const rulesOf = async () => (await kontor.ask(api.masterRules, { params: { id: masterid } })).map(({ name }) => name);
  const place = () => ({ subject: 'rules', scope: `master:${masterid}` });

  it('RUL-14 every save of rules is kept with author, time and what it changed in German sentences', async () => {
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [bosch, fjord, nordkap] });
    await kontor.ask(api.saveMasterRules, {
      params: { masterid },
      body: [{ ...bosch, active: false }, fjord, nordkap],
    });
    await kontor.ask(api.deleteMasterRule, { params: { masterid, ruleid: fjord.id } });
    const all = await kontor.ask(api.revisions, { params: place() });
    expect(all.map(({ revision }) => revision)).toEqual([3, 2, 1]);
    expect(all[1]?.changes).toEqual(['Regel „Bosch“: pausiert.']);
    expect(all[0]?.changes).toEqual([
      'Regel „Fjord“ gelöscht. Sie lautete: Wenn marke entspricht „fjord“, dann setze marke auf „Fjord“.',
    ]);
    expect(all[0]?.removed).toEqual([{ id: fjord.id, name: 'Regel „Fjord“' }]);
    expect(all[0]?.author).not.toBe('');
    expect(Date.parse(all[0]?.createdAt ?? '')).toBeGreaterThan(Date.parse(all[2]?.createdAt ?? ''));
    const page = await kontor.ask(api.revisions, { params: place(), query: { before: 3, limit: 1 } });
    expect(page.map(({ revision }) => revision)).toEqual([2]);
  });

  it('T22 a list of large states loads none of them; the changes of one are computed on request, off the event loop', async () => {
    const rows = (from: number) =>
      Array.from({ length: 3000 }, (_, i) => ({
        id: String(i),
        field: [{ type: '_field' as const, value: 'marke', caption: 'marke' }],
        filter: 'is_equal' as const,
        value: `Wert ${i} ${'x'.repeat(60)}`,
        target: String(from + i),
        catname: '',
        active: true,
      }));
    const save = (data: ReturnType<typeof rows>) =>
      kontor.ask(api.saveBrands, { params: { id: exportid }, body: data });
    await save(rows(0).slice(0, 3));
    await save(rows(0));
    await save([{ ...rows(0)[0], target: 'anders' }, ...rows(0).slice(1)] as ReturnType<typeof rows>);
    const params = { subject: 'brands' as const, scope: `export:${exportid}` };
    const list = await kontor.ask(api.revisions, { params });
    expect(list.map(({ compared, changes }) => [compared, changes.length])).toEqual([
      [false, 0],
      [false, 0],
      [true, expect.any(Number)],
    ]);
    const activity = await kontor.ask(api.activity, { query: { limit: 3 } });
    expect(activity.filter(({ subject }) => subject === 'brands').map(({ compared }) => compared)).toEqual([
      false,
      false,
      true,
    ]);
    const told = await kontor.ask(api.revisionChanges, { params: { ...params, number: 3 } });
    expect(told.changes.join(' ')).toContain('anders');
    const back = await kontor.ask(api.revision, { params: { ...params, revision: '1' } });
    expect(back.back.length).toBeGreaterThan(0);
    const nobody = await kontor.raw(pathOf(api.revisionChanges, { ...params, number: 99 }));
    expect(nobody.status).toBe(404);
  });

  it('RUL-14 a deleted rule is restored alone to its old position, and other edits stay', async () => {
    const answer = await kontor.ask(api.restore, { params: place(), body: { revision: 2, part: fjord.id } });
    expect(answer).toEqual({ ok: true, revision: 4, message: 'Aus Stand 2 zurückgeholt' });
    expect(await rulesOf()).toEqual(['Bosch', 'Fjord', 'Nordkap']);
    const [newest] = await kontor.ask(api.revisions, { params: place(), query: { limit: 1 } });
    expect(newest?.changes[0]).toBe('Aus Stand 2 zurückgeholt.');
    expect(newest?.changes[1]).toMatch(/^Regel „Fjord“ angelegt/);
  });

  it('RUL-14 a deleted rule that is back is not replaced by its older version, so later changes stay', async () => {
    const scope = { subject: 'rules' as const, scope: `export:${exportid}` };
    const params = { masterid: exportid };
    const first = await kontor.ask(api.saveRules, { params, body: [bosch, fjord] });
    await kontor.ask(api.saveRules, { params, body: [bosch] });
    const restored = { revision: first.revision, part: fjord.id };
    await kontor.ask(api.restore, { params: scope, body: restored });
    await kontor.ask(api.saveRules, { params, body: [bosch, { ...fjord, name: 'Fjord neu' }] });
    const refused = await kontor.raw(pathOf(api.restore, scope), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(restored),
    });
    expect(refused.status).toBe(409);
    expect(ErrorBody.parse(await refused.json()).error.message).toContain('gibt es heute wieder');
    expect((await kontor.ask(api.rules, { params })).map(({ name }) => name)).toEqual(['Bosch', 'Fjord neu']);
  });

  it('RUL-14 a deleted rule is not restored into a full list, which could then no longer be read', async () => {
    const params = { masterid: exportid };
    const full = Array.from({ length: RULE_LIMITS.rules }, (_, at) =>
      brandRule(`Full${at + 100_000}`, `Voll ${at}`, 'x'),
    );
    const { revision } = await kontor.ask(api.saveRules, { params, body: [fjord] });
    await kontor.ask(api.saveRules, { params, body: full });
    const scope = { subject: 'rules', scope: `export:${exportid}` };
    const refused = await kontor.raw(pathOf(api.restore, scope), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ revision, part: fjord.id }),
    });
    expect(refused.status).toBe(422);
    expect(ErrorBody.parse(await refused.json()).error.message).toContain('Löschen Sie zuerst einen davon.');
    expect(await kontor.ask(api.rules, { params })).toHaveLength(RULE_LIMITS.rules);
  });

  it('RUL-14 restoring a whole state creates a new revision, and the states in between are kept', async () => {
    await kontor.ask(api.restore, { params: place(), body: { revision: 1 } });
    const newest = await kontor.ask(api.revision, { params: { ...place(), revision: 'latest' } });
    expect(newest.revision).toBe(5);
    expect(newest.content).toEqual([bosch, fjord, nordkap]);
    expect((await kontor.ask(api.revision, { params: { ...place(), revision: 2 } })).content).toEqual([
      { ...bosch, active: false },
      fjord,
      nordkap,
    ]);
    const again = await kontor.raw(pathOf(api.restore, place()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ revision: 1 }),
    });
    expect(again.status).toBe(409);
    expect(await again.text()).toContain('schon derselbe');
  });

  it('RUL-14 a restore with a stale If-Match is refused with 409', async () => {
    const answer = await kontor.raw(pathOf(api.restore, place()), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': '2' },
      body: JSON.stringify({ revision: 3 }),
    });
    expect(answer.status).toBe(409);
    expect(await rulesOf()).toEqual(['Bosch', 'Fjord', 'Nordkap']);
  });

  it('CON-07 construction and settings have a history with sentences of their own', async () => {
    const row = (field: string) => ({
      id: '1',
      exportfield: 'brand',
      field: [{ type: '_field' as const, value: field }],
      mp_state: 'Required' as const,
    });
    const save = (field: string) =>
      kontor.ask(api.saveConstruction, { params: { projectId: exportid }, body: [row(field)] });
    await save('marke');
    await save('sku');
    const scope = `export:${exportid}`;
    const [newest, first] = await kontor.ask(api.revisions, { params: { subject: 'construction', scope } });
    expect(first?.changes).toEqual(['Exportfeld „brand“ angelegt: Feld marke.']);
    expect(newest?.changes).toEqual(['Exportfeld „brand“: kam vorher aus „Feld marke“, kommt jetzt aus „Feld sku“.']);
    const settings = await kontor.ask(api.revisions, { params: { subject: 'settings', scope } });
    expect(settings.at(-1)?.changes).toEqual(['Export „Export“ angelegt.']);
  });

  it('HDR-07 the activity list names subject, owner and author, newest first, page by page', async () => {
    const all = await kontor.ask(api.activity, { query: { limit: 100 } });
    expect(all[0]).toMatchObject({ subject: 'construction', owner: 'Export', scope: `export:${exportid}` });
    expect(all.some(({ subject, owner }) => subject === 'rules' && owner === 'Testkatalog')).toBe(true);
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
    const paged = [];
    for (let offset = 0; offset < all.length; offset += 3)
      paged.push(...(await kontor.ask(api.activity, { query: { offset, limit: 3 } })));
    expect(paged).toEqual(all);
  });

  it('HDR-07 pages of the activity list are full even when some entries belong to the trash', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Alt' } });
    for (const minutes of [15, 30, 60])
      await kontor.ask(api.saveExportSchedule, { params: { id }, body: { active: false, kind: 'interval', minutes } });
    const seen = (await kontor.ask(api.activity, { query: { limit: 100 } })).filter(({ owner }) => owner !== 'Alt');
    await kontor.ask(api.trashExport, { params: { id }, body: { name: 'Alt' } });
    expect(await kontor.ask(api.activity, { query: { limit: 3 } })).toEqual(seen.slice(0, 3));
    expect(await kontor.ask(api.activity, { query: { offset: 3, limit: 3 } })).toEqual(seen.slice(3, 6));
  });

  it('RUL-14 the oldest stored state is not shown as the one that created everything', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Alt' } });
    const { company } = await kontor.ask(api.session);
    const body = JSON.stringify([bosch]);
    await kontor.database.company(company.id, (trx) =>
      pg`insert into documents (company, subject, scope, revision, body, author, created_at)
        select ${company.id}, 'rules', ${`export:${id}`}, n, ${body}, 'x', now() - interval '2 years' from generate_series(1, 52) n`.execute(
        trx,
      ),
    );
    const deps = { database: kontor.database, clock: { now: () => new Date() } };
    expect((await prune(deps, company.id, new AbortController().signal))['documents']).toBe(2);
    const params = { subject: 'rules' as const, scope: `export:${id}` };
    const kept = await kontor.ask(api.revisions, { params, query: { limit: 100 } });
    expect(kept.at(-2)).toMatchObject({ revision: 4, changes: ['Ohne Änderung gespeichert.'] });
    const gone = ['Der Stand davor wird nicht mehr aufbewahrt.'];
    expect(kept.at(-1)).toMatchObject({ revision: 3, compared: true, changes: gone, removed: [] });
    const told = await kontor.ask(api.revisionChanges, { params: { ...params, number: 3 } });
    expect(told).toEqual({ changes: gone, removed: [] });
  });

  it('RUL-14 the same content is told apart from content that only reads the same', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Uhrzeiten' } });
    for (const times of [
      ['05:00', '06:00'],
      ['06:00', '05:00'],
      ['05:00', '06:00'],
    ])
      await kontor.ask(api.saveExportSchedule, { params: { id }, body: { active: false, kind: 'times', times } });
    const at = (revision: number) =>
      kontor.ask(api.revision, { params: { subject: 'schedule', scope: `export:${id}`, revision } });
    expect(await at(1)).toMatchObject({ back: [], same: true });
    expect(await at(2)).toMatchObject({ back: [], same: false });
    const params = { subject: 'schedule', scope: `export:${id}` } as const;
    await kontor.ask(api.saveExportSchedule, {
      params: { id },
      body: { active: false, kind: 'times', times: ['05:00', '06:00'] },
    });
    const [again, otherwise] = await kontor.ask(api.revisions, { params });
    expect(again?.changes).toEqual(['Ohne Änderung gespeichert.']);
    const untold =
      'Anders gespeichert als der Stand davor, bedeutet aber, soweit es sich in Worten sagen lässt, dasselbe.';
    expect(otherwise?.changes).toEqual([untold]);
    const told = (number: number) => kontor.ask(api.revisionChanges, { params: { ...params, number } });
    expect([(await told(3)).changes, (await told(4)).changes]).toEqual([[untold], ['Ohne Änderung gespeichert.']]);
  });

  it('unknown scopes, subjects and revisions are answered with 4xx in German, never 5xx', async () => {
    const status = async (path: string) => {
      const answer = await kontor.raw(path);
      const { error } = ErrorBody.parse(await answer.json());
      expect([path, error.message]).toEqual([path, expect.stringMatching(/\b(gibt es nicht|Bitte|Angaben|lesbar)\b/)]);
      return answer.status;
    };
    expect(await status('/api/documents/rules/master:unbekannt/revisions')).toBe(404);
    expect(await status("/api/documents/rules/'; drop table documents;--/revisions")).toBe(404);
    expect(await status(`/api/documents/geheim/master:${masterid}/revisions`)).toBe(400);
    expect(await status(`/api/documents/rules/master:${masterid}/revisions/999`)).toBe(404);
    expect(await status(`/api/documents/rules/master:${masterid}/revisions/abc`)).toBe(400);
    expect(await status('/api/documents?limit=100000')).toBe(422);
  });

  it('T22 a page of many states compares only a bounded number of them', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({
      id: String(i),
      field: [{ type: '_field' as const, value: 'farbe', caption: 'farbe' }],
      filter: 'is_equal' as const,
      value: `Wert ${i} ${'x'.repeat(60)}`,
      target: '',
      catname: '',
      active: true,
    }));
    for (let save = 0; save < 25; save++)
      await kontor.ask(api.saveColors, {
        params: { id: exportid },
        body: rows.map((row) => ({ ...row, target: String(save) })),
      });
    const params = { subject: 'colors' as const, scope: `export:${exportid}` };
    const list = await kontor.ask(api.revisions, { params, query: { limit: 25 } });
    const compared = list.filter((one) => one.compared).length;
    expect(list).toHaveLength(25);
    // Two megabytes of some 75 kB each, twice: the newest are compared at once, the others on request.
    expect(list.slice(0, 5).every((one) => one.compared)).toBe(true);
    expect(compared).toBeLessThan(20);
    const told = await kontor.ask(api.revisionChanges, { params: { ...params, number: 2 } });
    expect(told.changes.length).toBeGreaterThan(0);
  });
});
