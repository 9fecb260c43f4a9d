import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { createMaster } from '#catalogue/masters.ts';
import type { ChannelLine, ChannelOrder } from '#marketplaces/orders-port.ts';
import { takeOrders } from '#orders/intake/take-orders.ts';
import { systemClock } from '#platform/clock.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import { catalogueCents } from '../../../seed/catalogue.ts';
import { knownOrders } from '../../../seed/demo-known-orders.ts';
import { seedMarket, startDemoMarket } from '../../../seed/demo-market.ts';
import { openTestDatabase, testDatabaseUrl } from '../../stages/kontor.ts';

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-market-'));
  database = await openTestDatabase(folder, await testDatabaseUrl());
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const usual = '028-1234567-0000001';
const line = (number: number, more: Partial<ChannelLine>): ChannelLine => ({
  line: `12345670000001${number}`,
  sku: catalogueCents(2)[number]?.sku ?? '',
  title: 'Hammer',
  productId: '',
  ordered: 2,
  shipped: 0,
  cancelled: 0,
  unitCents: 1299,
  discountCents: 0,
  shippingCents: 490,
  taxRate: null,
  ...more,
});

/** An order as the sandbox gave it out two days ago: one parcel is on its way. */
function givenOut(placedAt: Date, order = usual): ChannelOrder {
  return {
    order,
    placedAt,
    changedAt: placedAt,
    rawState: 'PARTIALLY_SHIPPED',
    pending: false,
    hold: 'none',
    fulfilledBy: 'merchant',
    confirmable: true,
    currency: 'EUR',
    country: 'DE',
    taxScheme: '',
    programs: [],
    buyerOrderNumber: '',
    replaces: '',
    complete: true,
    lines: [line(0, { shipped: 1 }), line(1, { cancelled: 1 })],
    shipments: [
      {
        reference: '1',
        carrier: 'DHL',
        tracking: '00340000000000000001',
        shippedAt: new Date(placedAt.getTime() + 3_600_000),
        state: 'shipped',
        lines: [{ line: line(0, {}).line, quantity: 1 }],
      },
    ],
  };
}

it('OIM-02 after a restart the demo’s marketplace knows its orders again, and they can be shipped', async () => {
  const company = await createCompany(database, randomIds, systemClock, 'Nordkap');
  const demo = { company, masterid: 'Katalog123', account: 'Konto12345', now: new Date() };
  const vault = new Vault('secret of the installation');
  await database.company(company, async (trx) => {
    await createMaster(trx, company, demo.masterid, 'Nordkap Sortiment');
    await seedMarket(trx, demo);
    const incoming = { channel: demo.account, channelName: 'Amazon', source: 'marketplace', by: 'poll' } as const;
    const orders = [givenOut(new Date(Date.now() - 2 * 86_400_000))];
    await takeOrders(trx, { ids: randomIds, vault }, company, { ...incoming, author: '', orders }, demo.now);
  });
  const market = await startDemoMarket({ database, clock: systemClock, ids: randomIds });
  try {
    const port = market?.connectorOf(company)?.orders;
    const known = await port?.order(usual);
    expect(known?.lines.map((one) => [one.line, one.ordered, one.shipped, one.cancelled, one.unitCents])).toEqual([
      ['123456700000010', 2, 1, 0, 1299],
      ['123456700000011', 2, 0, 1, 1299],
    ]);
    expect(known?.shipments).toMatchObject([{ reference: '1', tracking: '00340000000000000001' }]);
    const rest = [0, 1].map((number) => ({ line: line(number, {}).line, quantity: 1 }));
    const ship = (reference: string, lines: typeof rest) =>
      port?.act({
        kind: 'ship',
        order: usual,
        idemKey: reference,
        orderedAt: new Date(),
        reference,
        shippedAt: new Date(),
        carrier: 'DHL',
        tracking: `0034000000000000000${reference}`,
        returnTracking: '',
        lines,
      });
    expect(await ship('2', rest)).toMatchObject({ state: 'done' });
    expect((await port?.order(usual))?.rawState).toBe('SHIPPED');
    // What was shipped before the restart must not be shipped again.
    await expect(ship('3', rest.slice(0, 1))).rejects.toMatchObject({ kind: 'conflict' });
  } finally {
    await market?.close();
  }
});

it('only the lines and parcels of the orders that the sandbox still knows are read at a start', async () => {
  const company = await createCompany(database, randomIds, systemClock, 'Alte Bestellungen');
  const [place, now] = [{ company, account: 'Konto12345' }, new Date()];
  const incoming = { channel: place.account, channelName: 'Amazon', source: 'marketplace', by: 'poll' } as const;
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const orders = [
    givenOut(daysAgo(2)),
    ...[70, 80, 90].map((days) => givenOut(daysAgo(days), `028-1234567-00000${days}`)),
  ];
  const vault = new Vault('secret of the installation');
  let read = 0;
  const known = await database.company(company, async (trx) => {
    await takeOrders(trx, { ids: randomIds, vault }, company, { ...incoming, author: '', orders }, now);
    const transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node;
    const transformResult: KyselyPlugin['transformResult'] = async ({ result }) => {
      read += result.rows.length;
      return result;
    };
    return knownOrders(trx.withPlugin({ transformQuery, transformResult }), place, now);
  });
  expect(known.map(({ id, lines, parcels }) => [id, lines.length, parcels.length])).toEqual([[usual, 2, 1]]);
  // One order, its two lines, and the one that its parcel contains.
  expect(read).toBe(4);
});
