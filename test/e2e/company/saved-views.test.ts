import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const json = { 'content-type': 'application/json' };

describe('saved views of tables', () => {
  let kontor: TestKontor;
  let masterid: string;
  let viewer: string;
  let editor: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    viewer = (await kontor.ask(api.createToken, { body: { name: 'Leserin', role: 'viewer' } })).token;
    editor = (await kontor.ask(api.createToken, { body: { name: 'Redaktion', role: 'editor' } })).token;
  });
  afterAll(() => kontor.close());

  const orders = { table: 'orders' as const };
  const names = async (as?: string) =>
    (await kontor.ask(api.savedViews, { query: orders, ...(as === undefined ? {} : { as }) })).views.map(
      ({ name }) => name,
    );
  const post = async (path: string, body: unknown, as?: string) => {
    const answer = await kontor.raw(path, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
      ...(as === undefined ? {} : { as }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  it('a private view is seen by its owner alone, a shared one by the whole company', async () => {
    const body = { ...orders, name: ' Offene Eilige ', query: 'filter=heute' };
    const mine = await kontor.ask(api.createView, { body });
    expect(mine).toMatchObject({ name: 'Offene Eilige', own: true, shared: false, revision: 1 });
    expect(await names(viewer)).toEqual([]);
    await kontor.ask(api.saveView, { params: { view: mine.id }, body: { shared: true } });
    expect(await names(viewer)).toEqual(['Offene Eilige']);
    const [seen] = (await kontor.ask(api.savedViews, { query: orders, as: viewer })).views;
    expect(seen).toMatchObject({ own: false, query: 'filter=heute' });
    expect((await post(`/api/views/${mine.id}`, { name: 'Anders' }, viewer)).status).toBe(403);
    expect((await post(`/api/views/${mine.id}`, { name: 'Anders' }, editor)).status).toBe(200);
    await kontor.ask(api.deleteView, { params: { view: mine.id } });
    expect(await names(viewer)).toEqual([]);
  });

  it('a viewer can save own views, but cannot share them', async () => {
    const shared = await post('/api/views', { ...orders, name: 'Für alle', query: '', shared: true }, viewer);
    expect(shared.status).toBe(403);
    const own = await kontor.ask(api.createView, { as: viewer, body: { ...orders, name: 'Meine', query: '' } });
    expect((await post(`/api/views/${own.id}`, { shared: true }, viewer)).status).toBe(403);
    for (const path of [`/api/views/${own.id}`, `/api/views/${own.id}/standard`])
      expect((await post(path, { name: 'Fremd', standard: true })).status).toBe(404);
    await kontor.ask(api.deleteView, { as: viewer, params: { view: own.id } });
  });

  it('each user has one default view per table, which ends when the view is no longer visible', async () => {
    const ask = (as: string) => kontor.ask(api.savedViews, { query: orders, as });
    const one = await kontor.ask(api.createView, {
      as: editor,
      body: { ...orders, name: 'A', query: '', shared: true },
    });
    const two = await kontor.ask(api.createView, {
      as: editor,
      body: { ...orders, name: 'B', query: '', shared: true },
    });
    for (const { id } of [one, two])
      await kontor.ask(api.setStandardView, { as: editor, params: { view: id }, body: { standard: true } });
    await kontor.ask(api.setStandardView, { as: viewer, params: { view: one.id }, body: { standard: true } });
    expect((await ask(editor)).standard).toBe(two.id);
    expect((await ask(viewer)).standard).toBe(one.id);
    await kontor.ask(api.saveView, { as: editor, params: { view: one.id }, body: { shared: false } });
    expect(await ask(viewer)).toMatchObject({ standard: null });
    await kontor.ask(api.setStandardView, { as: editor, params: { view: two.id }, body: { standard: false } });
    expect((await ask(editor)).standard).toBeNull();
    for (const { id } of [one, two]) await kontor.ask(api.deleteView, { as: editor, params: { view: id } });
  });

  it('names have 1 to 80 characters, are unique, and are returned as written', async () => {
    const name = '<img src=x onerror=alert(1)> & „mehr“';
    const { id } = await kontor.ask(api.createView, { body: { ...orders, name, query: 'suche=%3Cb%3E' } });
    expect(await names()).toEqual([name]);
    const refusals: [unknown, string][] = [
      [{ ...orders, name: '   ', query: '' }, 'Bitte geben Sie der Ansicht einen Namen.'],
      [{ ...orders, name: 'n'.repeat(81), query: '' }, 'höchstens 80 Zeichen'],
      [{ ...orders, name, query: '' }, 'Eine Ansicht mit diesem Namen gibt es hier schon.'],
      [{ ...orders, name: 'lang', query: 'x'.repeat(20_001) }, 'zu umfangreich'],
      [{ table: 'items', name: 'ohne Katalog', query: '' }, 'Bitte nennen Sie den Katalog'],
    ];
    for (const [body, words] of refusals) {
      const { status, text } = await post('/api/views', body);
      expect([status, text]).toEqual([422, expect.stringContaining(words)]);
    }
    await kontor.ask(api.deleteView, { params: { view: id } });
  });

  it('a table can have 100 views, even when the last ones are created concurrently', async () => {
    const add = (index: number) =>
      post('/api/views', { table: 'items', masterid, name: `Ansicht ${index}`, query: '' });
    for (let index = 0; index < 98; index += 1) expect((await add(index)).status).toBe(200);
    const last = await Promise.all([98, 99, 100, 101].map(add));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 422, 422]);
    expect(last.find(({ status }) => status === 422)?.text).toContain('Bitte löschen Sie zuerst eine.');
    const { views } = await kontor.ask(api.savedViews, { query: { table: 'items', masterid } });
    expect(views.map(({ name }) => name).slice(0, 3)).toEqual(['Ansicht 0', 'Ansicht 1', 'Ansicht 2']);
    expect(views).toHaveLength(100);
  });

  it("a removed member's private views are deleted, shared ones stay and can become another member's own", async () => {
    const member = {
      name: 'Kurz',
      email: 'kurz@beispiel.de',
      password: 'langes-rotes-geheimwort',
      role: 'editor' as const,
    };
    const { id } = await addMember(kontor, member);
    const signedIn = await kontor.raw('/api/session', {
      method: 'POST',
      as: null,
      headers: { ...json, 'x-kontor': '1' },
      body: JSON.stringify(member),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    for (const shared of [true, false]) {
      const answer = await kontor.raw('/api/views', {
        method: 'POST',
        as: null,
        headers: { ...json, cookie, 'x-kontor': '1' },
        body: JSON.stringify({ table: 'stock', name: `geteilt ${shared}`, query: '', shared }),
      });
      expect(answer.status).toBe(200);
    }
    await kontor.ask(api.deleteMember, { params: { id } });
    const left = await kontor.database.system((trx) =>
      trx.selectFrom('saved_views').select('name').where('place', '=', 'stock').execute(),
    );
    expect(left).toEqual([{ name: 'geteilt true' }]);
    const stock = { query: { table: 'stock' as const } };
    const [shared] = (await kontor.ask(api.savedViews, { ...stock, as: editor })).views;
    expect(shared).toMatchObject({ name: 'geteilt true', own: false, owner: 'Kurz' });
    const kept = { params: { view: shared?.id ?? '' }, body: { shared: false } };
    expect(await kontor.ask(api.saveView, { ...kept, as: editor })).toMatchObject({ own: true, shared: false });
    expect((await kontor.ask(api.savedViews, { ...stock, as: editor })).views).toMatchObject([{ id: shared?.id }]);
    expect((await kontor.ask(api.savedViews, { ...stock, as: viewer })).views).toEqual([]);
    await kontor.ask(api.deleteView, { params: { view: shared?.id ?? '' }, as: editor });
  });

  it('a shared view that another user makes private returns to its creator', async () => {
    const body = { ...orders, name: 'Gemeinsam', query: '', shared: true };
    const made = await kontor.ask(api.createView, { body, as: editor });
    const taken = { params: { view: made.id }, body: { shared: false } };
    expect(await kontor.ask(api.saveView, taken)).toMatchObject({ own: false, shared: false });
    expect(await names()).toEqual([]);
    expect(await names(editor)).toEqual(['Gemeinsam']);
    await kontor.ask(api.deleteView, { params: { view: made.id }, as: editor });
  });

  it('a grid and its CSV have the requested columns in catalogue order', async () => {
    const { columns, data } = await kontor.ask(api.items, { query: { masterid, columns: 'f0002,f9999' } });
    expect(columns.map(({ id }) => id)).toEqual(['_id', 'f0002']);
    expect(data[0]).toEqual({ _id: 'A-1', imageUrl: null, f0002: 'Hammer' });
    const csv = await (await kontor.raw(`/api/items/csv?masterid=${masterid}&columns=f0002`)).text();
    expect(csv.split(/\r?\n/)[0]).toContain('titel');
  });
});
