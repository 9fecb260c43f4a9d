import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { StockRow } from '#shared/stock/schema.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { importFile, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { takeOrders } from '../../stages/orders/order-samples.ts';

const csv = (hammer: number | string) => `sku;titel;bestand\nA-1;Hammer;${hammer}\nA-2;Zange;4\nA-3;Säge;viele\n`;

describe('stock of a catalogue', () => {
  let kontor: TestKontor;
  let masterid: string;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv(20), { key: 'sku' });
    channel = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Laden' } })).id;
  });
  afterAll(() => kontor.close());

  const settingsOf = (more: Partial<StockSettings> = {}): StockSettings =>
    StockSettings.parse({
      field: 'bestand',
      channels: [{ id: channel, active: true, floor: 2, cap: 8, share: 50 }],
      ...more,
    });
  const read = (query = {}) => kontor.ask(api.stock, { params: { masterid }, query });
  const save = (settings: StockSettings, ifMatch?: number) =>
    kontor.ask(api.saveStockSettings, {
      params: { masterid },
      body: settings,
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
  const row = async (item: string): Promise<StockRow | undefined> =>
    (await read()).rows.find((one) => one.item === item);
  const becomes = (item: string, expected: Partial<StockRow>) =>
    expect.poll(() => row(item), { timeout: 10_000 }).toMatchObject(expected);

  it('nothing is computed before the stock field is set', async () => {
    expect(await read()).toMatchObject({ state: { configured: false }, rows: [], total: 0 });
    const { fields, channels } = await kontor.ask(api.stockSettings, { params: { masterid } });
    expect(fields).toEqual(['sku', 'titel', 'bestand']);
    expect(channels).toEqual([{ id: channel, name: 'Laden', account: false }]);
  });

  it('shows what settings would do before they are saved', async () => {
    const effect = await kontor.ask(api.stockEffect, { params: { masterid }, body: settingsOf() });
    expect(effect).toMatchObject({
      total: 3,
      changed: 2,
      to_zero: 0,
      channels: [{ name: 'Laden', offered: 2, from_zero: 2, changed: 2 }],
    });
    expect((await read()).total).toBe(0);
  });

  it('a point next to smaller whole numbers separates thousands: 1.250 pieces are not one', async () => {
    const many = await masterWith(kontor, 'sku;bestand\nB-1;1.250\nB-2;7\n', { key: 'sku' });
    const body = StockSettings.parse({ field: 'bestand', channels: [] });
    await kontor.ask(api.saveStockSettings, { params: { masterid: many }, body, ifMatch: 0 });
    const onHand = async () => {
      const { rows } = await kontor.ask(api.stock, { params: { masterid: many }, query: {} });
      return rows.map(({ item, on_hand: pieces }) => [item, pieces]);
    };
    await expect.poll(onHand, { timeout: 10_000 }).toEqual([
      ['B-1', 1250],
      ['B-2', 7],
    ]);
  });

  it('numbers follow the settings, and an order reserves its pieces within moments', async () => {
    expect(await save(settingsOf(), 0)).toMatchObject({ revision: 1 });
    await becomes('A-1', {
      on_hand: 20,
      reserved: 0,
      available: 20,
      offers: [expect.objectContaining({ offered: 8 })],
    });
    expect(await row('A-3')).toMatchObject({ on_hand: 0, source: 'unreadable' });
    await takeOrders(kontor, channel, [
      { orderid: 'B-1', lines: [{ sku: 'A-1', ordered: 10 }] },
      { orderid: 'B-2', pending: true, lines: [{ sku: 'A-1', ordered: 3 }] },
    ]);
    await becomes('A-1', { reserved: 13, available: 7, offers: [expect.objectContaining({ offered: 3 })] });
  });

  it('shipped pieces stay reserved until the next file, and cancelled ones are available again', async () => {
    await kontor.ask(api.fulfillItem, {
      params: { orderid: 'B-1', productid: 'B-1-1' },
      body: { quantity: 10, carrier: 'DHL', tracking: '1' },
    });
    await becomes('A-1', { reserved: 13, available: 7 });
    await importFile(kontor, masterid, { name: 'artikel.csv', bytes: csv(10) });
    await becomes('A-1', { on_hand: 10, reserved: 3, available: 7 });
    await kontor.ask(api.cancelItem, {
      params: { orderid: 'B-2', productid: 'B-2-1', quantity: 1, reason: 'NoInventory' },
      body: {},
    });
    await becomes('A-1', { reserved: 2, available: 8 });
  });

  it('if the file already subtracts open orders, only later orders count', async () => {
    await save(settingsOf({ contains_open_orders: true, buffer_pieces: 1 }));
    await becomes('A-1', { reserved: 0, buffer: 1, available: 9 });
    await takeOrders(kontor, channel, [{ orderid: 'B-3', placedHoursAgo: -0.01, lines: [{ sku: 'A-1', ordered: 2 }] }]);
    await becomes('A-1', { reserved: 2, available: 7 });
  });

  it('„Warum diese Zahl?“ names every step and the orders that reserve', async () => {
    const reason = await kontor.ask(api.stockReason, { params: { masterid, itemid: 'A-1' } });
    expect(reason.orders).toMatchObject([{ orderid: 'B-3', channel, open: 2, left: 0 }]);
    expect(reason.steps.join(' ')).toContain('stehen 10 Stück.');
    expect(reason.steps.join(' ')).toContain('Verfügbar: 10 − 2 − 1 = 7 Stück.');
    expect(reason.channels[0]?.sentences[0]).toBe('„Laden“ erhält 50 % von 7, das sind 3 Stück.');
    const answer = await kontor.raw(pathOf(api.stockReason, { masterid, itemid: 'X' }));
    expect(answer.status).toBe(404);
  });

  it('a stale save of settings is refused, an older state is restored, and the history lists the changes', async () => {
    const body = JSON.stringify(settingsOf());
    const stale = await kontor.raw(pathOf(api.saveStockSettings, { masterid }), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'if-match': '1' },
    });
    expect(stale.status).toBe(409);
    const place = { subject: 'stock', scope: `master:${masterid}` };
    const [newest] = await kontor.ask(api.revisions, { params: place });
    expect(newest?.changes).toContain('Bestand enthält offene Bestellungen: vorher „nein“, jetzt „ja“.');
    await kontor.ask(api.restore, { params: place, body: { revision: 1 } });
    await becomes('A-1', { buffer: 0, reserved: 4 });
  });

  it('a catalogue with an unreadable file blocks neither others nor the changes by orders', async () => {
    const settings = StockSettings.parse({ field: 'bestand', channels: [] });
    const withStock = async () => {
      const catalogue = await masterWith(kontor, 'sku;bestand\nD-1;10\n', { key: 'sku' });
      const { id } = await kontor.ask(api.createExport, { params: { masterid: catalogue }, body: { name: 'Laden' } });
      return { catalogue, id };
    };
    const [broken, fine] = [await withStock(), await withStock()];
    for (const file of globSync(`**/${broken.catalogue}/snapshots/*.parquet`, { cwd: kontor.dataFolder }))
      await rm(join(kontor.dataFolder, file));
    for (const { catalogue } of [broken, fine])
      await kontor.ask(api.saveStockSettings, { params: { masterid: catalogue }, body: settings, ifMatch: 0 });
    const numbers = async () =>
      (await kontor.ask(api.stock, { params: { masterid: fine.catalogue }, query: {} })).rows.map(
        (one) => one.available,
      );
    await expect.poll(numbers, { timeout: 10_000 }).toEqual([10]);
    await takeOrders(kontor, fine.id, [{ orderid: 'D-1', lines: [{ sku: 'D-1', ordered: 4 }] }]);
    await expect.poll(numbers, { timeout: 10_000 }).toEqual([6]);
  });

  it('an item removed from the catalogue is listed only while orders wait for it', async () => {
    const shrinking = await masterWith(kontor, 'sku;bestand\nC-1;3\nC-2;7\nC-3;5\n', { key: 'sku' });
    const channelOf = (
      await kontor.ask(api.createExport, { params: { masterid: shrinking }, body: { name: 'Dritter Laden' } })
    ).id;
    const body = StockSettings.parse({ field: 'bestand' });
    await kontor.ask(api.saveStockSettings, { params: { masterid: shrinking }, body, ifMatch: 0 });
    const listed = async (query = {}) => {
      const { rows, total } = await kontor.ask(api.stock, { params: { masterid: shrinking }, query });
      return [total, ...rows.map(({ item }) => item)];
    };
    await expect.poll(listed, { timeout: 10_000 }).toEqual([3, 'C-1', 'C-2', 'C-3']);
    await takeOrders(kontor, channelOf, [{ orderid: 'C-Bestellung', lines: [{ sku: 'C-2', ordered: 2 }] }]);
    await importFile(kontor, shrinking, { name: 'b.csv', bytes: 'sku;bestand\nC-1;3\n' });
    await expect.poll(listed, { timeout: 10_000 }).toEqual([2, 'C-1', 'C-2']);
    expect(await listed({ filter: 'ausverkauft' })).toEqual([1, 'C-2']);
  });

  it('is filtered, searched and exported as CSV', async () => {
    expect((await read({ filter: 'ausverkauft' })).rows.map(({ item }) => item)).toEqual(['A-3']);
    expect((await read({ filter: 'knapp' })).rows.map(({ item }) => item)).toEqual(['A-2']);
    expect((await read({ search: 'a-2' })).total).toBe(1);
    const text = await (await kontor.raw(pathOf(api.stockCsv, { masterid }))).text();
    expect(text).toContain('"Artikelnummer";"Bestand";"Reserviert";"Puffer";"Verfügbar";"Laden: angeboten"');
    expect(text).toContain('"A-2";"4";"0";"0";"4";"2"');
  });

  it('a source without any stock causes a hold with one notification, and a release with a reason ends it', async () => {
    await importFile(kontor, masterid, {
      name: 'artikel.csv',
      bytes: 'sku;titel;bestand\nA-1;Hammer;0\nA-2;Zange;0\n',
    });
    await expect.poll(async () => (await read()).state.held, { timeout: 10_000 }).toContain('Die Quelle ist leer');
    const { notifications } = await kontor.ask(api.notifications, {});
    expect(notifications.filter(({ event }) => event === 'blocked').map(({ title }) => title)).toEqual([
      'Angehalten: Bestände von „Testkatalog“',
    ]);
    const release = { params: { masterid }, body: { reason: 'Ausverkauf, stimmt so' } };
    expect(await kontor.ask(api.releaseStock, release)).toEqual({ ok: true });
    await wait(1500);
    expect((await read()).state).toMatchObject({ held: '', release_reason: 'Ausverkauf, stimmt so' });
    await expect(kontor.ask(api.releaseStock, release)).rejects.toThrow(/nothing_held/);
  });
});
