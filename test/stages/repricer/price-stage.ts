import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { saveAccount } from '#marketplaces/accounts/accounts.ts';
import { pg } from '#platform/db/pg.ts';
import { holdItems } from '#repricer/sales/item-alarms.ts';
import { api } from '#shared/http/api.ts';
import { openStage, type PageOptions, signIn, visit } from '../browser.ts';
import { undercutting } from './offer-message.ts';
import { masterWith, openTestDatabase, testDatabaseUrl, testKontor } from '../kontor.ts';

export const PRICED = 40;
export type PriceStage = Awaited<ReturnType<typeof openPriceStage>>;

/**
 * Opens a stage whose company sells: catalogue `masterid` with offers `A-0` to `A-39` of 15 euros, which a rule reprices, and an
 * account without a connector, so that no price is ever sent. In the catalogue `halved` a price of `E-1` was sent once, under bounds twice as high
 * as today's.
 */
export async function openPriceStage(alarm: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-price-pages-'));
  const databaseUrl = await testDatabaseUrl();
  const place = { dataFolder: folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
  const first = await testKontor({}, place);
  const rows = Array.from(
    { length: PRICED },
    (_, n) => `A-${n};10,00;20,00;${n === 39 ? '' : '15,00'};${n === 1 ? 18 : 8}`,
  );
  const masterid = await masterWith(first, ['sku;von;bis;normal;ek', ...rows].join('\n'), { key: 'sku' });
  const halved = await masterWith(first, 'sku;von;bis;normal\nE-1;10,00;20,00;15,00', { key: 'sku' });
  const company = (await first.ask(api.session, {})).company.id;
  await first.close();
  const database = await openTestDatabase(folder, databaseUrl);
  const account = { connector: 'none', sellerId: 'WIR', currency: 'EUR', name: 'Konto' };
  const accountOf = (id: string, catalogue: string, marketplace = 'M1') =>
    ({ ...account, company, id, masterid: catalogue, marketplace, settings: '{}', active: true }) as const;
  await database.company(company, async (trx) => {
    await saveAccount(trx, accountOf('konto', masterid));
    const now = new Date();
    const held = ['A-38', 'A-37'].map((item, n) => ({ id: `alarm${n}`, marketplace: 'M1', item, trippedAt: now }));
    await holdItems(
      trx,
      { company, masterid },
      held.map((one) => ({ ...one, price: 900, details: alarm })),
      now,
    );
    await pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version,
        currency, price_cents, min_cents, max_cents, state, reached_min, created_at, sent_at)
      values (${company}, 'vorher', ${halved}, 'M1', 'E-1', 'konto', 'E1', 0, 'r', '', 'EUR', 2500, 2400, 4000, 'live', false,
        now() - interval '3 days', now() - interval '3 days')`.execute(trx);
  });
  await database.close();
  const stage = await openStage({}, place);
  const listing = { marketplace: 'M1', account: 'konto', shipping: 0, price: 1500 };
  await stage.kontor.ask(api.saveListings, {
    params: { masterid },
    body: Array.from({ length: PRICED }, (_, n) => ({ ...listing, item: `A-${n}`, sku: `S${n}`, asin: `B${n}` })),
  });
  const body = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
  await stage.kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: body.id }, body });
  const close = async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  };
  /** Opens a page for a signed-in user. */
  const open = async (path: string, options: PageOptions = {}) => {
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, path);
    return page;
  };
  /** Adds a similar account for another catalogue; returns it as offers refer to it. */
  const addAccount = async (id: string, catalogue: string, marketplace = 'M1') => {
    await stage.kontor.database.company(company, (trx) => saveAccount(trx, accountOf(id, catalogue, marketplace)));
    return { marketplace, account: id };
  };
  return { folder, company, masterid, halved, stage, open, addAccount, close };
}

/** Returns on how many lines the text of a list entry's part stands at most, at any usual width of the list. */
export const mostLines = (page: Page, part: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const part = document.querySelector('${part}');
    const list = part.closest('ul');
    const lines = Array.from({ length: 100 }, (_, step) => {
      list.style.width = 200 + step * 10 + 'px';
      return part.getClientRects().length;
    });
    list.style.width = '';
    return Math.max(...lines);
  })()`);
