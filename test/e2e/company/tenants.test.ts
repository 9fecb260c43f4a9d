import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { callBodies } from '../../stages/http/call-bodies.ts';
import { type TestKontor } from '../../stages/kontor.ts';
import { otherOwner, otherToken, ownThings, twoCompanies } from '../../stages/two-companies.ts';

const calls = Object.entries(api) as [string, Call][];
describe('companies are isolated from each other (T12)', () => {
  let kontor: TestKontor;
  let own: Record<string, string>;
  beforeAll(async () => {
    kontor = await twoCompanies();
    own = await ownThings(kontor);
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
          'ordersCsv',
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
