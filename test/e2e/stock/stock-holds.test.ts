import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { holdReasons, setHold } from '#orders/stock/hold.ts';
import { saveStockSettings } from '#orders/stock/settings.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { api } from '#shared/http/api.ts';
import { HOLD_LEAST, StockSettings } from '#shared/stock/settings.ts';
import { importFile, masterWith, openTestDatabase, testDatabaseUrl, testKontor } from '../../stages/kontor.ts';

const HOUR = 3_600_000;
const company = 'firma';
const place = { company, master: 'm' };
const now = new Date('2026-11-20T12:00:00Z');
const account = {
  company,
  id: 'konto',
  masterid: 'm',
  connector: 'test',
  marketplace: 'amazon-de',
  sellerId: 'WIR',
  currency: 'EUR',
  name: 'Amazon',
  settings: '{}',
  active: true,
};

describe('holds of the stock of a marketplace', () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-holds-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
    await inside(async (trx) => {
      await trx.insertInto('masters').values({ company, id: 'm', name: 'Katalog' }).execute();
      await saveStockSettings(trx, { company, masterid: 'm' }, settingsOf(), { author: 'Test', expected: 0 });
      await saveAccount(trx, account);
    });
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const inside = <T>(work: (trx: Trx) => Promise<T>) => database.company(company, work);
  const settingsOf = (more: Partial<StockSettings> = {}) =>
    StockSettings.parse({ field: 'bestand', hold_percent: 30, source_hours: 48, ...more });
  /** Inserts articles for sale at the marketplace, of which this many fall to 0. */
  const offers = (offered: number, falling: number) =>
    inside(async (trx) => {
      for (const table of ['stock_offers', 'stock_items'] as const)
        await trx.deleteFrom(table).where('company', '=', company).execute();
      const items = Array.from({ length: offered }, (_, n) => ({ ...place, item: `A-${n}` }));
      await trx
        .insertInto('stock_items')
        .values(items.map((item) => ({ ...item, on_hand: 5, source: 'ok' })))
        .execute();
      await trx
        .insertInto('stock_offers')
        .values(
          items.map((item, n) => ({
            ...item,
            channel: 'konto',
            account: true,
            sku: item.item,
            offered: n < falling ? 0 : 4,
            shown: 5,
            changed_at: now,
            not_before: now,
          })),
        )
        .execute();
    });
  const reasons = (settings: Partial<StockSettings> = {}, sourceAt = now) =>
    inside((trx) => holdReasons(trx, place, { settings: settingsOf(settings), sourceAt, fieldThere: true, now }));

  it.each([
    ['one fewer than allowed', 100, 29, ''],
    ['as many as allowed', 100, 30, ''],
    [
      'one more than allowed',
      100,
      31,
      '31 von 100 angebotenen Artikeln fielen bei „Amazon“ auf 0 (erlaubt sind 30 %).',
    ],
    ['as many as allowed of the smallest number that is judged', HOLD_LEAST, 6, ''],
    [
      'one more than allowed of the smallest number that is judged',
      HOLD_LEAST,
      7,
      '7 von 20 angebotenen Artikeln fielen bei „Amazon“ auf 0 (erlaubt sind 30 %).',
    ],
    ['all of a number too small to be judged', HOLD_LEAST - 1, HOLD_LEAST - 1, ''],
  ])('offers falling to 0: %s', async (_title, offered, falling, reason) => {
    await offers(offered, falling);
    expect(await reasons()).toBe(reason);
  });

  it('100 % allowed never holds, and 0 % holds for a single item', async () => {
    await offers(100, 100);
    expect(await reasons({ hold_percent: 100 })).toBe('');
    await offers(100, 1);
    expect(await reasons({ hold_percent: 0 })).toContain('1 von 100');
  });

  it('items sold out by the marketplace itself do not count as falling', async () => {
    await offers(100, 31);
    await inside((trx) => trx.updateTable('stock_offers').set({ shown: 0 }).where('offered', '=', 0).execute());
    expect(await reasons()).toBe('');
  });

  it('two accounts of the same name are judged separately', async () => {
    await offers(100, 0);
    await inside(async (trx) => {
      await saveAccount(trx, { ...account, id: 'zweites', sellerId: 'WIR-AUCH' });
      const gone = {
        ...place,
        channel: 'zweites',
        account: true,
        offered: 0,
        shown: 5,
        changed_at: now,
        not_before: now,
      };
      const items = Array.from({ length: 40 }, (_, n) => ({ ...gone, item: `A-${n}`, sku: `Z-${n}` }));
      await trx.insertInto('stock_offers').values(items).execute();
    });
    expect(await reasons()).toBe('40 von 40 angebotenen Artikeln fielen bei „Amazon“ auf 0 (erlaubt sind 30 %).');
  });

  it.each([
    ['a second younger than the maximum age', 48 * HOUR - 1000, ''],
    ['exactly at the maximum age', 48 * HOUR, ''],
    ['a second older than the maximum age', 48 * HOUR + 1000, 'Die Quelle ist 48 Stunden alt, erlaubt sind 48.'],
    ['an hour older than the maximum age', 49 * HOUR, 'Die Quelle ist 49 Stunden alt, erlaubt sind 48.'],
  ])('a source %s is judged by its age', async (_title, age, reason) => {
    await offers(30, 0);
    expect(await reasons({}, new Date(now.getTime() - age))).toBe(reason);
  });

  it('one hour is written in the singular', async () => {
    await offers(30, 0);
    const reason = await reasons({ source_hours: 1 }, new Date(now.getTime() - 1.5 * HOUR));
    expect(reason).toBe('Die Quelle ist 1 Stunde alt, erlaubt ist 1.');
  });

  it('without a maximum age a source of any age is accepted', async () => {
    expect(await reasons({ source_hours: 0 }, new Date(now.getTime() - 9000 * HOUR))).toBe('');
  });

  it('a hold is notified once; a release lasts until the numbers come from another state', async () => {
    const held = async () => {
      const { held: text } = await inside((trx) =>
        trx.selectFrom('stock_states').select('held').where('company', '=', company).executeTakeFirstOrThrow(),
      );
      return text;
    };
    const told = async () =>
      (await inside((trx) => trx.selectFrom('notifications').select('id').where('company', '=', company).execute()))
        .length;
    const judge = (reason: string, anew: boolean) => inside((trx) => setHold(trx, place, { reason, anew, now }));
    await judge('Zu alt.', true);
    await judge('Zu alt.', false);
    expect([await held(), await told()]).toEqual(['Zu alt.', 1]);
    await inside((trx) =>
      trx
        .updateTable('stock_states')
        .set({ held: '', held_at: null, released_at: now, released_by: 'Test', release_reason: 'geprüft' })
        .where('company', '=', company)
        .execute(),
    );
    await judge('Zu alt.', false);
    expect(await held()).toBe('');
    await judge('Zu alt.', true);
    expect(await held()).toBe('Zu alt.');
  });
});

it('a source that is not renewed causes a hold, and the next file ends it', async () => {
  let time = Date.now();
  const kontor = await testKontor({}, { clock: { now: () => new Date(time) } });
  try {
    const masterid = await masterWith(kontor, 'sku;bestand\nA-1;5\n', { key: 'sku' });
    await kontor.ask(api.saveStockSettings, {
      params: { masterid },
      body: StockSettings.parse({ field: 'bestand', source_hours: 2 }),
    });
    const state = async () => (await kontor.ask(api.stock, { params: { masterid } })).state;
    await expect.poll(async () => (await state()).computing, { timeout: 10_000 }).toBe(false);
    expect((await state()).held).toBe('');
    time += 3 * HOUR;
    await expect.poll(async () => (await state()).held, { timeout: 10_000 }).toContain('Stunden alt, erlaubt sind 2.');
    // Runs have the database's times, whose clock was not changed.
    time = Date.now();
    await importFile(kontor, masterid, { name: 'a.csv', bytes: 'sku;bestand\nA-1;6\n' });
    await expect.poll(async () => (await state()).held, { timeout: 10_000 }).toBe('');
  } finally {
    await kontor.close();
  }
});
