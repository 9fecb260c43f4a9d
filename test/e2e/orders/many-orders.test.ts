import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel } from '../../stages/orders/order-samples.ts';

const head = 'Bestellnummer;Datum;SKU;Artikel;Menge;Preis';
const rows = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n};20.11.2026 10:00;A-1;Bohrhammer ${'x'.repeat(60)};1;10,00`);

describe('many orders at once', () => {
  let kontor: TestKontor;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Laden');
  });
  afterAll(() => kontor.close());

  const send = (bytes: string | Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.set('file', new Blob([bytes]), 'bestellungen.csv');
    return kontor.raw(`${pathOf(api.importOrders)}?channel=${channel}`, { method: 'POST', body });
  };
  const read = async (bytes: string | Uint8Array<ArrayBuffer>) =>
    api.importOrders.response.parse(await (await send(bytes)).json());

  it('OIM-01 T22 a large file, which a thread of its own reads, is stored like a small one', async () => {
    const file = [head, ...rows(3000, 'G'), 'G-3000;20.11.2026;;Ohne Nummer;1;1,00'].join('\n');
    expect(await read(file)).toMatchObject({ new: 3000, unchanged: 0, rejected: [{ orderid: 'G-3000' }] });
    expect(await read(new Uint8Array(gzipSync(file)))).toMatchObject({ new: 0, unchanged: 3000 });
  });

  it('OIM-01 T22 what is wrong with a large file is said as for a small one', async () => {
    const small = await send('Nummer;Farbe\n1;rot');
    const large = await send(['Nummer;Farbe', ...rows(3000, 'F')].join('\n'));
    expect([large.status, small.status]).toEqual([422, 422]);
    const codeOf = async (answer: Response) => JSON.parse(await answer.text()).error.code;
    expect(await codeOf(large)).toBe(await codeOf(small));
  });

  it('OIM-01 of two states of an order the older one is stored first, however many orders are between them', async () => {
    const order = (idealoOrderId: string, minute: number, status: 'PROCESSING' | 'COMPLETED') => ({
      idealoOrderId,
      created: '2026-11-20T10:00:00Z',
      updated: new Date(Date.UTC(2026, 10, 20, 11, minute)).toISOString(),
      status,
      lineItems: [{ sku: 'A-1', title: 'Hammer', price: '10.00', quantity: 1 }],
      shippingAddress: { lastName: 'Kanari', countryCode: 'DE' },
    });
    const between = Array.from({ length: 700 }, (_, n) => order(`Z-${n}`, 30, 'PROCESSING'));
    const content = [order('D-1', 59, 'COMPLETED'), ...between, order('D-1', 0, 'PROCESSING')];
    const counts = await read(JSON.stringify({ content, totalElements: content.length }));
    expect(counts).toMatchObject({ new: 701, changed: 1, old: 0, rejected: [] });
  });

  it('OIM-01 if the database fails halfway, the answer says how many orders are stored, and the file can be read again', async () => {
    const file = [head, ...rows(1100, 'H')].join('\n');
    const alter = (change: string) => kontor.database.script(`alter table orders ${change}`);
    await alter("add constraint refuse_one check (order_id <> 'H-700') not valid");
    const failed = await send(file);
    expect([failed.status, await failed.text()]).toEqual([
      503,
      expect.stringContaining('Erst 500 von 1.100 Bestellungen sind gespeichert'),
    ]);
    await alter('drop constraint refuse_one');
    expect(await read(file)).toMatchObject({ new: 600, unchanged: 500 });
  });
});
