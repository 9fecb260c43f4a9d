import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { importFile, masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { exclude, rule, set, when } from '../../stages/feed/rules.ts';
import { namesIn, sftpServer, textOf } from '../../servers/sftp-server.ts';

type Item = { titel: string; preis: string; bestand: string };
type Items = Map<string, Item>;

const start = (): Items =>
  new Map(
    Array.from({ length: 60 }, (_, index) => [
      `A-${index}`,
      { titel: `Ware ${index}`, preis: `${10 + index},50`, bestand: String(index % 7) },
    ]),
  );
const csvOf = (items: Items) =>
  [
    'sku;titel;preis;bestand',
    ...[...items].map(([sku, { titel, preis, bestand }]) => `${sku};${titel};${preis};${bestand}`),
    '',
  ].join('\n');
const rowsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => [line.split(';')[0] ?? '', line]),
  );

describe('exporting only changes', () => {
  let kontor: TestKontor;
  let time = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(time) } });
  });
  afterAll(() => kontor.close());

  /** Creates a catalogue with an export of changes, run once. */
  const exported = async (delta: object = {}) => {
    const items = start();
    const masterid = await masterWith(kontor, csvOf(items), { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv' } },
    });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, {
      params: { id },
      body: { ...settings, delta: { active: true, removed: 'zero', ...delta } },
    });
    const shown = await kontor.ask(api.export, { params: { id } });
    const fetched = async (path: string) => {
      const answer = await kontor.raw(path, { as: null });
      return answer.ok ? answer.text() : String(answer.status);
    };
    return {
      masterid,
      id,
      items,
      first: await runExport(kontor, id),
      load: (now: Items) => importFile(kontor, masterid, { name: 'a.csv', bytes: csvOf(now) }),
      run: async (query = {}): Promise<Run> =>
        settled(kontor, (await kontor.ask(api.runExport, { params: { id }, query })).runid),
      changes: () => fetched(shown.deltaPath ?? ''),
      whole: () => fetched(shown.pullPath),
      stock: () => fetched(shown.feeds.find(({ type }) => type === 3)?.path ?? ''),
    };
  };

  it('a file of changes warns when it holds more items than the channel accepts', async () => {
    const csv = (word: string) =>
      ['sku;titel', ...Array.from({ length: 501 }, (_, index) => `A-${index};${word} ${index}`), ''].join('\n');
    const masterid = await masterWith(kontor, csv('Ware'), { key: 'sku' });
    const body = { name: 'Otto', channel: 'otto', format: 'json', filename: 'otto.json' } as const;
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, {
      params: { id },
      body: { ...settings, delta: { ...settings.delta, active: true } },
    });
    const rows = ['sku', 'titel'].map((value) =>
      ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: value }] }),
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    const more = expect.stringContaining('höchstens 500 Artikel in einer Datei') as string;
    expect((await runExport(kontor, id)).run.warnings).toContainEqual(more);
    await importFile(kontor, masterid, { name: 'a.csv', bytes: csv('Neu') });
    const { run } = await runExport(kontor, id);
    expect(run.message).toContain('Nur Änderungen seit Datei');
    expect(run.warnings).toContainEqual(more);
  });

  it('a file of changes warns of characters that its encoding lacks', async () => {
    const { id, items, load, run } = await exported();
    const { settings } = await kontor.ask(api.export, { params: { id } });
    const format = { ...settings.format, encoding: 'windows-1252' as const };
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, format } });
    await run();
    items.set('A-3', { titel: 'Ware → 3', preis: '13,50', bestand: '3' });
    await load(items);
    const { message, warnings } = await run();
    expect(message).toBe('Nur Änderungen seit Datei 2.');
    expect(warnings).toContainEqual(expect.stringContaining('gibt es im gewählten Zeichensatz nicht'));
  });

  it('a run exports new, changed and removed items (stock 0) against the last accepted run; the whole file stays', async () => {
    const { id, items, first, load, run, changes, whole } = await exported();
    expect(first.run.message).toBeNull();
    expect(await changes()).toBe('404');
    items.set('A-3', { titel: 'Ware 3', preis: '99,00', bestand: '3' });
    items.set('B-1', { titel: 'Neu', preis: '5,00', bestand: '1' });
    items.delete('A-9');
    await load(items);
    const changed = await run();
    expect(changed).toMatchObject({
      state: 'done',
      accepted: 3,
      difference: { removed: 1, added: 1, changed: 1 },
      message: 'Nur Änderungen seit Datei 1.',
    });
    expect([...rowsOf(await changes())]).toEqual([
      ['A-3', 'A-3;Ware 3;99,00;3'],
      ['B-1', 'B-1;Neu;5,00;1'],
      ['A-9', 'A-9;Ware 9;19,50;0'],
    ]);
    expect(await whole()).toBe(first.text);
    const told = await kontor.ask(api.runDifference, { params: { runid: changed.runid } });
    expect(told).toMatchObject({ before: 60, after: 60, removed: 1, added: 1, changed: 1 });
    expect(told.samples.changed[0]).toMatchObject({
      id: 'A-3',
      fields: [{ field: 'preis', before: '13,50', after: '99,00' }],
    });
    expect(await run()).toMatchObject({
      state: 'done',
      accepted: 0,
      message: expect.stringContaining('Keine Änderungen seit Datei 2') as string,
    });
    items.set('A-4', { titel: 'Ware 4', preis: '1,00', bestand: '0' });
    await load(items);
    await run();
    expect([...rowsOf(await changes()).keys()]).toEqual(['A-4']);
    const files = await kontor.ask(api.exportFiles, { params: { id } });
    expect(files.map(({ number, whole: all, live }) => [number, all, live])).toEqual([
      [3, false, false],
      [2, false, false],
      [1, true, true],
    ]);
  });

  it('the first file plus every file of changes equals the final whole file', async () => {
    const { items, first, load, run, changes, whole } = await exported({ removed: 'wait' });
    const state = rowsOf(first.text);
    const gone: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (let step = 0; step < 3; step++) {
        const sku = `A-${(round * 11 + step * 17) % 60}`;
        if (step === 2) {
          items.delete(sku);
          gone.push(sku);
        } else items.set(sku, { titel: `Runde ${round}`, preis: `${round},00`, bestand: String(step) });
      }
      items.set(`N-${round}`, { titel: 'Neu', preis: '1,00', bestand: '1' });
      await load(items);
      await run();
      for (const [sku, line] of rowsOf(await changes())) state.set(sku, line);
    }
    for (const sku of gone) if (!items.has(sku)) state.delete(sku);
    expect(await run({ full: '1' })).toMatchObject({ state: 'done', message: null });
    const sorted = (rows: Map<string, string>) => [...rows.values()].sort();
    expect(sorted(rowsOf(await whole()))).toEqual(sorted(state));
    expect(await changes()).toBe('404');
  });

  it('prices that a new import reinterprets as other numbers trigger a whole file, although no item changed', async () => {
    const { id, items, load, run, changes, whole } = await exported();
    const { settings } = await kontor.ask(api.export, { params: { id } });
    const format = { ...settings.format, price: 'plain' as const };
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, format } });
    // Nothing shows yet what the separator means.
    for (const [sku, item] of items) items.set(sku, { ...item, preis: '1.500' });
    await load(items);
    await run({ full: '1' });
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1;1.50;1');
    items.set('A-0', { titel: 'Ware 0', preis: '12,50', bestand: '0' });
    await load(items);
    await run();
    expect(await changes()).toBe('404');
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1;1500.00;1');
  });

  it('RUL-15 a rule on prices that a new import reinterprets is recomputed for every item', async () => {
    const { id, masterid, items, load, run, changes, whole } = await exported();
    const rows = ['sku', 'titel'].map((value) =>
      ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: value }] }),
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    const value = [
      { type: '_field', value: 'preis' },
      { type: '_number', value: '2' },
    ];
    const twice = { field: 'titel', select: 'calculate', selecttyp: 'calculate', actionOperator: 'multiply', value };
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [rule('Doppelt', [when('@ALL@')], [twice])] });
    for (const [sku, item] of items) items.set(sku, { ...item, preis: '1.500' });
    await load(items);
    await run({ full: '1' });
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;3.00');
    items.set('A-0', { titel: 'Ware 0', preis: '12,50', bestand: '0' });
    await load(items);
    expect(await run()).toMatchObject({ difference: { removed: 0, added: 0, changed: 60 } });
    expect(rowsOf(await changes()).get('A-1')).toBe('A-1;3000.00');
  });

  it('a list with another separator triggers a whole file, although its entries did not change', async () => {
    const { id, run, changes, whole } = await exported();
    const entry = (value: string) => ({ name: '', value: { type: '_field' as const, value, caption: value } });
    const save = (separator: string) =>
      kontor.ask(api.saveConstruction, {
        params: { projectId: id },
        body: [
          ConstructionRow.parse({ id: 'r1', exportfield: 'sku', field: [entry('sku').value] }),
          ConstructionRow.parse({
            id: 'r2',
            exportfield: 'beides',
            valuetype: 'array',
            field: [entry('titel'), entry('bestand')],
            extras: { separator },
          }),
        ],
      });
    await save(', ');
    await run({ full: '1' });
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1, 1');
    await save(' | ');
    await run();
    expect(await changes()).toBe('404');
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1 | 1');
  });

  it('a column renamed by an import counts as removed for every item, although the values are the same', async () => {
    const { masterid, items, changes, run, id } = await exported();
    const rows = ['sku', 'titel', 'bestand'].map((value) =>
      ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: value }] }),
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await run({ full: '1' });
    const bytes = csvOf(items).replace('bestand', 'lager');
    await importFile(kontor, masterid, { name: 'a.csv', bytes });
    expect(await run()).toMatchObject({ difference: { changed: 60 } });
    expect(rowsOf(await changes()).get('A-1')).toBe('A-1;Ware 1;');
  });

  it('FTP-04 changes are uploaded next to the whole file under their own name, the next whole file under the first name', async () => {
    const channel = await sftpServer();
    const { id, items, load, run, whole, changes } = await exported();
    const place = { host: '127.0.0.1', port: channel.port };
    const { fingerprint } = await kontor.ask(api.checkUpload, {
      body: { ...place, username: 'kanal', password: 'geheim' },
    });
    const account = { user: 'kanal', pass: 'geheim', dir: '/eingang', filename: 'datei.csv', fingerprint };
    await kontor.ask(api.saveUpload, { params: { id }, body: { active: true, ...place, ...account } });
    const folder = join(channel.folder, 'eingang');
    const uploaded = async () => {
      const { runs } = await kontor.ask(api.upload, { params: { id } });
      expect(await settled(kontor, runs[0]?.runid ?? '')).toMatchObject({ kind: 'upload', state: 'done' });
      return namesIn(folder);
    };
    await run({ full: 1 });
    expect(await uploaded()).toEqual(['datei.csv']);
    items.set('A-3', { titel: 'Ware 3', preis: '99,00', bestand: '3' });
    await load(items);
    const before = await textOf(join(folder, 'datei.csv'));
    await run();
    expect(await uploaded()).toEqual(['datei-aenderungen.csv', 'datei.csv']);
    expect(await textOf(join(folder, 'datei-aenderungen.csv'))).toBe(await changes());
    expect(await textOf(join(folder, 'datei.csv'))).toBe(before);
    await run({ full: 1 });
    await uploaded();
    expect(await textOf(join(folder, 'datei.csv'))).toBe(await whole());
    expect(await whole()).toContain('99,00');
    await channel.close();
  });

  it('a changed rule and ranks recompute every item, but only items with another result are exported', async () => {
    const { masterid, items, first, load, run, changes, whole } = await exported();
    items.set('A-3', { titel: 'Ware 3', preis: '11,00', bestand: '3' });
    await load(items);
    await run();
    const ranked = rule('Teuerste', [when('preis', 'is_in_highest', '2')], [set('titel', 'TOP')]);
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [ranked] });
    expect(await run()).toMatchObject({ state: 'done', accepted: 2, difference: { removed: 0, added: 0, changed: 2 } });
    expect([...rowsOf(await changes()).keys()].sort()).toEqual(['A-58', 'A-59']);
    expect(await whole()).toBe(first.text);
    items.set('A-0', { titel: 'Ware 0', preis: '500,00', bestand: '0' });
    await load(items);
    expect(await run()).toMatchObject({ difference: { removed: 0, added: 0, changed: 2 } });
    // The item that dropped out of the two most expensive did not change in the catalogue.
    expect([...rowsOf(await changes()).keys()].sort()).toEqual(['A-0', 'A-58']);
  });

  it('DIF-03 the check judges the whole state: half of the items gone is held back, and its changes go out with the release', async () => {
    const { id, items, first, load, run, changes, whole } = await exported();
    await kontor.ask(api.saveExportDifference, {
      params: { id },
      body: { action_on_difference: 'block_send', neg_difference: 10 },
    });
    for (let index = 0; index < 30; index++) items.delete(`A-${index}`);
    await load(items);
    const held = await run();
    expect(held).toMatchObject({ state: 'blocked', difference: { removed: 30 } });
    expect(await changes()).toBe('404');
    await kontor.ask(api.releaseRun, { params: { runid: held.runid }, body: { reason: 'Ausverkauf' } });
    expect(rowsOf(await changes()).size).toBe(30);
    expect(await whole()).toBe(first.text);
    // A day later the full file is due.
    time += 25 * 60 * 60 * 1000;
    expect(await run()).toMatchObject({ state: 'done', accepted: 30 });
    expect(rowsOf(await whole()).size).toBe(30);
  });

  /** Holds drifting files back; returns a function that loads items with other values and runs. */
  const guarded = async ({ id, items, load, run }: Awaited<ReturnType<typeof exported>>) => {
    await kontor.ask(api.saveExportDifference, { params: { id }, body: { action_on_difference: 'block_send' } });
    return async (values: (index: number) => Partial<Item>) => {
      for (const [sku, item] of items) items.set(sku, { ...item, ...values(Number(sku.slice(2))) });
      await load(items);
      return run();
    };
  };

  it('DIF-03 changes of few items are held back when these are all items in stock', async () => {
    const change = await guarded(await exported());
    expect((await change((index) => ({ bestand: index < 8 ? '9' : '0' }))).state).toBe('done');
    const empty = await change(() => ({ bestand: '0' }));
    expect(empty).toMatchObject({ state: 'blocked', difference: { changed: 8 } });
    expect(empty.message).toContain('„bestand“ ist bei keinem Artikel mehr größer als 0; bisher waren es 8.');
  });

  it('DIF-03 changes of few catalogue items are held back when these are all items of the file', async () => {
    const shop = await exported();
    const others = rule('Andere', [when('sku', 'not_contains', 'A-5')], [exclude]);
    await kontor.ask(api.saveRules, { params: { masterid: shop.id }, body: [others] });
    expect((await shop.run({ full: '1' })).accepted).toBe(11);
    const change = await guarded(shop);
    const high = await change((index) => (index === 5 || index > 49 ? { preis: `${10 + index}50` } : {}));
    expect(high).toMatchObject({ state: 'blocked', difference: { changed: 11 } });
    expect(high.message).toContain('„preis“ ist bei 11 von 11 Artikeln hundertmal so hoch wie bisher.');
  });

  it("HDR-03 the stock and price file uses today's catalogue for the items of the file; a scaled price is held back", async () => {
    const { id, items, first, load, stock, whole } = await exported();
    const alone = async () => settled(kontor, (await kontor.ask(api.runStock, { params: { id } })).runid);
    items.set('A-3', { titel: 'Anders', preis: '77,00', bestand: '42' });
    items.set('B-1', { titel: 'Neu', preis: '5,00', bestand: '1' });
    await load(items);
    expect(rowsOf(await stock()).get('A-3')).toBe('A-3;13,50;3');
    expect(await alone()).toMatchObject({ kind: 'stock', state: 'done', accepted: 60 });
    expect(rowsOf(await stock()).get('A-3')).toBe('A-3;77,00;42');
    expect(rowsOf(await stock()).has('B-1')).toBe(false);
    expect(await whole()).toBe(first.text);
    const before = await stock();
    await kontor.ask(api.saveExportDifference, { params: { id }, body: { action_on_difference: 'block_send' } });
    for (const [sku, item] of items) items.set(sku, { ...item, preis: item.preis.replace(',', '') });
    await load(items);
    expect(await alone()).toMatchObject({
      state: 'failed',
      retryable: true,
      message: expect.stringContaining('zurückgehalten') as string,
    });
    expect(await stock()).toBe(before);
  });

  it('HDR-03 a stock and price file in a new format has its content type before the export has a file in that format', async () => {
    const { id } = await exported();
    const { settings, feeds } = await kontor.ask(api.export, { params: { id } });
    const body = { ...settings, format: { ...settings.format, kind: 'xml' as const }, filename: 'kanal.xml' };
    await kontor.ask(api.saveExport, { params: { id }, body });
    await settled(kontor, (await kontor.ask(api.runStock, { params: { id } })).runid);
    const answer = await kontor.raw(feeds.find(({ type }) => type === 3)?.path ?? '', { as: null });
    expect(await answer.text()).toContain('<?xml');
    expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  });
});
