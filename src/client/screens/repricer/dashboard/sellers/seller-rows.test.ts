import { expect, it } from 'vitest';
import { namedSellers, orderAfter, sellerCells, visibleSellers } from './seller-rows.ts';
import { ownSellers, sellerPage } from './own-sellers.ts';
import { processorMs } from '../../../../../../test/stages/processor-time.ts';

const row = (id: string, box: number, total = 10) => ({
  _id: `WIR/${id}`,
  sellerid: 'WIR',
  comp_seller_id: id,
  total_count: total,
  buybox_count: box,
  non_buybox_count: total - box,
});

it('RDA-03 sellers are found by id and name, and sorted by the chosen column, then by id', () => {
  const sellers = namedSellers(
    [row('K10', 1), row('K2', 1), row('K3', 5), { ...row('X', 9), sellerid: 'ANDERE' }],
    'WIR',
    {
      K3: 'Ölmühle',
      K2: 'K2',
    },
  );
  expect(sellers.map(({ name }) => name)).toEqual(['', '', 'Ölmühle']);
  const ids = (search: string, descending = true) =>
    visibleSellers(sellers, search, { by: 'buybox_count', descending }).map(({ comp_seller_id }) => comp_seller_id);
  expect(ids('')).toEqual(['K3', 'K2', 'K10']);
  expect(ids('', false)).toEqual(['K2', 'K10', 'K3']);
  expect([ids(' k1'), ids('ölm'), ids('.*')]).toEqual([['K10'], ['K3'], []]);
});

it('RDA-03 the first click on a column heading sorts numbers in descending order, the second reverses it', () => {
  const first = orderAfter({ by: 'total_count', descending: true }, 'buybox_count');
  expect(first).toEqual({ by: 'buybox_count', descending: true });
  expect(orderAfter(first, 'buybox_count')).toEqual({ by: 'buybox_count', descending: false });
  expect(orderAfter(first, 'name')).toEqual({ by: 'name', descending: false });
});

it('RDA-03 5,000 sellers are searched and sorted in less than 500 ms', async () => {
  const many = namedSellers(
    Array.from({ length: 5000 }, (_, n) => row(`K${n}`, n % 7)),
    'WIR',
    {},
  );
  const search = () => expect(visibleSellers(many, 'k4', { by: 'name', descending: false })).toHaveLength(1111);
  expect(await processorMs(search)).toBeLessThan(500);
  expect(sellerCells(many)).toHaveLength(5001);
});

it('RDA-03 a seller links to its page at the marketplace, unless that is a sandbox or unknown', () => {
  const channel = {
    id: 'a',
    masterid: 'm',
    name: 'Laden',
    marketplace: 'DE',
    connector: 'amazon',
    sellerId: ' a1 ',
    active: true,
    offers: 0,
    lastRun: null,
  };
  const [seller] = ownSellers(
    [channel, { ...channel, masterid: 'anderer' }, { ...channel, id: 'b', sellerId: 'A1' }],
    'm',
  );
  expect(seller?.accounts.map(({ id }) => id)).toEqual(['a', 'b']);
  const connector = { id: 'amazon', label: '', demo: '', sellerHelp: '', groups: [], fields: [] };
  const pageOf = (name: string, demo = '') =>
    seller && sellerPage(seller, [{ ...connector, demo, marketplaces: [{ id: 'DE', name, currency: 'EUR' }] }], 'K&1');
  expect(pageOf('Amazon.com.be')).toBe('https://www.amazon.com.be/sp?seller=K%261');
  expect([pageOf('Amazon.de', 'Demo'), pageOf('Kaufland.de'), seller && sellerPage(seller, [], 'K1')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
