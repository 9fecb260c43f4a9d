import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { Person } from '#shared/orders/persons.ts';
import { testKontor, type TestKontor } from '../stages/kontor.ts';
import { orderChannel, takeOrders } from '../stages/order-samples.ts';

const HOUR = 3_600_000;
const patience = { timeout: 20_000 };

describe('what happens to orders by itself', () => {
  let kontor: TestKontor;
  let channel: string;
  let folder: string;
  let now = Date.now();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-orders-'));
    kontor = await testKontor({}, { dataFolder: folder, clock: { now: () => new Date(now) } });
    channel = await orderChannel(kontor, 'Mein Laden');
  });
  afterAll(() => kontor.close());

  it('OIM-02 people are told once of an order that has to be shipped within hours', async () => {
    await takeOrders(kontor, channel, [
      { orderid: 'EILIG', shipInHours: 9, lines: [{ sku: 'A-1' }] },
      { orderid: 'SPÄTER', shipInHours: 90, lines: [{ sku: 'A-1' }] },
    ]);
    const alarms = async () =>
      (await kontor.ask(api.notifications)).notifications
        .filter(({ title }) => /versendet werden/.test(title))
        .map(({ title, path }) => [title, path]);
    now += 2 * 60_000;
    await takeOrders(kontor, channel, [{ orderid: 'ANDERE', lines: [{ sku: 'A-1' }] }]);
    expect(await alarms()).toEqual([]);
    now += 4 * HOUR;
    await vi.waitFor(async () => expect(await alarms()).toHaveLength(1), patience);
    expect((await alarms())[0]?.[0]).toBe('Bestellung EILIG muss versendet werden');
    now += HOUR;
    await takeOrders(kontor, channel, [{ orderid: 'NOCH-EINE', lines: [{ sku: 'A-1' }] }]);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await alarms()).toHaveLength(1);
  });

  it('persons of a cancelled order are erased after a week, and stood in no table, file or log in plain text', async () => {
    const delivery = Person.parse({ name: 'Kanari Vogel', lines: ['Käfigweg 1'], city: 'Bonn', country: 'DE' });
    const line = { sku: 'A-1', ordered: 1 };
    await takeOrders(kontor, channel, [{ orderid: 'P-1', lines: [line], persons: { delivery } }]);
    const company = (await kontor.ask(api.session)).company.id;
    const kept = () =>
      kontor.database.company(
        company,
        async (trx) => (await trx.selectFrom('order_persons').selectAll().execute()).length,
      );
    expect(await kept()).toBe(1);
    const params = { orderid: 'P-1', productid: 'P-1-1', quantity: 1, reason: 'NoInventory' };
    await kontor.ask(api.cancelItem, { params, query: { channel }, body: {} });
    now += 6 * 24 * HOUR;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await kept()).toBe(1);
    now += 25 * HOUR;
    await vi.waitFor(async () => expect(await kept()).toBe(0), patience);
    const { events, persons_until } = await kontor.ask(api.order, { params: { orderid: 'P-1' } });
    expect([events.some(({ text }) => /Personendaten gelöscht/.test(text)), persons_until]).toEqual([true, null]);
    // Not even before: what was sealed is all that was ever written.
    const tables = await kontor.database.company(company, async (trx) => {
      const { rows } = await pg<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(trx);
      const looks = rows.map(
        ({ name }) => pg`(select ${name} as name from ${pg.table(name)} t where t::text ilike '%kanari%' limit 1)`,
      );
      return (await pg`${pg.join(looks, pg` union all `)}`.execute(trx)).rows;
    });
    expect(tables).toEqual([]);
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const found = await Promise.all(
      files.map(async (file) => {
        const path = join(file.parentPath, file.name);
        const bytes = await readFile(path).catch(() => Buffer.alloc(0));
        return bytes.includes('Kanari') ? [path] : [];
      }),
    );
    expect(files.length).toBeGreaterThan(3);
    expect(found.flat()).toEqual([]);
  });
});
