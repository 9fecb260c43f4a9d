import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { hasInputData, inputBytes, onlyWithInputData } from '../../stages/input-data.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const json = { 'content-type': 'application/json' };
const wrongBodies = [
  '',
  '{',
  '[]',
  '{}',
  'null',
  '"x"',
  '1e400',
  '[[[[[[',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  '{"name":"\\u0000"}',
  '{"name":"\\ud800"}',
  `{"name":"${'x'.repeat(5000)}"}`,
  '{"name":19.99}',
  '{"rules":{}}',
];
/** Strings that break naive programs. */
const naughty = [
  "'; drop table masters; --",
  '"',
  '\\',
  '{{7*7}}',
  '<img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  '\u202etest',
  'ﷺ',
  '👩‍👩‍👧‍👦',
  'ÅÍÎÏ˝ÓÔ',
  '1/0',
  'NaN',
  'undefined',
  'nil',
  '-1E+02',
  '0x0',
  '\ufeff',
  '\u200b',
  'CON',
  '$HOME',
  '`ls`',
  "${'a'}",
  'ſ',
  'İ',
  'ß',
  '\ud83d',
  '=1+1',
  '@SUM(A1)',
  '%s%n%p',
  '; ls -la',
  '<!--',
  '<![CDATA[',
  ']]>',
  '&auml;&#0;',
  '\u0001\u001b[31m',
  'a\tb\nc',
  '\u2028',
  '٣',
  'Ω≈ç√∫',
  'ِْلِ',
  '12345678901234567890',
  '\\x00',
  '{"a":',
  'f0001',
  'true',
  "' OR 1=1 --",
];

const lists = [
  { from: 'of ours', absent: false, strings: () => naughty },
  {
    from: `of the input data (${onlyWithInputData})`,
    absent: !hasInputData,
    strings: () => z.array(z.string()).parse(JSON.parse(inputBytes('torture/strings/blns.json').toString('utf8'))),
  },
];

const GERMAN_SENTENCE = /\b(ist|sind|nicht|gibt|wird|bitte|die|der|das)\b.*[.!)]$/i;

describe('bad input gets 4xx and a German sentence, never 5xx', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\nA-2;Säge');
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } })).id;
  });
  afterAll(() => kontor.close());

  // A token per test: together they make more requests than one may per minute.
  let as: string;
  beforeEach(async () => {
    as = (await kontor.ask(api.createToken, { body: { name: 'Test', role: 'owner' } })).token;
  });
  const raw = (path: string, init: RequestInit & { as?: string | null } = {}) => kontor.raw(path, { as, ...init });

  const withBody = (Object.entries(api) as [string, Call][]).filter(
    ([name, call]) => call.method === 'POST' && (call.body !== undefined || name === 'import'),
  );

  it.each(withBody)('%s answers broken, empty, nested and hostile bodies without 5xx', async (_name, call) => {
    const path = pathOf(call, {
      masterid,
      id: exportid,
      projectId: exportid,
      runid: 'AAAAAAAAAAAA',
      ruleid: 'AAAAAAAAAA',
    });
    for (const body of wrongBodies) {
      const answer = await raw(path, { method: 'POST', headers: json, body });
      const text = await answer.text();
      expect([call.path, body.slice(0, 40), answer.status < 500]).toEqual([call.path, body.slice(0, 40), true]);
      if (answer.status >= 400)
        expect((JSON.parse(text) as { error: { message: string } }).error.message).toMatch(/[a-zäöüß]{3,}.*[.!)]/);
    }
  });

  it('hostile ids, offsets and filters in addresses get 4xx with a German sentence', async () => {
    const paths = [
      '/api/items/data?limit=0',
      '/api/items/data?limit=999999',
      '/api/items/data?offset=-1',
      '/api/items/data?offset=1e400',
      '/api/items/data?sort=f9999',
      '/api/items/data?sort=1;drop',
      '/api/items/data?filter=%7B',
      '/api/items/data?filter=[{"field":"x\\"","mode":"contains"}]',
      '/api/items/data?masterid=%00',
      '/api/items/data/id/%00',
      '/api/items/data/id/%ff',
      '/api/runs/__proto__',
      '/api/exports/%F0%9F%99%82',
      `/api/masters/${'x'.repeat(300)}`,
      '/feeds/x/y',
      '/api/nothing',
    ];
    for (const path of paths) {
      const answer = await raw(path);
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
      if (path.startsWith('/feeds/')) continue;
      const { error } = ErrorBody.parse(await answer.json());
      expect([path, error.message]).toEqual([path, expect.stringMatching(GERMAN_SENTENCE)]);
    }
  });

  for (const { from, absent, strings } of lists) {
    it.skipIf(absent)(
      `naughty strings ${from} work as names of masters, exports and rules, as field names and as values`,
      async () => {
        const names = strings()
          .filter((name) => name.trim() !== '')
          .map((name) => name.slice(0, 190));
        for (const name of names) {
          const answer = await raw('/api/masters', {
            method: 'POST',
            headers: json,
            body: JSON.stringify({ name }),
          });
          expect([name, answer.status < 500]).toEqual([name, true]);
        }
        const cell = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`;
        const columns = [...new Set(names.map((name) => name.replaceAll(/[\r\n\0]/g, ' ')))].slice(0, 200);
        const csv = [
          ['sku', ...columns].map(cell).join(';'),
          ...names
            .slice(0, 300)
            .map(
              (name, index) =>
                [`N-${index}`, name.replaceAll('\r', ' ')].map(cell).join(';') + ';'.repeat(columns.length - 1),
            ),
        ].join('\n');
        const master = await masterWith(kontor, csv, { key: 'sku', delimiter: ';', quote: '"', encoding: 'utf-8' });
        const { fields } = await kontor.ask(api.items, { query: { masterid: master, limit: 5 } });
        const rules = fields.slice(1, 60).map((field, index) => ({
          id: `Naughty${String(index).padStart(3, '0')}`,
          name: field.name || 'x',
          active: true,
          querys: [{ id: 'q', field: field.name, select: 'contains', value: field.name, valuetyp: '_string' }],
          actions: [{ id: 'a', field: field.name, select: 'append', value: [{ type: '_string', value: field.name }] }],
        }));
        const saved = await raw(pathOf(api.saveRules, { masterid: master }), {
          method: 'POST',
          headers: json,
          body: JSON.stringify(rules),
        });
        expect([saved.status, await saved.text()]).toEqual([200, expect.stringContaining('revision')]);
        const { id } = await kontor.ask(api.createExport, {
          params: { masterid: master },
          body: { name: 'N', format: { kind: 'jsonl' } },
        });
        const { run, text } = await runExport(kontor, id);
        expect(run.state).toBe('done');
        expect(text.trimEnd().split('\n')).toHaveLength(Math.min(300, names.length));
      },
      120_000,
    );

    it.skipIf(absent)(`naughty strings ${from} cause no error in search and filter`, async () => {
      for (const search of strings()) {
        const answer = await raw(
          `/api/items/data?masterid=${masterid}&limit=5&search=${encodeURIComponent(search.toWellFormed().slice(0, 200))}`,
        );
        expect([search, answer.status]).toEqual([search, 200]);
      }
    });
  }

  it('a stale save gets 409 and changes nothing', async () => {
    const rule = (name: string) => ({
      id: 'AAAAAAAAAA',
      name,
      description: '',
      active: false,
      querys: [],
      actions: [],
    });
    const first = await kontor.ask(api.saveRules, { params: { masterid }, body: [rule('eins')] });
    await kontor.ask(api.saveRules, { params: { masterid }, body: [rule('zwei')], ifMatch: first.revision });
    const stale = await raw(pathOf(api.saveRules, { masterid }), {
      method: 'POST',
      headers: { ...json, 'if-match': String(first.revision) },
      body: JSON.stringify([rule('drei')]),
    });
    expect(stale.status).toBe(409);
    expect(await stale.text()).toContain('zwischenzeitlich');
    expect((await kontor.ask(api.rules, { params: { masterid } }))[0]?.name).toBe('zwei');
  });

  it('a body that is too large, of the wrong type or unreadable is refused in the usual error format', async () => {
    const large = await raw('/api/masters', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ name: 'x'.repeat(2_000_000) }),
    });
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: { code: 'too_large', requestId: expect.any(String) as string } });
    for (const [type, body] of [
      ['text/plain', 'name=x'],
      ['application/xml', '<name>x</name>'],
      ['application/octet-stream', '\u0001'],
      ['image/png', 'x'],
      ['nonsense', '{}'],
    ] as const) {
      const answer = await raw('/api/masters', { method: 'POST', headers: { 'content-type': type }, body });
      const { error } = ErrorBody.parse(await answer.json());
      expect([type, answer.status, error.requestId !== '', error.message]).toEqual([
        type,
        415,
        true,
        expect.stringMatching(GERMAN_SENTENCE),
      ]);
    }
  });

  it('a wrong method gets 405 with the allowed methods, an unknown address gets 404', async () => {
    const asked = async (method: string, path: string) => {
      const answer = await kontor.raw(path, { method });
      const { error } = ErrorBody.parse(await answer.json());
      return [answer.status, error.code, answer.headers.get('allow')];
    };
    const rule = pathOf(api.rules, { masterid });
    expect(await asked('DELETE', rule)).toEqual([405, 'wrong_method', api.rules.method]);
    expect(await asked('GET', `${api.updateFields.path}?x=/y`)).toEqual([405, 'wrong_method', 'POST']);
    expect(await asked('PUT', api.items.path)).toEqual([405, 'wrong_method', 'GET, HEAD']);
    expect(await asked('DELETE', '/api/gibt/es/nicht')).toEqual([404, 'not_found', null]);
    // The method exists, but the object does not.
    expect(await asked('GET', pathOf(api.run, { runid: 'Zzzzzzzzz1' }))).toEqual([404, 'not_found', null]);
  });
});
