import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('tables of tracking numbers as spreadsheets save them', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
    const channel = await orderChannel(kontor, 'Laden');
    await takeOrders(
      kontor,
      channel,
      ['T1', 'T2', 'T3', 'T4', '0815'].map((orderid) => ({ orderid, lines: [{ sku: 'A-1' }] })),
    );
    await takeOrders(kontor, channel, [{ orderid: 'VIELE', lines: [{ sku: 'A-1', ordered: 5000 }] }]);
  });
  afterAll(() => kontor.close());

  const check = async (...rows: string[]) => {
    const text = ['Bestellnummer;Sendungsnummer;Versanddienst', ...rows].join('\n');
    const answer = await kontor.ask(api.checkTracking, { body: { text, carrier: '' } });
    return answer.rows.map(({ state, orderid, tracking, carrier, message }) =>
      state === 'error' ? message : [orderid, tracking, carrier].join(' '),
    );
  };

  it('OIM-02 a number shortened to 3,40E+19 is refused as a tracking number', async () => {
    const cut = (text: string) =>
      `„${text}“ ist keine vollständige Sendungsnummer mehr: die Tabellenkalkulation hat sie gekürzt. Bitte formatieren Sie die Spalte als Text und fügen Sie die Nummern neu ein.`;
    expect(await check('T1;3,40434E+19;DHL', 'T2;1E+10;DHL', 'T3;3.40434e+19;DHL')).toEqual(
      ['3,40434E+19', '1E+10', '3.40434e+19'].map(cut),
    );
    expect((await check('4,05E+11;1;DHL'))[0]).toMatch(/^„4,05E\+11“ ist keine vollständige Bestellnummer mehr/);
  });

  it("OIM-02 Excel's sep= line is skipped", async () => {
    const text = 'sep=;\nBestellnummer;Sendungsnummer;Versanddienst\nT1;77;DHL';
    const answer = await kontor.ask(api.checkTracking, { body: { text, carrier: '' } });
    expect(answer.rows.map(({ orderid, tracking, state }) => [orderid, tracking, state])).toEqual([
      ['T1', '77', 'ready'],
    ]);
  });

  const checkWhole = async (text: string) =>
    (await kontor.ask(api.checkTracking, { body: { text, carrier: 'GLS' } })).rows.map(
      ({ state, orderid, tracking, carrier, quantity, message }) =>
        state === 'error' ? message : [orderid, tracking, carrier, quantity].join(' '),
    );

  it('OIM-02 a quantity with a point may be 1000 or 1 and is refused', async () => {
    const head = 'Bestellnummer;Sendungsnummer;Versanddienst;Artikelnummer;Menge';
    const unclear = (text: string) =>
      `Die Menge „${text}“ kann zweierlei heißen, zum Beispiel 1000 oder 1. Bitte ohne Punkt und Komma schreiben.`;
    const rows = ['VIELE;1;DHL;A-1;1.000', 'VIELE;2;DHL;A-1;1,000', 'VIELE;3;DHL;A-1;1000', 'VIELE;4;DHL;A-1;2,00'];
    expect(await checkWhole([head, ...rows].join('\n'))).toEqual([
      unclear('1.000'),
      unclear('1,000'),
      'VIELE 3 DHL 1000',
      'VIELE 4 DHL 2',
    ]);
  });

  it.each(['Bestell-Nr.;Trackingnummer;Menge', 'Bestell-Nr;Tracking-Nr.;Menge', 'Auftrags-Nr.;Sendungs-Nr.;Menge'])(
    'OIM-02 the headings %s are recognised: a quantity is not taken for a carrier',
    async (head) => {
      expect(await checkWhole(`${head}\nVIELE;77;3`)).toEqual(['VIELE 77 GLS 3']);
    },
  );

  it('OIM-02 values written as text formulas are unwrapped, and carriers match in any case', async () => {
    expect(await check('="0815";="00340434";dhl', 'T1;"=""007""";Dpd', 'T4;1;Hermes')).toEqual([
      '0815 00340434 DHL',
      'T1 007 DPD',
      'T4 1 Hermes',
    ]);
  });
});
