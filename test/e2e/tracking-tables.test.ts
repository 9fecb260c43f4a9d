import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { testKontor, type TestKontor } from '../stages/kontor.ts';
import { orderChannel, takeOrders } from '../stages/order-samples.ts';

describe('tables of tracking numbers as spreadsheets leave them', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
    const channel = await orderChannel(kontor, 'Laden');
    await takeOrders(
      kontor,
      channel,
      ['T1', 'T2', 'T3', 'T4', '0815'].map((orderid) => ({ orderid, lines: [{ sku: 'A-1' }] })),
    );
  });
  afterAll(() => kontor.close());

  const check = async (...rows: string[]) => {
    const text = ['Bestellnummer;Sendungsnummer;Versanddienst', ...rows].join('\n');
    const answer = await kontor.ask(api.checkTracking, { body: { text, carrier: '' } });
    return answer.rows.map(({ state, orderid, tracking, carrier, message }) =>
      state === 'error' ? message : [orderid, tracking, carrier].join(' '),
    );
  };

  it('OIM-02 a number that was cut to 3,40E+19 is no tracking number', async () => {
    const cut = (text: string) =>
      `„${text}“ ist keine vollständige Sendungsnummer mehr: die Tabellenkalkulation hat sie gekürzt. Bitte formatieren Sie die Spalte als Text und fügen Sie die Nummern neu ein.`;
    expect(await check('T1;3,40434E+19;DHL', 'T2;1E+10;DHL', 'T3;3.40434e+19;DHL')).toEqual(
      ['3,40434E+19', '1E+10', '3.40434e+19'].map(cut),
    );
    expect((await check('4,05E+11;1;DHL'))[0]).toMatch(/^„4,05E\+11“ ist keine vollständige Bestellnummer mehr/);
  });

  it("OIM-02 Excel's line about the delimiter is no row", async () => {
    const text = 'sep=;\nBestellnummer;Sendungsnummer;Versanddienst\nT1;77;DHL';
    const answer = await kontor.ask(api.checkTracking, { body: { text, carrier: '' } });
    expect(answer.rows.map(({ orderid, tracking, state }) => [orderid, tracking, state])).toEqual([
      ['T1', '77', 'ready'],
    ]);
  });

  it('OIM-02 texts written as formulas are what they show, and carriers are known in any case', async () => {
    expect(await check('="0815";="00340434";dhl', 'T1;"=""007""";Dpd', 'T4;1;Hermes')).toEqual([
      '0815 00340434 DHL',
      'T1 007 DPD',
      'T4 1 Hermes',
    ]);
  });
});
