import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

const [GERMANY, POLAND] = ['A1PA6795UKMFR9', 'A1C3SOZRARQ6R3'];

describe('our offers as they are reported', () => {
  let kontor: TestKontor;
  let masterid: string;
  let other: string;
  const accounts = new Map<string, string>();
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00\nA-2;10,00;20,00;15,00');
    other = await masterWith(kontor, 'sku;von;bis;normal\nC-1;5,00;20,00;15,00');
    const account = async (name: string, catalogue: string, marketplace: string) => {
      const body = { name, sellerId: 'WIR', masterid: catalogue, marketplace };
      accounts.set(name, (await kontor.ask(api.createMarketplaceAccount, { body })).id);
    };
    await account('Eins', masterid, GERMANY);
    await account('Polen', masterid, POLAND);
    await account('Zwei', other, GERMANY);
  });
  afterAll(() => kontor.close());

  type Told = { item: string; sku: string; account?: string; marketplace?: string; currency?: string };
  /** Returns 'ok', or the error code with the field that it names. */
  const report = async (offers: readonly Told[], catalogue = masterid) => {
    const body = offers.map(({ account = 'Eins', marketplace = GERMANY, ...offer }) => ({
      ...offer,
      account: accounts.get(account) ?? account,
      marketplace,
      asin: 'B1',
    }));
    const answer = await kontor.raw(pathOf(api.saveListings, { masterid: catalogue }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = ErrorBody.partial().parse(await answer.json());
    return error === undefined ? 'ok' : `${error.code} ${error.fields?.[0]?.field ?? ''}`;
  };

  it.each([
    ['an unknown account', { account: 'keines' }, 'no_account 1.account'],
    ['the account of another catalogue', { account: 'Zwei' }, 'account_elsewhere 1.account'],
    ['a marketplace other than that of the account', { marketplace: POLAND }, 'other_marketplace 1.marketplace'],
    ['a currency other than that of the account', { currency: 'PLN' }, 'other_currency 1.currency'],
    [
      'no currency for an account that does not sell in euro',
      { account: 'Polen', marketplace: POLAND },
      'other_currency 1.currency',
    ],
    ['the SKU of another item in the same call', { sku: 'S1' }, 'sku_twice 1.sku'],
  ])('REP-19 %s: the report is refused and nothing is stored', async (_what, wrong, refusal) => {
    expect(
      await report([
        { item: 'A-1', sku: 'S1' },
        { item: 'A-2', sku: 'S2', ...wrong },
      ]),
    ).toBe(refusal);
  });

  it('REP-19 a SKU that another catalogue prices for the same seller is refused, an already stored one is not', async () => {
    expect(await report([{ item: 'A-1', sku: 'S1' }])).toBe('ok');
    expect(await report([{ item: 'C-1', sku: 'S1', account: 'Zwei' }], other)).toBe('sku_elsewhere 0.sku');
    expect(await report([{ item: 'C-1', sku: 'S9', account: 'Zwei' }], other)).toBe('ok');
    expect(await report([{ item: 'A-1', sku: 'S1' }])).toBe('ok');
    const polish = { account: 'Polen', marketplace: POLAND, currency: 'PLN' };
    expect(await report([{ item: 'A-1', sku: 'S9', ...polish }])).toBe('ok');
  });

  it('REP-19 deleting the last euro account stops the catalogue with a notification, before limits turn into złoty', async () => {
    const stopped = async (catalogue: string) =>
      (await kontor.ask(api.repricerState, { params: { masterid: catalogue } })).stopped;
    const remove = (name: string) =>
      kontor.ask(api.deleteMarketplaceAccount, { params: { id: accounts.get(name) ?? '' } });
    await remove('Zwei');
    expect(await stopped(other)).toBe(false);
    await remove('Eins');
    expect(await stopped(masterid)).toBe(true);
    const { notifications } = await kontor.ask(api.notifications, { query: {} });
    expect(notifications.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/„Eins“.* EUR .* Beträge in PLN/),
    );
  });
});
