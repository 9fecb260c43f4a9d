import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
import { giveToken } from '../../stages/company-token.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

describe('search', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  let accountid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(
      kontor,
      'sku;titel;marke\nA-1;Bohrer groß;Bosch\nA-2;Säge;Fjord\nB-1;Hammer A-2;Fjord\n"x/y?z";100 % Wolle;Lana\n',
    );
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Bohrwelt' } })).id;
    const rule = Rule.parse({
      id: 'RuleBohr01',
      name: 'Bohrer aufwerten',
      active: true,
      querys: [{ id: 'q', field: 'titel', value: 'Bohrer' }],
      actions: [{ id: 'a', field: 'marke', value: [{ type: '_string', value: 'Bosch' }] }],
    });
    await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [rule] });
    const account = { masterid, marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR', name: 'Mein Laden' };
    accountid = (await kontor.ask(api.createMarketplaceAccount, { body: account })).id;
  });
  afterAll(() => kontor.close());
  const search = async (q: string) => (await kontor.ask(api.search, { query: { q } })).found;

  it('RUL-02 finds exports, rules and items by name, ignoring case', async () => {
    const found = await search('bohr');
    expect(found.map(({ kind, name }) => [kind, name])).toEqual([
      ['export', 'Bohrwelt'],
      ['rule', 'Bohrer aufwerten'],
      ['item', 'Bohrer groß'],
    ]);
    expect(found[1]).toMatchObject({ scope: { kind: 'export', id: exportid }, ruleid: 'RuleBohr01', active: true });
  });

  it('finds a marketplace account by its name and by the marketplace', async () => {
    for (const q of ['laden', 'amazon.de'])
      expect(await search(q)).toEqual([
        { kind: 'account', id: accountid, name: 'Mein Laden', detail: 'Konto bei Amazon.de · Testkatalog' },
      ]);
  });

  it('finds a rule by its description, and an item by its number before one that mentions it', async () => {
    expect((await search('marke auf')).map(({ kind }) => kind)).toEqual(['rule']);
    const items = (await search('a-2')).filter((one) => one.kind === 'item');
    expect(items.map(({ itemid }) => itemid)).toEqual(['A-2', 'B-1']);
  });

  it('the item with exactly this number comes first, however many others start with it in any catalogue', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `471${at + 10};Zange ${at}`);
    const older = await masterWith(kontor, ['sku;titel', ...rows, '471;Gesucht', 'X-9;Hier'].join('\n'), {
      key: 'sku',
    });
    await masterWith(kontor, ['sku;titel', ...rows, 'x-90;Dort', 'x-91;Dort'].join('\n'), { key: 'sku' });
    const items = async (q: string) =>
      (await search(q)).flatMap((one) => (one.kind === 'item' ? [[one.masterid, one.itemid]] : []));
    expect((await items('471'))[0]).toEqual([older, '471']);
    expect(await items('471')).toHaveLength(6);
    expect((await items('x-9')).map(([, itemid]) => itemid)).toEqual(['X-9', 'x-90', 'x-91']);
  });

  it('treats special characters of query languages as plain text', async () => {
    expect((await search('100 %')).map(({ name }) => name)).toEqual(['100 % Wolle']);
    expect((await search('x/y?z')).map(({ kind }) => kind)).toEqual(['item']);
    for (const q of ["'; drop table documents; --", '%', '_', '(((', '\\', '💥'])
      expect(await search(q)).toBeInstanceOf(Array);
  });

  it('T12 a search finds no catalogue, export, account, rule or item of another company', async () => {
    const other = await createCompany(kontor.database, randomIds, systemClock, 'Andere Firma');
    const as = 'token-of-another-company-0123';
    await giveToken(kontor.database, other, as);
    const kinds = new Set<string>();
    for (const q of ['testkatalog', 'bohr', 'bosch', 'laden', 'A-1', 'a']) {
      for (const { kind } of await search(q)) kinds.add(kind);
      expect([q, await kontor.ask(api.search, { as, query: { q } })]).toEqual([q, { found: [] }]);
    }
    expect([...kinds].toSorted()).toEqual(['account', 'export', 'item', 'master', 'rule']);
  });

  it('a search without a session gets 401, and an empty one 422', async () => {
    // The tenant matrix uses a token of another company; here a caller without one is refused.
    expect((await kontor.raw('/api/search?q=bohr', { as: null })).status).toBe(401);
    expect((await kontor.raw('/api/search?q=')).status).toBe(422);
  });
});
