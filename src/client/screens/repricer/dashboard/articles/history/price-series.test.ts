import { describe, expect, it } from 'vitest';
import type { PriceMoment } from '#shared/repricer/dashboard.ts';
import { formatMinute, joinMoments, priceSeries } from './price-series.ts';

type Offer = [seller: string, price: number, shipping?: number, box?: boolean];
const moment = (time: string, ...offers: Offer[]): PriceMoment => ({
  amz_timestamp: time,
  comp_data: offers.map(([sellerid, offer_price, offer_shipping_price = 0, is_buybox = false]) => ({
    sellerid,
    offer_price,
    offer_shipping_price,
    is_buybox,
    own: sellerid === 'WIR',
  })),
  info: '',
});

describe('the price history of an article', () => {
  it('RDA-07 has a line per seller including shipping, ours first, then the holder of the buy box', () => {
    const { minutes, lines } = priceSeries([
      moment('2026-11-01T10:00:00.000Z', ['K1', 9], ['K2', 12, 1.5, true], ['WIR', 15]),
      moment('2026-11-01T10:05:00.000Z', ['K2', 12, 1.5, true], ['WIR', 13.49], ['K3', 8]),
    ]);
    expect(minutes).toEqual(['2026-11-01T10:00:00.000Z', '2026-11-01T10:05:00.000Z']);
    expect(lines.map(({ seller, own }) => [seller, own])).toEqual([
      ['WIR', true],
      ['K2', false],
      ['K3', false],
      ['K1', false],
    ]);
    expect(lines.map(({ prices }) => prices.map((one) => one?.cents ?? null))).toEqual([
      [1500, 1349],
      [1350, 1350],
      [null, 800],
      [900, null],
    ]);
    expect(lines[1]?.prices[0]).toEqual({ cents: 1350, shipping: 150, box: true });
  });

  it("RDA-07 of a seller's several offers in one minute, the lowest price plus shipping counts", () => {
    const { minutes, lines } = priceSeries([
      moment('2026-11-01T10:00:40.000Z', ['K1', 10, 3], ['K1', 12], ['K1', 11, 2, true]),
      moment('2026-11-01T10:00:05.000Z', ['K1', 11, 0.99]),
    ]);
    expect(minutes).toEqual(['2026-11-01T10:00:00.000Z']);
    expect(lines[0]?.prices).toEqual([{ cents: 1199, shipping: 99, box: true }]);
  });

  it('RDA-07 without moments there is nothing, and moments without a valid time are ignored', () => {
    expect(priceSeries([])).toEqual({ minutes: [], lines: [] });
    expect(priceSeries([moment('gestern', ['K1', 1])])).toEqual({ minutes: [], lines: [] });
    expect(priceSeries([moment('2026-11-01T10:00:00Z')])).toEqual({
      minutes: ['2026-11-01T10:00:00.000Z'],
      lines: [],
    });
  });

  it('RDA-07 times are formatted as yyyy-MM-dd HH:mm in Berlin time', () => {
    expect(formatMinute('2026-07-01T22:05:00.000Z')).toBe('2026-07-02 00:05');
    expect(formatMinute('2026-01-01T00:00:59.000Z')).toBe('2026-01-01 01:00');
  });

  it('RDA-07 earlier minutes are added, none of them twice', () => {
    const [one, two, three] = ['10:00', '10:01', '10:02'].map((time) =>
      moment(`2026-11-01T${time}:00.000Z`, ['K1', 1]),
    );
    if (one === undefined || two === undefined || three === undefined) throw new Error('no moments');
    expect(joinMoments([one, two], [two, three])).toEqual([one, two, three]);
    expect(joinMoments([one], [])).toEqual([one]);
  });
});
