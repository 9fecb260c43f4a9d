import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import type { ItemPage } from '#shared/items/schema.ts';
import { numberText } from '#shared/values/number-text.ts';
import { catalogueCsv } from '../../../seed/catalogue.ts';
import { importFile, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const items = 12_000;

describe('items', () => {
  let kontor: TestKontor;
  let masterid: string;
  let first: ItemPage;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, [...catalogueCsv(items)].join(''));
    first = await kontor.ask(api.items, { query: { masterid, limit: 50 } });
  });
  afterAll(() => kontor.close());

  const idOf = (name: string) => first.fields.find((field) => field.name === name)?.id ?? '';
  const page = (query: Record<string, string | number>) =>
    kontor.ask(api.items, { query: { masterid, limit: 50, ...query } });

  it('ITE-01 chunks of 5000 return every item once, in file order, until finished', async () => {
    const seen: string[] = [];
    for (let chunk = 0; ; chunk++) {
      const answer = await kontor.ask(api.items, { query: { masterid, offset: 5000 * chunk, limit: 5000 } });
      expect(answer).toMatchObject({ total: items, pageCount: 3, message: '' });
      seen.push(...answer.data.map((row) => row['_id'] ?? ''));
      if (answer.finished) break;
    }
    expect(seen).toHaveLength(items);
    expect(new Set(seen).size).toBe(items);
    expect(seen[0]).toBe('NK-100000');
  });

  it('ITE-02 columns are requested one by one or as a range', async () => {
    const shown = async (columns: string) => (await page({ columns, limit: 1 })).columns.map(({ id }) => id);
    expect(await shown('f0001-f0002')).toEqual(await shown('f0001,f0002'));
    expect(await shown('f0001-f0002')).toEqual(expect.arrayContaining(['f0001', 'f0002']));
  });

  it('ITE-01 a value starting with a byte order mark is shown, found and fetched for a mapping unchanged', async () => {
    const master = await masterWith(kontor, 'sku;marke\nM-1;\ufeffBosch\nM-2;Fjord\n');
    const { data, columns } = await kontor.ask(api.items, { query: { masterid: master } });
    const field = columns.find(({ name }) => name === 'marke')?.id ?? '';
    expect(data.map((row) => row[field])).toEqual(['\ufeffBosch', 'Fjord']);
    const filter = JSON.stringify([{ field, mode: 'is_equal', value: data[0]?.[field] }]);
    expect(await kontor.ask(api.items, { query: { masterid: master, filter } })).toMatchObject({ total: 1 });
    const rows = await kontor.ask(api.missingRows, {
      params: { id: master },
      body: { field: 'marke', type: '_field' },
    });
    expect(rows.map(({ value }) => value).toSorted()).toEqual(['Fjord', '\ufeffBosch']);
  });

  it('ITE-01 later pages use the snapshot of the first page even if an import ran in between', async () => {
    const list = (from: number) => Array.from({ length: 6 }, (_, n) => `L-${from + n};Tasse ${from + n}\n`).join('');
    const master = await masterWith(kontor, `sku;titel\n${list(1)}`);
    const ids = ({ data }: ItemPage) => data.map((row) => row['_id']);
    const chunk = (query: object) => kontor.ask(api.items, { query: { masterid: master, limit: 3, ...query } });
    const one = await chunk({});
    // Two items were deleted and one was added: by position alone one would be missed.
    await importFile(kontor, master, { name: 'artikel.csv', bytes: `sku;titel\nL-0;Neu\n${list(3)}` });
    const two = await chunk({ offset: 3, snapshot: one.snapshot ?? 0 });
    expect([...ids(one), ...ids(two)]).toEqual(['L-1', 'L-2', 'L-3', 'L-4', 'L-5', 'L-6']);
    expect([two.snapshot, two.finished, two.columns]).toEqual([one.snapshot, true, one.columns]);
    expect((await chunk({})).snapshot).not.toBe(one.snapshot);
    const gone = async (number: number) => {
      const answer = await kontor.raw(`/api/items/data?masterid=${master}&snapshot=${number}`);
      return [answer.status, ErrorBody.parse(await answer.json()).error.code];
    };
    await kontor.database.system((trx) =>
      trx
        .updateTable('snapshots')
        .set({ gone_at: new Date() })
        .where('master', '=', master)
        .where('number', '=', one.snapshot ?? 0)
        .execute(),
    );
    expect([await gone(one.snapshot ?? 0), await gone(77)]).toEqual([
      [410, 'state_gone'],
      [410, 'state_gone'],
    ]);
  });

  it('ITE-01 rows carry _id and imageUrl', () => {
    expect(first.data[0]).toMatchObject({
      _id: 'NK-100000',
      imageUrl: expect.stringMatching(/^https:.*jpg$/) as string,
    });
  });

  it('ITE-07 pages, sorts and filters on the server', async () => {
    const sorted = await page({ sort: idOf('Bestand'), direction: 'desc' });
    const stocks = sorted.data.map((row) => Number(row[idOf('Bestand')]));
    expect(stocks).toEqual(stocks.toSorted((a, b) => b - a));
    expect(stocks[0]).toBe(499);
    const next = await page({ sort: idOf('Bestand'), direction: 'desc', offset: 50 });
    expect(Number(next.data[0]?.[idOf('Bestand')])).toBeLessThanOrEqual(stocks.at(-1) ?? 0);
    const filter = JSON.stringify([
      { field: idOf('Marke'), mode: 'is_equal', value: 'küBLER' },
      { field: idOf('Preis'), mode: 'is_empty' },
    ]);
    const filtered = await page({ filter });
    expect(filtered.total).toBeGreaterThan(0);
    for (const row of filtered.data) expect([row[idOf('Marke')], row[idOf('Preis')]]).toEqual(['Kübler', null]);
  });

  it('ITE-07 prices in German and English spelling sort by their number', async () => {
    const { data } = await page({ sort: idOf('Preis'), direction: 'desc', limit: 20 });
    expect(
      data.every(
        (row) =>
          /^1\d\.\d{3},/.test(row[idOf('Preis')] ?? '') ||
          /^1\d{4}\.\d\d$/.test(row[idOf('Preis')] ?? '') ||
          /^1\d\.?\d{3}/.test(row[idOf('Preis')] ?? ''),
      ),
    ).toBe(true);
  });

  it('ITE-07 number columns are filtered by greater, less and between, in any spelling', async () => {
    const prices = async (filter: object, direction: 'asc' | 'desc' = 'asc') => {
      const field = idOf('Preis');
      const { total, data } = await page({ filter: JSON.stringify([{ field, ...filter }]), sort: field, direction });
      return { total, first: Number(numberText(data[0]?.[field] ?? '')) };
    };
    const above = await prices({ mode: 'is_greater', value: '1.000,00 €' });
    expect(above.first).toBeGreaterThan(1000);
    const below = await prices({ mode: 'is_less', value: '100' }, 'desc');
    expect(below.first).toBeLessThan(100);
    const { first: lowest, total } = await prices({ mode: 'between', value: '100', to: '1000' });
    expect(lowest).toBeGreaterThanOrEqual(100);
    const numbers = await prices({ mode: 'between', value: '-1000000', to: '1000000' });
    expect(above.total + below.total + total).toBe(numbers.total);
    await expect(prices({ mode: 'between', value: '1', to: 'viel' })).rejects.toThrow('422');
  });

  it('search looks into every field without regard to case', async () => {
    const found = await page({ search: 'ÜBERSPANNUNGSSCHUTZ' });
    expect(found.total).toBeGreaterThan(100);
    expect(found.data.every((row) => JSON.stringify(row).toLowerCase().includes('überspannungsschutz'))).toBe(true);
    expect(await page({ search: 'gibt es nicht 4711' })).toMatchObject({
      total: 0,
      data: [],
      finished: true,
      message: expect.stringContaining('Kein Artikel') as string,
    });
  });

  it('ITE-04 one item is answered by its number with every field by name and its neighbours', async () => {
    const card = await kontor.ask(api.item, { params: { id: 'NK-100001' }, query: { masterid } });
    expect(card.data).toMatchObject({ _id: 'NK-100001', Artikelnummer: 'NK-100001' });
    expect(Object.keys(card.data)).toHaveLength(61);
    expect(card.neighbours).toEqual({ previous: 'NK-100000', next: 'NK-100002' });
  });

  it.each(['asc', 'desc'] as const)(
    'ITE-04 the neighbours follow order (%s), search and filter of the grid',
    async (direction) => {
      const selection = {
        sort: idOf('Bestand'),
        direction,
        search: 'kübler',
        filter: JSON.stringify([{ field: idOf('Preis'), mode: 'is_greater', value: '50' }]),
      };
      const { data, total } = await kontor.ask(api.items, { query: { masterid, limit: 5000, ...selection } });
      const ids = data.map((row) => row['_id'] ?? null);
      const around = async (id: string) =>
        (await kontor.ask(api.item, { params: { id }, query: { masterid, ...selection } })).neighbours;
      for (const at of [0, 1, Math.floor(total / 2), total - 1]) {
        expect(await around(ids[at] ?? '')).toEqual({ previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null });
      }
      const outside = await page({ filter: JSON.stringify([{ field: idOf('Preis'), mode: 'is_empty' }]), limit: 1 });
      expect(await around(outside.data[0]?.['_id'] ?? '')).toEqual({ previous: null, next: null });
    },
  );

  it('ITE-02 the chosen columns are remembered, and only they are sent', async () => {
    const hidden = first.fields.slice(5).map((field) => ({ id: field.id, show: 0 as const }));
    await kontor.ask(api.updateFields, { body: { masterid, updatedColumns: hidden } });
    const after = await page({});
    expect(after.columns.map((column) => column.name)).toEqual([
      'Artikelnummer',
      ...first.fields.slice(0, 5).map((field) => field.name),
    ]);
    expect(Object.keys(after.data[0] ?? {})).toHaveLength(7);
    await kontor.ask(api.updateFields, {
      body: { masterid, updatedColumns: hidden.map(({ id }) => ({ id, show: 1 as const })) },
    });
    expect((await page({})).columns).toHaveLength(61);
    const unknown = kontor.ask(api.updateFields, {
      body: {
        masterid,
        updatedColumns: [
          { id: first.fields[0]?.id ?? '', show: 0 },
          { id: 'f9999', show: 0 },
        ],
      },
    });
    await expect(unknown).rejects.toThrow('404');
    expect((await page({})).columns).toHaveLength(61);
  });

  it('T10 an item can have a field named __proto__', async () => {
    const other = await masterWith(kontor, 'sku;__proto__;constructor\nA-1;eins;zwei', { key: 'sku' });
    const query = new URLSearchParams({ masterid: other });
    const answer = await kontor.raw(`/api/items/data/id/A-1?${query.toString()}`);
    expect(await answer.text()).toContain('"__proto__":"eins","constructor":"zwei"');
  });

  it('ITE-02 the CSV download holds the selection, safe to open in a spreadsheet (T21)', async () => {
    const master = await masterWith(kontor, 'sku;titel;preis\nA-1;=1+1;-5\nA-2;"@x ""y""";+3\nA-3;Säge;\n');
    const answer = await kontor.raw(`/api/items/csv?masterid=${master}`);
    expect(answer.headers.get('content-disposition')).toContain('filename="Artikel-Testkatalog.csv"');
    const rows = parse(await answer.text(), { delimiter: ';', bom: true });
    expect(rows).toEqual([
      ['sku', 'titel', 'preis'],
      ['A-1', "'=1+1", '-5'],
      ['A-2', `'@x "y"`, '+3'],
      ['A-3', 'Säge', ''],
    ]);
    const part = await kontor.raw(`/api/items/csv?masterid=${master}&search=${encodeURIComponent('Säge')}`);
    expect(part.headers.get('content-disposition')).toContain('filename="Artikel-Testkatalog-Auswahl.csv"');
  });

  it('ITE-06 a catalogue without items answers with a readable message', async () => {
    const { masterid: empty } = await kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    expect(await kontor.ask(api.items, { query: { masterid: empty } })).toMatchObject({
      total: 0,
      finished: true,
      message: expect.stringContaining('noch keine Artikel') as string,
    });
  });

  it('a call without an id uses the newest catalogue with items', async () => {
    const answer = await kontor.raw('/api/items/data?offset=0&limit=5000');
    expect(((await answer.json()) as ItemPage).total).toBe(3);
  });

  it('field names like __proto__ and constructor are plain fields', async () => {
    const master = await masterWith(kontor, 'sku;__proto__;constructor;toString\nA-1;a;b;c\n');
    const card = await (await kontor.raw(`/api/items/data/id/A-1?masterid=${master}`)).text();
    expect(JSON.parse(card)).toMatchObject({ data: { constructor: 'b', toString: 'c' } });
    expect(card).toContain('"__proto__":"a"');
  });

  it("ITE-01 without an id the browser's last used catalogue is used, and a header names it", async () => {
    const { masterid: other } = await kontor.ask(api.createMaster, { body: { name: 'Zweiter' } });
    const meant = async (path: string, cookie: string, method = 'GET') => {
      const answer = await kontor.raw(path, { method, headers: { cookie } });
      // An unread answer would keep its connection open, and the program from stopping.
      await answer.text();
      return answer.headers.get('x-kontor-masterid');
    };
    expect(await meant('/api/items/data', `kontor_zuletzt=${masterid}.`)).toBe(masterid);
    expect(await meant('/api/items/data', `kontor_zuletzt=${other}.`)).toBe(other);
    expect(await meant('/api/fielddata/', `kontor_zuletzt=${other}.`, 'POST')).toBe(other);
    // Another company's catalogue or an unreadable cookie is ignored.
    const usual = await meant('/api/items/data', '');
    expect(await meant('/api/items/data', 'kontor_zuletzt=fremd.')).toBe(usual);
    expect(await meant('/api/items/data', 'kontor_zuletzt=%E0%A4%A')).toBe(usual);
  });
});
