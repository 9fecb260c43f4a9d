import { expect, it } from 'vitest';
import { chartSeries, historyCells, minuteDetails } from './history-words.ts';
import { priceSeries } from './price-series.ts';

const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll('\u00a0', ' '));
const offer = (sellerid: string, offer_price: number, is_buybox = false) => ({
  sellerid,
  offer_price,
  offer_shipping_price: 1,
  is_buybox,
  own: sellerid === 'WIR',
});
const series = priceSeries([
  { amz_timestamp: '2026-11-01T10:00:00Z', comp_data: [offer('k1', 9, true), offer('WIR', 11)], info: '' },
  { amz_timestamp: '2026-11-01T10:01:00Z', comp_data: [offer('WIR', 8.5)], info: '' },
]);
const names = { K1: 'Billig GmbH', WIR: 'Konto' };

it('RDA-07 the own line is emphasised, and sellers are shown by name', () => {
  expect(chartSeries(series, names)).toMatchObject([
    { name: 'Ihr Preis (Konto)', emphasis: 'own', values: [1200, 950] },
    { name: 'Billig GmbH', values: [1000, null] },
  ]);
  expect(chartSeries(series, {}).map(({ name }) => name)).toEqual(['Ihr Preis (WIR)', 'k1']);
});

it('RDA-07 the details of a minute say who holds the buy box', () => {
  expect(plain(minuteDetails(series, names, 0, 'EUR'))).toEqual(['In der BuyBox: Billig GmbH 10,00 €']);
  expect(plain(minuteDetails(series, names, 1, 'EUR'))).toEqual(['Niemand in der BuyBox']);
  const offers = [...Array.from({ length: 40 }, (_, n) => offer(`K${n}`, n + 2, n < 2)), offer('WIR', 1)];
  const crowd = priceSeries([{ amz_timestamp: '2026-11-01T10:00:00Z', comp_data: offers, info: '' }]);
  expect(crowd.lines).toHaveLength(41);
  expect(plain(minuteDetails(crowd, {}, 0, 'PLN'))).toEqual([
    'In der BuyBox: K0 3,00 PLN, K1 4,00 PLN',
    'Ihr Preis (WIR) 2,00 PLN',
  ]);
});

it('RDA-07 the same numbers are exported as a table', () => {
  expect(historyCells(series, names, 'EUR')).toEqual([
    ['Zeit', 'Ihr Preis (Konto) (EUR)', 'Billig GmbH (EUR)', 'BuyBox'],
    ['2026-11-01 11:00', '12,00', '10,00', 'Billig GmbH'],
    ['2026-11-01 11:01', '9,50', '', ''],
  ]);
});
