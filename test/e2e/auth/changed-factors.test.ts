import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTotp } from '#auth/totp.ts';
import { systemClock } from '#platform/clock.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { atOnce } from '../../stages/at-once.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

describe('second factors that are changed at the same moment', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  let made = 0;
  /** Adds a member with an app and a passkey. */
  const withBoth = async () => {
    const person = { name: 'Jo Ahrens', email: `jo${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role: 'editor' });
    const visitor = new Visitor(kontor);
    await visitor.signIn(person);
    const { secret } = await visitor.ask(api.startApp);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await visitor.ask(api.confirmApp, { body: { code } });
    const passkey = { id: `passkey-${id}`, user_id: id, name: 'Laptop', public_key: '', counter: 0, transports: '' };
    await kontor.database.kysely
      .insertInto('passkeys')
      .values({ ...passkey, created_at: new Date() })
      .execute();
    const remove = () =>
      atOnce(
        kontor.database,
        () => visitor.outcome(api.removeApp),
        () => visitor.outcome(api.removePasskey, { params: { id: passkey.id } }),
      );
    return { id, email: person.email, visitor, remove };
  };
  const required = (second_factor_required: boolean) =>
    kontor.database.kysely.updateTable('organization').set({ second_factor_required }).execute();

  it('starting the app set-up does not undo a confirmation that was stored in the meantime', async () => {
    const { id, email, visitor } = await withBoth();
    const deps = { database: kontor.database, clock: systemClock, ids: randomIds, vault: new Vault('g'.repeat(40)) };
    await expect(startTotp(deps, { userId: id, email })).rejects.toMatchObject({ code: 'app_set_up' });
    expect(await visitor.ask(api.factors)).toMatchObject({ app: true });
    expect(await visitor.outcome(api.startApp)).toEqual([422, 'app_set_up']);
  });

  it('removing the last two at once keeps one where the company requires a second factor', async () => {
    const { visitor, remove } = await withBoth();
    await required(true);
    try {
      expect((await remove()).toSorted(([one], [other]) => one - other)).toEqual([
        [200, 'ok'],
        [422, 'last_factor'],
      ]);
      const { app, passkeys, recoveryCodes } = await visitor.ask(api.factors);
      expect([Number(app) + passkeys.length, recoveryCodes]).toEqual([1, 10]);
    } finally {
      await required(false);
    }
  });

  it('removing the last two at once also removes the recovery codes', async () => {
    const { visitor, remove } = await withBoth();
    expect(await remove()).toEqual([
      [200, 'ok'],
      [200, 'ok'],
    ]);
    expect(await visitor.ask(api.factors)).toMatchObject({ app: false, passkeys: [], recoveryCodes: 0 });
  });
});
