import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany, createUser } from '#auth/auth.ts';
import { pg } from '#platform/db/pg.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToken } from '../../stages/company-token.ts';
import { callBodies } from '../../stages/http/call-bodies.ts';
import { masterWith, openTestDatabase, testDatabaseUrl, testKontor, type TestKontor } from '../../stages/kontor.ts';

const calls = Object.entries(api) as [string, Call][];
const otherToken = 'token-of-another-company-0123';
const otherOwner = { name: 'Fremd', email: 'fremd@beispiel.de', password: 'lampe-wolke-trecker', role: 'owner' };

/** Starts Kontor on data that already contain a second company with a token of its own. */
async function twoCompanies(): Promise<TestKontor> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'kontor-tenants-'));
  const databaseUrl = await testDatabaseUrl();
  const database = await openTestDatabase(dataFolder, databaseUrl);
  const other = await createCompany(database, randomIds, systemClock, 'Andere Firma');
  await giveToken(database, other, otherToken);
  await createUser(database, randomIds, systemClock, { ...otherOwner, company: other });
  await database.close();
  return testKontor({}, { dataFolder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
}

describe('companies are isolated from each other (T12)', () => {
  let kontor: TestKontor;
  let own: Record<string, string>;
  beforeAll(async () => {
    kontor = await twoCompanies();
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export' } });
    const [run] = await kontor.ask(api.masterRuns, { params: { masterid } });
    const account = { name: 'Konto', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9' as const };
    const { id: accountid } = await kontor.ask(api.createMarketplaceAccount, { body: account });
    const line = { productid: 'P-1', sku: 'A-1', ordered: 2, unit_cents: 100 };
    const order = {
      orderid: 'O-1',
      placed_at: '2026-01-01T10:00:00Z',
      lines: [line],
      persons: { buyer: { name: 'Kanari' } },
    };
    await kontor.ask(api.createOrders, { body: { channel: id, orders: [order] } });
    const { action } = await kontor.ask(api.fulfillItem, {
      params: { orderid: 'O-1', productid: 'P-1' },
      body: { quantity: 1, carrier: 'DHL', tracking: '1' },
    });
    const { id: view } = await kontor.ask(api.createView, {
      body: { table: 'items', masterid, name: 'Geteilt', query: 'suche=x', shared: true },
    });
    const { id: tokenid } = await kontor.ask(api.createToken, { body: { name: 'Unserer', role: 'viewer' } });
    await kontor.ask(api.invite, { body: { email: 'gast@beispiel.de', role: 'viewer' } });
    const [invitation] = await kontor.ask(api.invitations);
    const [member] = await kontor.ask(api.members);
    const people = { tokenid, invitation: invitation?.id ?? '', member: member?.id ?? '' };
    const { id: uploadid } = await kontor.ask(api.beginImportUpload, {
      params: { masterid },
      body: { name: 'a.csv', size: 10 },
    });
    own = { uploadid, masterid, exportid: id, runid: run?.runid ?? '', accountid, action, view, ...people };
  });
  afterAll(() => kontor.close());

  const idFor = (call: Call, parameter: string, known: boolean): string => {
    const random = 'Zzzzzzzzzzz1';
    if (parameter === 'subject') return 'rules';
    if (parameter === 'scope') return `master:${known ? own['masterid'] : random}`;
    if (parameter === 'revision') return 'latest';
    if (['number', 'rank', 'note'].includes(parameter)) return '1';
    if (parameter === 'table') return 'brands';
    if (parameter === 'controller') return 'transfer';
    if (parameter === 'quantity') return '1';
    if (parameter === 'reason') return 'NoInventory';
    if (!known) return random;
    if (parameter === 'itemid' || parameter === 'articleId') return 'A-1';
    if (parameter === 'orderid') return 'O-1';
    if (parameter === 'productid') return 'P-1';
    if (parameter === 'id' && call.path.includes('/actions/')) return own['action'] ?? random;
    if (parameter === 'sellerid') return 'X';
    if (parameter === 'competitor') return 'Y';
    if (parameter === 'id' && call.path.startsWith('/api/tokens')) return own['tokenid'] ?? random;
    if (parameter === 'id' && call.path.startsWith('/api/members')) return own['member'] ?? random;
    if (parameter === 'id' && call.path.startsWith('/api/invitations')) return own['invitation'] ?? random;
    if (parameter === 'uploadid') return own['uploadid'] ?? random;
    if (parameter === 'view') return own['view'] ?? random;
    if (parameter === 'runid') return own['runid'] ?? random;
    if (parameter === 'masterid') return own['masterid'] ?? random;
    if (parameter === 'channel') return own['accountid'] ?? random;
    if (parameter === 'projectId' || (parameter === 'id' && /exports|apis|assignments/.test(call.path)))
      return own['exportid'] ?? random;
    if (parameter === 'id' && call.path.includes('/api/items')) return 'A-1';
    return own['masterid'] ?? random;
  };
  const send = async (name: string, call: Call, known: boolean, as: string | null): Promise<Response> => {
    const parameters = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const params = Object.fromEntries(parameters.map((parameter) => [parameter, idFor(call, parameter, known)]));
    const asked = (key: string) => (known ? own[key] : 'Zzzzzzzzzzz1');
    const withMaster =
      call.query && 'masterid' in call.query.shape
        ? `?masterid=${asked('masterid')}`
        : call.query && 'id' in call.query.shape
          ? `?id=${asked('exportid')}`
          : '';
    const body =
      name in callBodies
        ? JSON.stringify(callBodies[name])
            .replace('FOREIGNEXPORT', own['exportid'] ?? '')
            .replace('FOREIGN', own['masterid'] ?? '')
        : undefined;
    const field = name === 'itemFacet' ? '&field=_id' : '';
    const piece = name === 'sendImportPiece' ? `?offset=0&sha256=${'a'.repeat(64)}` : '';
    const person = call.people === true && as !== null ? await kontor.owner(otherOwner.email) : undefined;
    return kontor.raw(pathOf(call, params) + withMaster + field + piece, {
      method: call.method,
      as: person === undefined ? as : null,
      headers: { ...person, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    });
  };
  const bound = calls.filter(
    ([name, call]) =>
      call.access !== 'public' &&
      // Calls about the installation: other callers are refused before any id is read.
      !call.path.startsWith('/api/installation') &&
      (call.path.includes('{') ||
        name === 'items' ||
        name === 'itemsCsv' ||
        name === 'itemFacet' ||
        name === 'fieldData' ||
        name === 'updateFields' ||
        name === 'itemImages' ||
        /Targets$|^countCategories$|^attributes$|^setAttribute$|^checkUpload$|^repricerStatistic$/.test(name)),
  );

  it.each(bound)('%s answers 404 to the ids of another company and to ids that do not exist', async (name, call) => {
    for (const known of [true, false]) {
      const answer = await send(name, call, known, otherToken);
      expect([name, known, answer.status]).toEqual([name, known, 404]);
      const { error } = (await answer.json()) as { error: { message: string; requestId: string } };
      expect(error.message).toMatch(/gibt es nicht/);
      expect(error.requestId).not.toBe('');
    }
  });

  it.each(calls.filter(([, call]) => call.access !== 'public'))(
    '%s answers 401 or 403 without a session',
    async (name, call) => {
      const answer = await send(name, call, true, null);
      // Without a token a POST must also prove its origin (T14); both refusals come before anything is read.
      expect([401, 403]).toContain(answer.status);
    },
  );

  it('the lists of one company never contain rows of another', async () => {
    const masters = await kontor.ask(api.masters, { as: otherToken });
    expect(masters).toEqual([]);
    expect(await kontor.ask(api.activity, { as: otherToken })).toEqual([]);
    expect(await kontor.ask(api.search, { as: otherToken, query: { q: 'Hammer' } })).toEqual({ found: [] });
    expect((await kontor.ask(api.search, { query: { q: 'Hammer' } })).found).toHaveLength(1);
    const note = { date: '2026-01-01', note: 'Nur für uns' };
    expect(await kontor.ask(api.addNote, { body: note })).toEqual({ note });
    const [kept] = await kontor.ask(api.notes, {});
    expect(kept).toEqual({ ...note, id: expect.any(Number) });
    const removal = { method: 'DELETE', as: otherToken };
    expect((await kontor.raw(pathOf(api.deleteNote, { note: kept?.id ?? 0 }), removal)).status).toBe(404);
    expect(await kontor.ask(api.notes, {})).toEqual([kept]);
    expect(await kontor.ask(api.notes, { as: otherToken })).toEqual([]);
    const items = { table: 'items' as const, masterid: own['masterid'] ?? '' };
    expect((await kontor.ask(api.savedViews, { query: items })).views).toHaveLength(1);
    const foreign = await kontor.raw(`/api/views?table=items&masterid=${items.masterid}`, { as: otherToken });
    expect(foreign.status).toBe(404);
    const inForeign = await kontor.raw('/api/views', {
      method: 'POST',
      as: otherToken,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...items, name: 'x', query: '' }),
    });
    expect(inForeign.status).toBe(404);
    await kontor.ask(api.createView, { body: { table: 'orders', name: 'Nur für uns', query: '', shared: true } });
    const ofOrders = { query: { table: 'orders' as const } };
    expect((await kontor.ask(api.savedViews, ofOrders)).views).toHaveLength(1);
    expect(await kontor.ask(api.savedViews, { ...ofOrders, as: otherToken })).toEqual({ views: [], standard: null });
    await kontor.ask(api.createToken, { body: { name: 'Nur für uns', role: 'viewer' } });
    const logOf = async (as?: string) =>
      JSON.stringify(await kontor.ask(api.securityLog, as === undefined ? {} : { as }));
    expect(await logOf()).toContain('Nur für uns');
    expect(await logOf(otherToken)).not.toContain('Nur für uns');
    expect(await (await kontor.raw('/api/security-log/csv', { as: otherToken })).text()).not.toContain('Nur für uns');
    const inJanuary = { body: { start: '2026-01-01', end: '2026-01-31' } };
    const all = { query: { filter: 'alle' as const } };
    expect((await kontor.ask(api.orders, all)).rows).toHaveLength(1);
    expect(await kontor.ask(api.orders, { ...all, as: otherToken })).toMatchObject({
      rows: [],
      channels: [],
      total: 0,
    });
    expect(await kontor.ask(api.orderCounters, { as: otherToken })).toMatchObject({ open: 0 });
    expect(await kontor.ask(api.orderStatistic, inJanuary)).toHaveLength(1);
    expect(await kontor.ask(api.orderStatistic, { ...inJanuary, as: otherToken })).toEqual([]);
    await kontor.ask(api.setExchangeRate, { body: { currency: 'PLN', rate: 4.2 } });
    expect(await kontor.ask(api.exchangeRates, { as: otherToken })).toMatchObject({ own: [] });
    const parcel = {
      orderid: 'O-1',
      channel: own['exportid'] ?? '',
      carrier: 'DHL',
      tracking: '2',
      returntracking: '',
    };
    const { results } = await kontor.ask(api.shipOrders, { as: otherToken, body: { parcels: [parcel] } });
    expect(results).toMatchObject([{ ok: false, message: 'Diese Bestellung gibt es nicht (mehr).' }]);
    const table = { as: otherToken, body: { text: 'O-1;2;DHL' } };
    expect((await kontor.ask(api.checkTracking, table)).rows[0]?.message).toBe('Diese Bestellung gibt es hier nicht.');
    const { channel } = parcel;
    for (const [path, body] of [
      ['/api/orders/persons', { purpose: 'view', orders: [{ orderid: 'O-1', channel }] }],
      ['/api/orders/slips/addresses', { orders: [{ orderid: 'O-1', channel }] }],
      [
        '/api/orders',
        {
          channel,
          orders: [
            { orderid: 'O-1', placed_at: '2026-01-01T10:00:00Z', lines: [{ productid: '1', sku: 'A', ordered: 1 }] },
          ],
        },
      ],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const answer = await kontor.raw(path, { method: 'POST', as: otherToken, headers, body: JSON.stringify(body) });
      expect([path, answer.status]).toEqual([path, path === '/api/orders' ? 422 : 404]);
      expect(await answer.text()).toContain('gibt es nicht');
    }
    // examples.test.ts shows that removing one company's examples leaves others untouched.
    expect(await kontor.ask(api.examples, { as: otherToken })).toEqual({ present: false });
    const { masterid: doomed } = await kontor.ask(api.createMaster, { body: { name: 'Gelöscht' } });
    await kontor.ask(api.trashMaster, { params: { masterid: doomed }, body: { name: 'Gelöscht' } });
    expect((await kontor.ask(api.trash)).entries).toHaveLength(1);
    expect(await kontor.ask(api.trash, { as: otherToken })).toEqual({ entries: [], gone: [] });
    expect(await kontor.ask(api.firstSteps, { as: otherToken })).toMatchObject({ masterid: null, exportid: null });
    expect(await kontor.ask(api.sellerNames, {})).toEqual({ X: 'Konto' });
    expect(await kontor.ask(api.sellerNames, { as: otherToken })).toEqual({});
    expect(await kontor.ask(api.waitingPrices, { as: otherToken })).toEqual({ count: 0, masterid: null });
  });

  it('the database itself shows a company only its own rows, and none without a company', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-rls-'));
    const filled = await openTestDatabase(folder, await testDatabaseUrl());
    await filled.company(
      'a',
      async (trx) => void (await pg`insert into masters (company, id, name) values ('a', 'm1', 'x')`.execute(trx)),
    );
    const count = async (company: string) =>
      filled.company(
        company,
        async (trx) => (await pg<{ n: number }>`select count(*) as n from masters`.execute(trx)).rows[0]?.n,
      );
    expect(await count('a')).toBe(1);
    expect(await count('b')).toBe(0);
    expect(await count('')).toBe(0);
    await expect(
      filled.company('b', (trx) => pg`insert into masters (company, id, name) values ('a', 'm2', 'x')`.execute(trx)),
    ).rejects.toThrow(/row-level security/);
    await filled.close();
  });

  it('T12 a statement that waits while its transaction is rolled back is refused, not run on its own', async () => {
    const database = await openTestDatabase(await mkdtemp(join(tmpdir(), 'kontor-late-')), await testDatabaseUrl());
    const waiting: Promise<unknown>[] = [];
    const failing = database.company('a', async (trx) => {
      const first = pg`select 1 / 0`.execute(trx);
      // A table of all companies: in any other, row-level security refuses a row without a company.
      for (const name of ['m1', 'm2', 'm3'])
        waiting.push(trx.insertInto('leases').values({ name, holder: 'x', until: new Date() }).execute());
      await Promise.all([first, ...waiting]);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const ends = await Promise.allSettled(waiting);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await database.kysely.selectFrom('leases').select('name').execute()).toEqual([]);
    await database.close();
  });

  it('every API call is covered by this matrix', () => {
    const covered = new Set([
      ...bound.map(([name]) => name),
      ...calls.filter(([, call]) => call.access === 'public').map(([name]) => name),
    ]);
    const companyWide = new Set(
      ['session', 'tokens', 'createToken', 'members', 'masters', 'createMaster'].concat(
        // Calls on one's own account, and on the company's sign-in policy: sign-in.test.ts, invitations.test.ts.
        ['prove', 'changePassword', 'sessions', 'endSessions', 'factors', 'startApp', 'confirmApp', 'removeApp'],
        ['newPasskeyQuestion', 'addPasskey', 'renewRecoveryCodes'],
        [
          'invitations',
          'invite',
          'signInPolicy',
          'saveSignInPolicy',
          'securityLog',
          'securityLogCsv',
          'verifySecurityLog',
        ],
        // What they show of other companies is tested above. Channel templates belong to the program itself.
        ['activity', 'search', 'channels', 'header', 'notifications', 'readNotifications', 'stopPrices', 'companyLive'],
        ['mailSettings', 'saveMailSettings', 'testMail', 'webhooks', 'createWebhook', 'deliveries'],
        ['marketplaceAccounts', 'createMarketplaceAccount', 'marketplaceChannels', 'marketplaceConnectors'],
        [
          'savedViews',
          'createView',
          'sellerNames',
          'notes',
          'addNote',
          'waitingPrices',
          'examples',
          'removeExamples',
          'firstSteps',
          'trash',
          // Their effect on one company, and none on others: company-data.test.ts.
          'companyData',
          'quotas',
          'exportCompany',
          'deleteCompany',
          'keepCompany',
        ],
        [
          'orders',
          'orderCounters',
          'orderStatistic',
          'exchangeRates',
          'setExchangeRate',
          'createOrders',
          'importOrders',
          'shipOrders',
          'checkTracking',
          'orderPersons',
          'slipAddresses',
        ],
        // Its address contains the company's mark: pictures.test.ts shows that another company's is refused.
        ['picture'],
        // The same for all companies, or about the file that is sent.
        ['importLimits', 'readWorkbook'],
        // About the installation: operations.test.ts shows that owners of other companies are refused.
        ['installation', 'installationUse', 'cancelJob', 'pauseJobs', 'retryJobs', 'drainProcess', 'releaseOutgoing'],
      ),
    );
    expect(calls.map(([name]) => name).filter((name) => !covered.has(name) && !companyWide.has(name))).toEqual([]);
  });
});
