import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';
import { sheetRows, workbook } from '#feed/import/reader/xlsx/workbook-fixture.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('orders from files', () => {
  let kontor: TestKontor;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Laden');
  });
  afterAll(() => kontor.close());

  const read = async (text: string) => {
    const answer = await kontor.raw(`${pathOf(api.importOrders)}?channel=${channel}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return api.importOrders.response.parse(await answer.json());
  };

  it('OIM-01 the order list, its filter and the due list show the current name of a channel', async () => {
    const masterid = await masterWith(kontor, 'sku\nA-1', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Alter Name' } });
    await takeOrders(kontor, id, [{ orderid: 'NAME-1', shipInHours: -1, lines: [{ sku: 'A-1' }] }]);
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, name: 'Neuer Name' } });
    const { rows, channels } = await kontor.ask(api.orders, { query: { channel: id } });
    expect(rows.map(({ channel_name: name }) => name)).toEqual(['Neuer Name']);
    expect(channels).toContainEqual({ id, name: 'Neuer Name' });
    const panel = await kontor.ask(api.liveComponentFirst, { params: { component: 'due-orders' } });
    expect(panel.html).toContain('Neuer Name');
    expect(panel.html).not.toContain('Alter Name');
  });

  it('OIM-01 an Excel workbook of orders is read like a CSV table, and the answer names the sheets that were not', async () => {
    const placed = (cell: string) => `<c r="${cell}" t="d"><v>2026-01-31</v></c>`;
    const rows = [
      ['Bestellnummer', 'Bestelldatum', 'SKU', 'Menge', 'Preis', 'Name', 'PLZ'],
      ['X-1', placed('B2'), 'A-1', 2, 12.5, 'Ähre & Co', '01067'],
      [],
      ['X-2', placed('B4'), 'A-1', 'viele', 9.99, 'Müller', '01067'],
    ];
    const notes = { name: 'Hinweise', rows: sheetRows([['Stand']]) };
    const form = new FormData();
    const book = workbook([notes, { name: 'Bestellungen', rows: sheetRows(rows).replaceAll('&', '&amp;') }]);
    form.set('file', new Blob([new Uint8Array(book)]), 'bestellungen.xlsx');
    const answer = await kontor.raw(`${pathOf(api.importOrders)}?channel=${channel}`, { method: 'POST', body: form });
    const { rejected, ...counts } = api.importOrders.response.parse(await answer.json());
    expect(counts).toMatchObject({ new: 1, changed: 0, notes: [expect.stringContaining('„Bestellungen“')] });
    expect(rejected).toEqual([{ orderid: 'X-2', message: expect.stringContaining('Menge') }]);
    const { order } = await kontor.ask(api.order, { params: { orderid: 'X-1' } });
    expect(order.lines).toMatchObject([{ sku: 'A-1', ordered: 2, unit_cents: 1250 }]);
  });

  it('OIM-01 a number of three decimals in a workbook is an amount in a column of amounts, and stays as it is elsewhere', async () => {
    const rows = [
      ['Bestellnummer', 'Bestelldatum', 'SKU', 'Menge', 'Preis', 'Versandkosten'],
      [123.456, '2026-01-31', 7.125, 8, 1.125, 4.999],
      ['X-4', '2026-01-31', 'A-1', 8, '1.125', 4.9],
    ];
    const book = workbook([{ name: 'Bestellungen', rows: sheetRows(rows) }]);
    const upload = async (file = book) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(file)]), 'bestellungen.xlsx');
      const answer = await kontor.raw(`${pathOf(api.importOrders)}?channel=${channel}`, { method: 'POST', body: form });
      return api.importOrders.response.parse(await answer.json());
    };
    expect(await upload()).toMatchObject({
      new: 1,
      rejected: [{ orderid: 'X-4', message: expect.stringContaining('zweierlei') }],
    });
    const { order } = await kontor.ask(api.order, { params: { orderid: '123.456' } });
    expect(order.lines).toMatchObject([
      { sku: '7.125', ordered: 8, unit_cents: 113, discount_cents: 4, shipping_cents: 500 },
    ]);
    for (const file of [book, gzipSync(book), makeZip([{ name: 'bestellungen.xlsx', content: book }])])
      expect(await upload(file)).toMatchObject({ new: 0, unchanged: 1 });
  });

  it('OIM-01 a CSV alone in a ZIP is read, by orders and by pages that read tables; of several, their names are told', async () => {
    const csv = 'Bestellnummer;Bestelldatum;SKU;Menge;Preis\nZIP-1;31.01.2026;A-1;2;12,50';
    const send = async (path: string, members: Parameters<typeof makeZip>[0]) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(makeZip(members))]), 'export.zip');
      const answer = await kontor.raw(path, { method: 'POST', body: form });
      return { status: answer.status, body: await answer.json() };
    };
    const [orders, tables] = [`${pathOf(api.importOrders)}?channel=${channel}`, pathOf(api.readWorkbook)];
    const only = { name: 'bestellungen.csv', content: csv };
    expect(await send(orders, [only])).toMatchObject({ status: 200, body: { new: 1, rejected: [] } });
    expect(await send(tables, [only])).toMatchObject({
      status: 200,
      body: { sheet: only.name, text: csv, others: [] },
    });
    for (const path of [orders, tables]) {
      const several = await send(path, [only, { name: 'zweite.csv', content: csv }]);
      expect(several).toMatchObject({
        status: 422,
        body: { error: { message: expect.stringContaining('„zweite.csv“') } },
      });
    }
  });

  const wishFor = (order: string) =>
    `<ORDERCHANGE><ORDERCHANGE_HEADER><ORDERCHANGE_INFO><ORDER_ID>${order}</ORDER_ID><REMARKS type="action">cancellationrequest</REMARKS></ORDERCHANGE_INFO></ORDERCHANGE_HEADER></ORDERCHANGE>`;

  it('OIM-03 a cancellation request for a shipped order causes no notification', async () => {
    await takeOrders(kontor, channel, [
      { orderid: 'W-2', lines: [{ sku: 'A-1', shipped: 1 }] },
      { orderid: 'W-3', lines: [{ sku: 'A-1' }] },
    ]);
    await read(wishFor('W-2'));
    await read(wishFor('W-3'));
    const { notifications } = await kontor.ask(api.notifications);
    expect(notifications.map(({ title }) => title)).toEqual(['Stornowunsch zu Bestellung W-3']);
    const { events } = await kontor.ask(api.order, { params: { orderid: 'W-2' } });
    expect(events.map(({ text }) => text)).toContain('Der Käufer möchte stornieren');
  });

  it('OIM-03 a cancellation request from a file survives a re-import of the order, and ends once declined', async () => {
    const again = () => takeOrders(kontor, channel, [{ orderid: 'W-1', lines: [{ sku: 'A-1' }] }]);
    await again();
    expect(await read(wishFor('W-1'))).toMatchObject({ changed: 1, rejected: [] });
    const one = () => kontor.ask(api.order, { params: { orderid: 'W-1' } });
    const before = await one();
    expect(before.order.hold).toBe('cancel_requested');
    await again();
    const after = await one();
    expect([after.order.hold, after.events.length]).toEqual(['cancel_requested', before.events.length]);
    expect(after.order.lines[0]?.sent).toMatchObject({ possible: false });
    await kontor.ask(api.declineCancellation, { params: { orderid: 'W-1' } });
    await again();
    expect((await one()).order.lines[0]?.sent).toMatchObject({ possible: true });
  });

  it('a line without a title takes the title of the catalogue item, and keeps an own title', async () => {
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\nA-2;', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Ohne Titel' } });
    const lines = [
      { sku: 'A-1', title: '' },
      { sku: 'A-1', title: 'Hammer mit Stiel' },
      { sku: 'A-2', title: '' },
      { sku: 'A-3', title: '' },
    ];
    await takeOrders(kontor, id, [{ orderid: 'T-1', lines }]);
    const titles = async () =>
      (await kontor.ask(api.order, { params: { orderid: 'T-1' } })).order.lines.map(({ title }) => title);
    expect(await titles()).toEqual(['Hammer', 'Hammer mit Stiel', '', '']);
    await takeOrders(kontor, id, [
      { orderid: 'T-1', lines: lines.map((line) => ({ ...line, title: '', shipped: 1 })) },
    ]);
    expect(await titles()).toEqual(['Hammer', 'Hammer mit Stiel', '', '']);
  });

  it('OIM-01 an order cancelled by its shop in a later file is cancelled, and the same file again changes nothing', async () => {
    const file = (state: string) =>
      `Bestellnummer;Datum;SKU;Menge;Preis;Bestellstatus\nS-1;20.11.2026;A-1;2;10,00;${state}\nS-1;20.11.2026;A-2;1;5,00;${state}`;
    expect(await read(file('Offen'))).toMatchObject({ new: 1, changed: 0 });
    expect(await read(file('Storniert'))).toMatchObject({ new: 0, changed: 1, rejected: [] });
    const { order } = await kontor.ask(api.order, { params: { orderid: 'S-1' } });
    expect(order.state).toBe('cancelled');
    expect(await read(file('Storniert'))).toMatchObject({ changed: 0, unchanged: 1 });
  });

  it('OIM-01 an order from a second export profile has its lines once, or is refused with the reason', async () => {
    const by = (line: string, ...rows: string[]) =>
      read(`Bestellnummer;Datum;${line}SKU;Menge;Preis\n${rows.join('\n')}`);
    await by('Positionsnummer;', 'P-1;20.11.2026;71;A-1;2;10,00', 'P-1;20.11.2026;72;A-2;1;5,00');
    expect(await by('', 'P-1;20.11.2026;A-2;1;5,00', 'P-1;20.11.2026;A-1;2;10,00')).toMatchObject({
      unchanged: 1,
      rejected: [],
    });
    const other = await by('Positionsnummer;', 'P-1;20.11.2026;1;A-1;2;10,00', 'P-1;20.11.2026;2;A-2;1;5,00');
    expect(other).toMatchObject({ changed: 0, rejected: [{ orderid: 'P-1' }] });
    expect(other.rejected[0]?.message).toContain('anderen Kennungen ihrer Positionen');
    const { order } = await kontor.ask(api.order, { params: { orderid: 'P-1' } });
    expect(order.lines.map(({ productid, ordered }) => [productid, ordered])).toEqual([
      ['71', 2],
      ['72', 1],
    ]);
  });

  it('OIM-01 a file without a recognisable price is read with a note; read again with one, its orders have prices', async () => {
    const file = (title: string) => `Bestellnummer;Datum;SKU;Menge;${title}\nE-1;20.11.2026;A-1;2;10,00`;
    expect(await read(file('Kosten je Teil'))).toMatchObject({
      new: 1,
      notes: [expect.stringMatching(/^Keine Spalte der Datei ist als Preis zu erkennen/)],
    });
    expect(await read(file('Einzelpreis'))).toMatchObject({ changed: 1, notes: [] });
    const { order } = await kontor.ask(api.order, { params: { orderid: 'E-1' } });
    expect(order.lines[0]?.unit_cents).toBe(1000);
  });

  it('OIM-01 shipping stays with its line when the rows of the next file are in another order', async () => {
    const rows = ['V-1;20.11.2026;A-1;1;10,00;4,90', 'V-1;20.11.2026;A-2;1;5,00;4,90'];
    const head = 'Bestellnummer;Datum;SKU;Menge;Preis;Versandkosten';
    await read([head, ...rows].join('\n'));
    expect(await read([head, ...rows.toReversed()].join('\n'))).toMatchObject({ unchanged: 1, changed: 0 });
  });

  it('OIM-01 a file read again with addresses that it lacked before counts its orders as changed', async () => {
    const head = 'Bestellnummer;Datum;SKU;Menge;Preis';
    const row = 'D-1;20.11.2026;A-1;1;10,00';
    const complete = `${head};Empfänger;Lieferstraße;Liefer-PLZ;Lieferort\n${row};Kanari Vogel;Kanariweg 1;80636;München`;
    expect(await read(`${head}\n${row}`)).toMatchObject({ new: 1 });
    expect(await read(complete)).toMatchObject({ changed: 1, unchanged: 0 });
    expect(await read(complete)).toMatchObject({ changed: 0, unchanged: 1 });
  });
});
