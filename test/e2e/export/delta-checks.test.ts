import { ConstructionRow } from '#shared/construction/schema.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { importFile, masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { deltaChannel, type Item, rowsOf } from '../../stages/export/delta-channel.ts';
import { exclude, rule, when } from '../../stages/feed/rules.ts';

describe('checks of exported changes', () => {
  let kontor: TestKontor;
  let time = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(time) } });
  });
  afterAll(() => kontor.close());

  const exported = (delta: object = {}) => deltaChannel(kontor, delta);

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
