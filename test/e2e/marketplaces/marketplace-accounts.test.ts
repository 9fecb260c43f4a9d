import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '#marketplaces/sandbox/sandbox.ts';
import { systemClock } from '#platform/clock.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { seeded } from '../../../seed/random.ts';
import { masterWith, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';

const credentials = { clientId: 'amzn1.test', clientSecret: 'streng-geheim-1', refreshToken: 'Atzr|streng-geheim-2' };
const place = { marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR' };

describe('marketplace accounts', () => {
  let kontor: TestKontor;
  let sandbox: Sandbox;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    sandbox = await startSandbox({
      place: { ...place, currency: 'EUR' },
      credentials,
      // The last one has bounds of its own there, which none of our prices satisfies.
      items: Array.from({ length: 6 }, (_, n) => ({
        sku: `S${n}`,
        asin: `B${n}`,
        cents: 1600,
        minCents: n === 5 ? 5000 : 1000,
        maxCents: 9000,
      })),
      rateFactor: 20,
      liveAfterMs: [100, 200],
      everyMs: 200,
      clock: systemClock,
      chance: seeded(1),
    });
  });
  afterAll(async () => {
    await sandbox.close();
    await kontor.close();
  });
  const account = () => ({
    ...place,
    masterid,
    name: 'Amazon.de',
    settings: { ...credentials, apiUrl: sandbox.url, tokenUrl: sandbox.tokenUrl },
  });
  const withSettings = (changed: Record<string, string>) => ({ settings: { ...account().settings, ...changed } });
  const post = (path: string, body: unknown) =>
    kontor.raw(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

  it('REP-19 an account is created, checked, changed and deleted; its secrets are never returned', async () => {
    const { id } = await kontor.ask(api.createMarketplaceAccount, { body: { ...account(), active: true } });
    const shown = await (await kontor.raw(api.marketplaceAccounts.path)).text();
    expect(shown).not.toMatch(/streng-geheim/);
    expect(JSON.parse(shown)).toMatchObject({
      accounts: [
        { id, connector: 'amazon', currency: 'EUR', secretsSet: ['clientSecret', 'refreshToken'], active: true },
      ],
    });
    const test = () => kontor.ask(api.testMarketplaceAccount, { params: { id } });
    expect(await test()).toEqual({ success: true, error: '' });
    const save = (changed: object) => post(pathOf(api.saveMarketplaceAccount, { id }), { ...account(), ...changed });
    const kept = { clientSecret: '', refreshToken: '' };
    expect((await save({ ...withSettings(kept), name: 'Anders', active: true })).status).toBe(200);
    expect(await test()).toEqual({ success: true, error: '' });
    // Stored secrets are not used for another address.
    const moved = await save(withSettings({ ...kept, tokenUrl: `${sandbox.url}/anders` }));
    expect([moved.status, await moved.json()]).toMatchObject([
      422,
      { error: { fields: [{ field: 'settings.clientSecret' }, { field: 'settings.refreshToken' }] } },
    ]);
    expect((await save(withSettings({ refreshToken: 'falsch' }))).status).toBe(200);
    expect(await test()).toMatchObject({
      success: false,
      error: expect.stringMatching(/nimmt die Zugangsdaten nicht an/),
    });
    await kontor.ask(api.deleteMarketplaceAccount, { params: { id } });
    expect((await kontor.ask(api.marketplaceAccounts)).accounts).toEqual([]);
    expect((await kontor.raw(pathOf(api.testMarketplaceAccount, { id }), { method: 'POST' })).status).toBe(404);
  });

  it('REP-19 an incomplete account cannot be active, and wrong details are refused with the field', async () => {
    for (const [wrong, field] of [
      [{ ...withSettings({ clientSecret: '' }), active: true }, 'settings.clientSecret'],
      [withSettings({ apiUrl: 'http://beispiel.de' }), 'settings.apiUrl'],
      [withSettings({ apiUrl: 'https://169.254.169.254' }), 'settings.apiUrl'],
      [withSettings({ gibtEsNicht: 'x' }), 'settings.gibtEsNicht'],
      [{ sellerId: 'A B' }, 'sellerId'],
      [{ marketplace: 'X' }, 'marketplace'],
      [{ name: ' ' }, 'name'],
    ] as const) {
      const answer = await post(api.createMarketplaceAccount.path, { ...account(), ...wrong });
      expect(Math.floor(answer.status / 100), field).toBe(4);
      expect(await answer.json(), field).toMatchObject({ error: { fields: [{ field }] } });
    }
    expect((await post(api.createMarketplaceAccount.path, { ...account(), masterid: 'FREMD' })).status).toBe(404);
    // Incomplete, but not active: it is stored, and the check says what is missing.
    const { id } = await kontor.ask(api.createMarketplaceAccount, {
      body: { ...account(), ...withSettings({ refreshToken: '' }) },
    });
    expect(await kontor.ask(api.testMarketplaceAccount, { params: { id } })).toMatchObject({
      success: false,
      error: expect.stringMatching(/noch nicht vollständig/),
    });
  });

  it('REP-19 queue messages of an account are requested, processed and deleted; its key is bound to its address', async () => {
    const mailbox = { keyId: 'AKIATEST', secret: 'streng-geheim-3' };
    const ours = { cents: 1600, minCents: 1000, maxCents: 9000 };
    const market = await startSandbox({
      place: { ...place, currency: 'EUR' },
      credentials,
      items: [{ sku: 'Q1', asin: 'BQ1', ...ours }],
      everyMs: 100,
      movesPerSecond: 20,
      clock: systemClock,
      chance: seeded(2),
      mailbox,
    });
    const selling = await masterWith(kontor, 'sku;titel\nQ-1;Hammer');
    const queue = { queueUrl: market.mailboxUrl, queueKeyId: mailbox.keyId, queueSecret: mailbox.secret };
    const there = { ...credentials, apiUrl: market.url, tokenUrl: market.tokenUrl, ...queue };
    const body = { ...account(), masterid: selling, settings: there };
    const incomplete = await post(api.createMarketplaceAccount.path, {
      ...body,
      settings: { ...there, queueSecret: '' },
      active: true,
    });
    expect([incomplete.status, await incomplete.json()]).toMatchObject([
      422,
      { error: { fields: [{ field: 'settings.queueSecret' }] } },
    ]);
    const { id } = await kontor.ask(api.createMarketplaceAccount, { body: { ...body, active: true } });
    const offer = { account: id, marketplace: place.marketplace, item: 'Q-1', sku: 'Q1', asin: 'BQ1', price: 1600 };
    await kontor.ask(api.saveListings, { params: { masterid: selling }, body: [offer] });
    expect(await kontor.ask(api.subscribeMarketplaceAccount, { params: { id } })).toEqual({ success: true, error: '' });
    expect(Object.keys(market.ordered())).toEqual(['ANY_OFFER_CHANGED', 'ORDER_CHANGE', 'FEED_PROCESSING_FINISHED']);
    const best = async () =>
      (await kontor.ask(api.priceRuler, { params: { masterid: selling, itemid: 'Q-1' }, query: {} }))[0]?.at;
    await expect.poll(best).toEqual(expect.any(String));
    await expect.poll(() => market.counters.messages, { timeout: 10_000 }).toBeGreaterThan(20);
    // A refused key cannot recover by itself: users are notified at once.
    const other = { ...body, active: true, settings: { ...there, queueSecret: 'ein-anderer' } };
    expect((await post(pathOf(api.saveMarketplaceAccount, { id }), other)).status).toBe(200);
    const told = async () =>
      (await kontor.ask(api.notifications, { query: {} })).notifications.map(({ title, text }) => `${title}: ${text}`);
    await expect
      .poll(told)
      .toContainEqual(
        expect.stringMatching(/Mitteilungen des Marktplatzes für „Amazon.de“: Amazon lehnt den Zugang zur Wart/),
      );
    await market.close();
    const moved = await post(pathOf(api.saveMarketplaceAccount, { id }), {
      ...body,
      settings: { ...there, queueSecret: '', queueUrl: `${sandbox.url}/1/anders` },
    });
    expect([moved.status, await moved.json()]).toMatchObject([
      422,
      { error: { fields: [{ field: 'settings.queueSecret' }] } },
    ]);
    await kontor.ask(api.deleteMarketplaceAccount, { params: { id } });
  });

  it("LIV-04 TRA-01 TRA-02 REP-19 an account is a channel: it is updated and shows the marketplace's answer to each price", async () => {
    const rows = Array.from({ length: 6 }, (_, n) => `A-${n};Ware ${n};10,00;20,00;15,00`);
    const selling = await masterWith(kontor, ['sku;titel;von;bis;normal', ...rows].join('\n'));
    const { id } = await kontor.ask(api.createMarketplaceAccount, {
      body: { ...account(), masterid: selling, active: true },
    });
    const params = { masterid: selling };
    const listing = {
      account: id,
      marketplace: place.marketplace,
      condition: 'new',
      fulfillment: 'MFN',
      currency: 'EUR',
    };
    await kontor.ask(api.saveListings, {
      params,
      body: rows.map((_, n) => ({
        ...listing,
        item: `A-${n}`,
        sku: `S${n}`,
        asin: `B${n}`,
        shipping: 0,
        price: 1600,
        stock: null,
      })),
    });
    const update = async () => {
      const { runid } = await kontor.ask(api.updateChannel, { params: { channel: id } });
      return settled(kontor, runid);
    };
    expect(await update()).toMatchObject({
      kind: 'prices',
      owner: id,
      state: 'done',
      rowsIn: 6,
      message: expect.stringMatching(/^6 eigene Angebote nachgesehen. Es wurde kein Preis entschieden/),
    });
    const rule = undercutting('Regel00001', 'Unterbieten', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid: selling, ruleid: rule.id }, body: rule });
    const asked = sandbox.counters.calls['getListingOffersBatch'] ?? 0;
    expect(await update()).toMatchObject({
      state: 'done',
      accepted: 6,
      message: expect.stringMatching(/^6 eigene Angebote nachgesehen, 6 Preise entschieden: /),
    });
    expect(sandbox.counters.calls['getListingOffersBatch']).toBeGreaterThan(asked);
    const sum = (controller: string) => kontor.ask(api.transferSum, { params: { controller }, body: { id } });
    await expect.poll(() => sum('transfer')).toMatchObject({ SEND: 6, ACCEPTED: 5, INVALID: 1, source: 'channel' });
    expect(await sum('amazon')).toMatchObject({ SEND: 6, channel: 'Amazon.de' });
    // The first price of the rule's revision was previewed before it was sent, and no later one.
    expect(sandbox.counters.previews).toBeGreaterThan(0);
    const { previews, prices } = sandbox.counters;
    const page = (call: typeof api.transferReady | typeof api.transferFailure) =>
      kontor.ask(call, { params: { controller: 'transfer' }, query: { id } });
    expect((await page(api.transferFailure)).data).toMatchObject([
      {
        _id: 'A-5',
        title: 'Ware 5',
        state: 'invalid',
        message: expect.stringMatching(/lehnt den Preis ab.*\(99022\)$/),
        problems: [{ severity: 'error', fix: { kind: 'price', itemid: 'A-5' } }],
      },
    ]);
    const reasons = await kontor.ask(api.transferReasons, { params: { id } });
    expect(reasons).toMatchObject([{ items: 1, sentence: expect.stringMatching(/lehnt den Preis ab.*\(99022\)$/) }]);
    const reason = reasons[0]?.key ?? '';
    const byReason = (search: string) =>
      kontor.ask(api.transferFailure, { params: { controller: 'transfer' }, query: { id, reason, search } });
    expect([(await byReason('a-5')).total, (await byReason('A-4')).total]).toEqual([1, 0]);
    const ready = await page(api.transferReady);
    expect(ready.data.map(({ _id, problems }) => [_id, problems.length])).toEqual(
      [0, 1, 2, 3, 4].map((n) => [`A-${n}`, 0]),
    );
    const csv = await (await kontor.raw(`/api/exports/${id}/transfer/csv?view=failure`)).text();
    expect(csv).toMatch(/^"A-5";"Ware 5";"Abgelehnt";"/m);
    const again = await kontor.ask(api.resendFailed, { params: { id } });
    expect((await kontor.ask(api.updateChannel, { params: { channel: id } })).runid).toBe(again.runid);
    expect((await settled(kontor, again.runid)).state).toBe('done');
    expect(sandbox.counters.previews).toBe(previews);
    expect(sandbox.counters.prices).toBeGreaterThanOrEqual(prices);
    expect((await kontor.ask(api.marketplaceChannels)).channels.find((one) => one.id === id)).toMatchObject({
      offers: 6,
      lastRun: { state: 'done' },
    });
    await post(pathOf(api.saveMarketplaceAccount, { id }), { ...account(), active: false });
    const off = await kontor.raw(pathOf(api.updateChannel, { channel: id }), { method: 'POST' });
    expect([off.status, await off.text()]).toEqual([409, expect.stringMatching(/„Amazon.de“ ist pausiert/)]);
  });
});
