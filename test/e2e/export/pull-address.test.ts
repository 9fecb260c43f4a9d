import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { csv, exportOf, plain } from '../../stages/export/odd-items.ts';

describe('the address of an export', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
  });
  afterAll(() => kontor.close());

  const exportWith = (format: object, rows: ConstructionRow[]) => exportOf(kontor, masterid, format, rows);

  it('the secret address serves the file with ETag, gzip and the time of the last fetch, and nothing to a wrong token', async () => {
    const id = await exportWith({ kind: 'csv' }, plain);
    await runExport(kontor, id);
    const { pullPath, file } = await kontor.ask(api.export, { params: { id } });
    const first = await kontor.raw(pullPath, { as: null, headers: { 'accept-encoding': 'identity' } });
    expect(first.status).toBe(200);
    expect(await first.text()).toContain('A-4');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toBe(`"${file?.etag}"`);
    expect((await kontor.raw(pullPath, { as: null, headers: { 'if-none-match': etag } })).status).toBe(304);
    const when = (await kontor.raw(pullPath, { as: null, method: 'HEAD' })).headers.get('last-modified') ?? '';
    const since = async (more: object) =>
      (await kontor.raw(pullPath, { as: null, headers: { 'if-modified-since': when, ...more } })).status;
    const other = new Date(Date.parse(when) + 60_000).toUTCString();
    expect([
      await since({}),
      await since({ 'if-none-match': '"anders"' }),
      await since({ 'if-modified-since': other }),
      await since({ 'if-modified-since': 'gestern' }),
    ]).toEqual([304, 200, 200, 200]);
    expect((await kontor.ask(api.export, { params: { id } })).file?.lastFetchedAt).not.toBeNull();
    const wrong = await kontor.raw(pullPath.replace(/feeds\/..../, 'feeds/xxxx'), { as: null });
    expect(wrong.status).toBe(404);
  });

  it('HEAD and GET of the file report the same Content-Length', async () => {
    const id = await exportWith({ kind: 'csv' }, plain);
    await runExport(kontor, id);
    const { pullPath, file } = await kontor.ask(api.export, { params: { id } });
    const own = pathOf(api.exportFile, { id });
    for (const [path, as] of [
      [pullPath, null],
      [own, undefined],
    ] as const)
      for (const method of ['HEAD', 'GET']) {
        const answer = await kontor.raw(path, {
          method,
          ...(as === null ? { as } : {}),
          headers: { 'accept-encoding': 'identity' },
        });
        expect([path, method, answer.status, answer.headers.get('content-length')]).toEqual([
          path,
          method,
          200,
          String(file?.bytes),
        ]);
        expect((await answer.bytes()).length).toBe(method === 'HEAD' ? 0 : file?.bytes);
      }
    const packed = await kontor.raw(pullPath, { as: null, headers: { 'accept-encoding': 'gzip' } });
    expect([packed.headers.get('content-encoding'), packed.headers.get('content-length')]).toEqual(['gzip', null]);
    expect((await packed.bytes()).length).toBe(file?.bytes);
  });

  it('an unchanged file gets 304 by ETag or date, also at the address that requires a token', async () => {
    const id = await exportWith({ kind: 'csv' }, plain);
    await runExport(kontor, id);
    const path = pathOf(api.exportFile, { id });
    const first = await kontor.raw(path, { headers: { 'accept-encoding': 'identity' } });
    const [etag, when] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
    await first.bytes();
    const status = async (headers: Record<string, string>) => {
      const answer = await kontor.raw(path, { headers });
      await answer.bytes();
      return answer.status;
    };
    expect([
      await status({ 'if-none-match': etag }),
      await status({ 'if-none-match': `"anders", W/${etag}` }),
      await status({ 'if-none-match': '"anders"' }),
      await status({ 'if-modified-since': when }),
    ]).toEqual([304, 304, 200, 304]);
  });

  it('a renewed address ends the former one at once or after seven days, and viewers see no address', async () => {
    const id = await exportWith({ kind: 'csv' }, plain);
    await runExport(kontor, id);
    const status = async (path: string) => (await kontor.raw(path, { as: null })).status;
    const { pullPath: first } = await kontor.ask(api.export, { params: { id } });
    const { pullPath: second } = await kontor.ask(api.renewFeedAddress, { params: { id }, body: { graceDays: 7 } });
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    const until = await kontor.database.system((trx) =>
      trx.selectFrom('old_feed_addresses').select('until').where('export', '=', id).executeTakeFirstOrThrow(),
    );
    expect(Math.round((until.until.getTime() - Date.now()) / 3_600_000)).toBe(7 * 24);
    await kontor.database.system((trx) =>
      trx
        .updateTable('old_feed_addresses')
        .set({ until: new Date(Date.now() - 1) })
        .where('export', '=', id)
        .execute(),
    );
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    const { pullPath: third } = await kontor.ask(api.renewFeedAddress, { params: { id }, body: { graceDays: 7 } });
    const { pullPath: fourth } = await kontor.ask(api.renewFeedAddress, { params: { id }, body: { graceDays: 0 } });
    expect(await Promise.all([first, second, third, fourth].map(status))).toEqual([404, 404, 404, 200]);
    const { token } = await kontor.ask(api.createToken, { body: { name: 'Betrachter', role: 'viewer' } });
    const seen = await kontor.ask(api.export, { params: { id }, as: token });
    expect(seen).toMatchObject({ pullPath: '', feeds: [], deltaPath: null });
    expect(JSON.stringify(seen)).not.toContain(fourth.split('/')[2]);
  });

  it('a large file is sent gzipped when the channel takes gzip', async () => {
    const items = Array.from({ length: 2000 }, (_, index) => `B-${index};Artikel ${index}`).join('\n');
    const master = await masterWith(kontor, `sku;titel\n${items}`);
    const { id } = await kontor.ask(api.createExport, { params: { masterid: master }, body: { name: 'Groß' } });
    const { text: whole } = await runExport(kontor, id);
    const { pullPath } = await kontor.ask(api.export, { params: { id } });
    const { request } = await import('undici');
    const packed = await request(kontor.url + pullPath, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(Buffer.from(await packed.body.arrayBuffer())).toString()).toBe(whole);
    // The compressed bytes differ, so a range request cannot continue either of them (RFC 9110, 8.8.3).
    const { etag: tag, 'accept-ranges': ranges } = packed.headers;
    expect([tag, ranges]).toEqual([expect.stringMatching(/^W\/"/), undefined]);
    const ask = (headers: Record<string, string>) => request(kontor.url + pullPath, { headers });
    const known = await ask({ 'accept-encoding': 'gzip', 'if-none-match': String(tag) });
    expect([known.statusCode, known.headers['etag']]).toEqual([304, tag]);
    expect((await ask({ range: 'bytes=3-9', 'if-range': String(tag) })).statusCode).toBe(200);
    const plainTag = String(tag).slice(2);
    expect((await ask({})).headers['etag']).toBe(plainTag);
    const again = await ask({ 'if-none-match': plainTag });
    expect([again.statusCode, again.headers['etag']]).toEqual([304, plainTag]);
    expect((await ask({ range: 'bytes=3-9', 'if-range': plainTag })).statusCode).toBe(206);
  });
});
