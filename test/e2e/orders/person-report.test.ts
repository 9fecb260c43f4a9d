import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { Person } from '#shared/orders/persons.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { testKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const person = Person.parse({ name: 'Kanari Vogel', lines: ['Kanariweg 1'], postalCode: '10115', country: 'DE' });
const buyer = Person.parse({ email: 'kanari@beispiel.de' });

it('erasing an order without personal data does not block an address that arrives later', async () => {
  const kontor = await testKontor();
  try {
    const channel = await orderChannel(kontor, 'Laden');
    const hand = (changed: number, persons: object) =>
      takeOrders(kontor, channel, [
        { orderid: 'P-2', changed_at: `2026-11-20T1${changed}:00:00Z`, persons, lines: [{ sku: 'A-1' }] },
      ]);
    await hand(1, {});
    await kontor.ask(api.erasePersons, { params: { orderid: 'P-2' } });
    await hand(2, { delivery: person });
    const { persons_until: until, events } = await kontor.ask(api.order, { params: { orderid: 'P-2' } });
    expect(until).not.toBeNull();
    expect(events.map(({ text }) => text)).not.toContain('Personendaten gelöscht');
  } finally {
    await kontor.close();
  }
});

it('a report has all data stored about a person: every version, the order and read times, but no readers', async () => {
  const kontor = await testKontor();
  try {
    const channel = await orderChannel(kontor, 'Laden');
    const hand = (city: string, changed: number) =>
      takeOrders(kontor, channel, [
        {
          orderid: 'P/1',
          changed_at: `2026-11-20T1${changed}:00:00Z`,
          buyer_order_number: 'PO-1',
          persons: { delivery: { ...person, city }, buyer },
          lines: [{ sku: 'A-1', ordered: 2 }],
        },
      ]);
    await hand('Berlin', 1);
    await hand('Bonn', 2);
    await kontor.ask(api.orderPersons, { body: { purpose: 'view', orders: [{ orderid: 'P/1', channel }] } });
    await kontor.ask(api.fulfillItem, {
      params: { orderid: 'P/1', productid: 'P/1-1' },
      body: { quantity: 1, carrier: 'DHL', tracking: 'JJD1' },
    });
    const cancelled = { orderid: 'P/1', productid: 'P/1-1', quantity: 1, reason: 'NoInventory' };
    await kontor.ask(api.cancelItem, { params: cancelled, body: {} });
    const report = async () => {
      const answer = await kontor.raw(pathOf(api.reportPersons, { orderid: 'P/1' }), { method: 'POST' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Auskunft%20P%2F1.json");
      return answer.text();
    };
    const text = await report();
    expect(JSON.parse(text)).toMatchObject({
      Personendaten: [
        { Rolle: 'Käufer', Fassung: 1, 'E-Mail': 'kanari@beispiel.de' },
        { Rolle: 'Lieferadresse', Fassung: 1, Name: 'Kanari Vogel', Ort: 'Berlin' },
        { Rolle: 'Lieferadresse', Fassung: 2, Ort: 'Bonn' },
      ],
      'Gelesen am': [{ Anlass: 'Ansicht' }, { Anlass: 'Auskunft' }],
      Bestellung: {
        'Eigene Bestellnummer des Käufers': 'PO-1',
        Positionen: [{ Artikelnummer: 'A-1', Bestellt: 2, Versandt: 1, Stückpreis: moneyText(1999, 'EUR') }],
        Sendungen: [{ Sendungsnummer: 'JJD1' }],
        Stornierungen: [{ Durch: 'uns', Grund: 'Kein Bestand' }],
      },
    });
    const { user } = await kontor.ask(api.session, {});
    expect(text).not.toContain(user.email);
    const { readings } = await kontor.ask(api.personReadings, { params: { orderid: 'P/1' } });
    expect(readings.map(({ purpose }) => purpose)).toEqual(['export', 'view']);
    await kontor.ask(api.erasePersons, { params: { orderid: 'P/1' } });
    const after = await report();
    expect(JSON.parse(after)).toMatchObject({ Personendaten: [] });
    expect(after).not.toContain('Kanari');
    // The channel reports the person again, unchanged and with a change.
    await hand('Bonn', 2);
    await hand('Köln', 3);
    expect((await kontor.ask(api.order, { params: { orderid: 'P/1' } })).persons_until).toBeNull();
    expect(await report()).not.toContain('Kanari');
  } finally {
    await kontor.close();
  }
});
