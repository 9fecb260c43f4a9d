import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { loadList } from '../../stages/feed/assignment-page.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { rule, when } from '../../stages/feed/rules.ts';

/** Returns a rule that appends a letter to a field's value. */
const lengthens = (number: number, field: string) =>
  rule(
    `R${String(number).padStart(4, '0')}`,
    [when('sku', 'contains', 'A')],
    [{ field, select: 'append', value: [{ type: '_string', value: '!' }] }],
  );

describe('large answers (T22)', () => {
  let kontor: TestKontor;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    kontor = await testKontor();
    const rows = Array.from({ length: 300 }, (_, n) => `A-${n};Ware ${n};rot`);
    masterid = await masterWith(kontor, ['sku;titel;farbe', ...rows, ''].join('\n'), { key: 'sku' });
    ({ id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal', channel: 'google' } }));
  });
  afterAll(() => kontor.close());

  const asked = async (call: Call, params: Record<string, string>, body?: unknown) => {
    const answer = await kontor.raw(pathOf(call, params), {
      method: call.method,
      headers: { 'accept-encoding': 'identity', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, json: await answer.json() };
  };

  it('H6 the grid, an explanation and suggestions are streamed in chunks and match their schemas', async () => {
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [lengthens(1, 'titel')] });
    await loadList(kontor, id, 'colors', 'id;name\n1;Rot\n2;Rotbraun\n');
    const values = Array.from({ length: 300 }, (_, n) => ({ value: `rot ${n}` }));
    for (const [call, params, body] of [
      [api.items, { masterid }, undefined],
      [api.explain, { masterid, itemid: 'A-1' }, undefined],
      [api.suggestTargets, { id }, { table: 'colors', values }],
      [api.suggestSources, { id }, {}],
    ] as const) {
      const { status, headers, json } = await asked(call, params, body);
      expect([call.path, status]).toEqual([call.path, 200]);
      // If written at once, it would have a content length.
      expect([call.path, headers.get('content-length'), headers.get('transfer-encoding')]).toEqual([
        call.path,
        null,
        'chunked',
      ]);
      expect(call.response.parse(json)).toEqual(json);
    }
  });

  it('an item with too much text is not explained but refused with a reason', async () => {
    const long = await masterWith(kontor, `sku;text\nA-1;${'x'.repeat(900_000)}\nA-2;kurz\n`, { key: 'sku' });
    const rules = Array.from({ length: 30 }, (_, n) => lengthens(n, 'text'));
    await kontor.ask(api.saveMasterRules, { params: { masterid: long }, body: rules });
    const { status, json } = await asked(api.explain, { masterid: long, itemid: 'A-1' });
    expect({ status, json }).toMatchObject({
      status: 422,
      json: { error: { code: 'explanation_too_large', message: expect.stringContaining('kürzen') as string } },
    });
    // Its neighbour can be explained, and so can the item when fewer rules change it.
    expect((await asked(api.explain, { masterid: long, itemid: 'A-2' })).status).toBe(200);
    await kontor.ask(api.saveMasterRules, { params: { masterid: long }, body: rules.slice(0, 3) });
    expect((await asked(api.explain, { masterid: long, itemid: 'A-1' })).status).toBe(200);
  });

  it('suggestions for too many values are refused with a hint; fewer values are answered', async () => {
    const info = 'i'.repeat(2000);
    const list = Array.from({ length: 10 }, (_, n) => `${n};Bohrer ${n};${info}`);
    await loadList(kontor, id, 'brands', ['id;name;info', ...list, ''].join('\n'));
    const values = Array.from({ length: 5000 }, (_, n) => ({ value: `Bohrer ${n}` }));
    const { status, json } = await asked(api.suggestTargets, { id }, { table: 'brands', values, most: 10 });
    expect({ status, json }).toMatchObject({
      status: 422,
      json: { error: { code: 'answer_too_large', message: expect.stringContaining('weniger Zeilen') as string } },
    });
    const few = await asked(api.suggestTargets, { id }, { table: 'brands', values: values.slice(0, 500), most: 10 });
    expect(few.status).toBe(200);
    expect(few.json).toHaveLength(500);
  });
});
