import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';
import { plantedPerson } from '../../stages/orders/planted-persons.ts';

const head =
  'Bestellnummer;Kanal;Bestellt am;Stand;Zu versenden bis;Versandt am;Versand durch;Lieferland;Artikelnummer;';
const counts = 'Artikel;Bestellt;Versandt;Storniert;Retourniert';
const prices = ';Stückpreis;Rabatt;Versandkosten;Erstattet;Währung';

describe('the order list as a file', () => {
  let kontor: TestKontor;
  let channel: string;
  beforeAll(async () => {
    kontor = await testKontor();
    channel = await orderChannel(kontor, 'Laden');
    const delivery = plantedPerson(7, { city: 'Kiel' });
    await takeOrders(kontor, channel, [
      {
        orderid: 'C-1',
        buyer_order_number: 'PO-77',
        persons: { delivery },
        lines: [
          { sku: '=1+1', title: 'Hammer; "groß"', ordered: 3, unit_cents: 123_456, discount_cents: 5 },
          { sku: 'A-2', ordered: 2, shipped: 2, shipping_cents: 490 },
        ],
      },
      { orderid: 'C-2', lines: [{ sku: 'A-1', ordered: 1, shipped: 1 }] },
    ]);
  });
  afterAll(() => kontor.close());

  const file = async (query: string, as?: string) => {
    const answer = await kontor.raw(`${pathOf(api.ordersCsv)}${query}`, as === undefined ? {} : { as });
    return { status: answer.status, name: answer.headers.get('content-disposition'), text: await answer.text() };
  };
  const quoted = (line: string) =>
    line
      .split(';')
      .map((cell) => `"${cell}"`)
      .join(';');

  it('T21 OIM-01 contains the lines of the filtered orders, with amounts, and formulas as text', async () => {
    const { text, name } = await file('?filter=offen');
    expect(name).toContain('Bestellungen-Offen.csv');
    const [first, ...rows] = text.trimEnd().split('\r\n');
    expect(first).toBe(quoted(head + counts + prices));
    const placed = /"\d\d\.\d\d\.\d{4} \d\d:\d\d"/;
    expect(rows.map((row) => row.replace(placed, '"TAG"'))).toEqual([
      `"C-1";"Laden";"TAG";"teilweise versandt";"";"";"Händler";"DE";"'=1+1";"Hammer; ""groß""";"3";"0";"0";"0";"1234,56";"0,05";"0,00";"0,00";"EUR"`,
      '"C-1";"Laden";"TAG";"teilweise versandt";"";"";"Händler";"DE";"A-2";"Artikel A-2";"2";"2";"0";"0";"19,99";"0,00";"4,90";"0,00";"EUR"',
    ]);
    expect((await file('?filter=alle&search=C-2')).text).toContain('"C-2"');
    expect((await file('?filter=alle&search=C-2')).text).not.toContain('"C-1"');
    expect((await file('?filter=alle&item=A-1')).status).toBe(422);
  });

  it('T22 contains no personal data, nor amounts for a role that only ships, and is in the security log', async () => {
    const { token } = await kontor.ask(api.createToken, { body: { name: 'Packtisch', role: 'warehouse' } });
    const [whole, packing] = [await file('?filter=alle'), await file('?filter=alle', token)];
    for (const { text } of [whole, packing])
      for (const word of ['Kiel', 'PO-77', 'Kanari']) expect(text).not.toContain(word);
    expect(packing.text.split('\r\n')[0]).toBe(quoted(head + counts));
    for (const amount of ['1234,56', '19,99', 'EUR']) expect(packing.text).not.toContain(amount);
    const viewer = await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } });
    expect((await file('', viewer.token)).status).toBe(403);
    const { events } = await kontor.ask(api.securityLog, { query: { kind: 'download' } });
    expect(events.filter(({ result }) => result === 'begun').length).toBeGreaterThanOrEqual(2);
  });

  it('OIM-01 is sent in portions, and every order is in it once, in the order of the list', async () => {
    const many = Array.from({ length: 1100 }, (_, n) => ({ orderid: `V-${n}`, lines: [{ sku: 'A-9' }] }));
    for (let from = 0; from < many.length; from += 500) await takeOrders(kontor, channel, many.slice(from, from + 500));
    const rows = (await file('?filter=alle&search=V-')).text.trimEnd().split('\r\n').slice(1);
    expect(new Set(rows.map((row) => row.split(';')[0])).size).toBe(1100);
    const { rows: shown } = await kontor.ask(api.orders, { query: { filter: 'alle', search: 'V-', limit: 100 } });
    expect(rows.slice(0, 100).map((row) => row.split(';')[0])).toEqual(shown.map(({ orderid }) => `"${orderid}"`));
  });
});
