import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { atOnce } from '../../stages/at-once.ts';
import { admin, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

describe('the second factor required for marketplace accounts that bring orders', () => {
  let kontor: TestKontor;
  let owner: Visitor;
  let masterid = '';
  beforeAll(async () => {
    // As outside of tests, whose marketplaces are on this machine and have no customers.
    kontor = await testKontor({ KONTOR_EGRESS_LOOPBACK: '0' });
    owner = new Visitor(kontor);
    await owner.signIn(admin);
    ({ masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } }));
  });
  afterAll(() => kontor.close());

  const account = (active: boolean) => ({
    name: 'Laden',
    sellerId: 'A1',
    settings: { clientId: 'c', clientSecret: 's', refreshToken: 'r' },
    active,
  });
  const place = () => ({ masterid, marketplace: 'A1PA6795UKMFR9' });
  const save = (id: string, active: boolean) =>
    owner.outcome(api.saveMarketplaceAccount, { params: { id }, body: account(active) });
  const policy = (factorRequired: boolean) => owner.outcome(api.saveSignInPolicy, { body: { factorRequired } });

  it('T15 an account can be active only while the company requires a second factor, and the policy then stays', async () => {
    const refused = await owner.send(api.createMarketplaceAccount, { body: { ...account(true), ...place() } });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      {
        error: {
          code: 'second_factor_needed',
          message: expect.stringContaining('Der Inhaber muss zuerst'),
          fields: [{ field: 'active' }],
        },
      },
    ]);
    const { id } = await owner.ask(api.createMarketplaceAccount, { body: { ...account(false), ...place() } });
    expect(await save(id, true)).toEqual([422, 'second_factor_needed']);
    expect(await owner.ask(api.signInPolicy)).toMatchObject({ factorRequired: false, sellerAccount: false });

    expect(await policy(true)).toEqual([200, 'ok']);
    expect(await save(id, true)).toEqual([403, 'second_factor_missing']);
    const { secret } = await owner.ask(api.startApp);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await owner.ask(api.confirmApp, { body: { code } });
    expect(await save(id, true)).toEqual([200, 'ok']);
    expect(await policy(false)).toEqual([422, 'factor_needed']);
    expect(await owner.ask(api.signInPolicy)).toMatchObject({ factorRequired: true, sellerAccount: true });

    expect(await save(id, false)).toEqual([200, 'ok']);
    const both = await atOnce(
      kontor.database,
      () => save(id, true),
      () => policy(false),
    );
    expect(both.filter(([status]) => status === 200)).toHaveLength(1);
    const { factorRequired, sellerAccount } = await owner.ask(api.signInPolicy);
    expect(factorRequired).toBe(sellerAccount);

    expect([await save(id, false), await policy(false)]).toEqual([
      [200, 'ok'],
      [200, 'ok'],
    ]);
  });

  it('an account that was already active stays active, and the policy reports it', async () => {
    const { id } = await owner.ask(api.createMarketplaceAccount, { body: { ...account(false), ...place() } });
    const { company } = await owner.ask(api.session);
    await kontor.database.company(company.id, (trx) =>
      trx.updateTable('marketplace_accounts').set({ active: true }).where('id', '=', id).execute(),
    );
    expect(await save(id, true)).toEqual([200, 'ok']);
    expect(await owner.ask(api.signInPolicy)).toMatchObject({ factorRequired: false, sellerAccount: true });
    expect(await save(id, false)).toEqual([200, 'ok']);
  });
});
