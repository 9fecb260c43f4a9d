import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { SecurityEvent } from '#shared/account/security-log.ts';
import { addMember } from '../../stages/add-member.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const password = 'lampe-wolke-trecker';

describe('refusals recorded in the security log', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({}, { signInTries: { account: 2, address: 1000 } });
  });
  afterAll(() => kontor.close());

  let made = 0;
  let person: { name: string; email: string; password: string };
  let visitor: Visitor;
  beforeEach(async () => {
    person = { name: 'Jo Ahrens', email: `jo${++made}@beispiel.de`, password };
    await addMember(kontor, { ...person, role: 'viewer' });
    visitor = new Visitor(kontor);
    expect((await visitor.signIn(person)).status).toBe(200);
  });
  /** Returns this test user's events that were not successful. */
  const refusals = async () => {
    const { events } = await kontor.ask(api.securityLog, { query: { limit: 200 } });
    return events
      .filter(({ result, actor, subject }) => result !== 'done' && `${actor} ${subject}`.includes(person.email))
      .map(({ kind, result, by, what, subject }: SecurityEvent) => [kind, result, by, what, subject].join(' | '));
  };
  const polled = () => expect.poll(refusals);

  it('a call without the right to it, by session and by token', async () => {
    expect(await visitor.outcome(api.createMaster, { body: { name: 'Katalog' } })).toEqual([403, 'not_allowed']);
    expect(await visitor.outcome(api.members)).toEqual([403, 'not_allowed']);
    expect(await refusals()).toEqual([
      'access | refused | session | Benutzer der Firma | ',
      'access | refused | session | Katalog anlegen | ',
    ]);
    const { token } = await kontor.ask(api.createToken, { body: { name: `Zugang ${person.email}`, role: 'viewer' } });
    expect((await kontor.raw('/api/members', { as: token })).status).toBe(403);
    expect((await refusals())[0]).toBe('access | refused | token | Benutzer der Firma | ');
  });

  it('a demanded proof or second factor, or an invalid request, is not recorded', async () => {
    expect((await visitor.send(api.item, { params: { id: 'A-1' } })).status).toBeGreaterThanOrEqual(400);
    const { id } = (await visitor.ask(api.session)).user;
    const { kysely } = kontor.database;
    await kysely.updateTable('member').set({ role: 'admin' }).where('userId', '=', id).execute();
    await kysely
      .updateTable('sessions')
      .set({ proven_at: new Date(0) })
      .where('user_id', '=', id)
      .execute();
    const token = { body: { name: 'Maschine', role: 'viewer' as const } };
    expect(await visitor.outcome(api.createToken, token)).toEqual([403, 'step_up_required']);
    await kysely.updateTable('organization').set({ second_factor_required: true }).execute();
    expect(await visitor.outcome(api.masters)).toEqual([403, 'second_factor_missing']);
    await kysely.updateTable('organization').set({ second_factor_required: false }).execute();
    expect(await refusals()).toEqual([]);
  });

  it('a request that another site made the browser send', async () => {
    const headers = { origin: 'https://boese.example', 'sec-fetch-site': 'cross-site' };
    expect(await visitor.outcome(api.signOut, { headers })).toEqual([403, 'foreign_origin']);
    const path = api.signOut.path;
    expect(await refusals()).toEqual([
      `access | refused | session | Anfrage, die eine andere Website den Browser senden ließ | ${api.signOut.method} ${path}`,
    ]);
  });

  it('an unknown token is not recorded; it gets 401 for every call', async () => {
    for (const { path, method } of [api.masters, api.createMaster]) {
      const answer = await kontor.raw(path, { method, as: 'abgelaufen-0123456789' });
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { error: expect.objectContaining({ code: 'token_unknown' }) },
      ]);
    }
    expect(await refusals()).toEqual([]);
  });

  it('a sign-in during the lockout', async () => {
    const wrong = new Visitor(kontor);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await wrong.signIn({ ...person, password: 'falsch' })).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    const who = `Jo Ahrens (${person.email})`;
    await polled().toEqual([
      `sign_in | refused | nobody | Zu viele Versuche | ${who}`,
      `sign_in | refused | nobody | Zu viele Versuche | ${who}`,
      `sign_in | failed | nobody | Falsches Passwort | ${who}`,
      `sign_in | failed | nobody | Falsches Passwort | ${who}`,
    ]);
  });

  it('a passkey that does not match, with the name of its owner; one of nobody is only counted', async () => {
    const { id: user } = await visitor.ask(api.session).then((session) => session.user);
    const passkey = { id: `passkey${made}`, user_id: user, name: 'Telefon', public_key: 'AAAA', counter: 0 };
    const row = { ...passkey, transports: '', created_at: new Date() };
    await kontor.database.kysely.insertInto('passkeys').values(row).execute();
    const stranger = new Visitor(kontor);
    const unknownTries = async () => (await kontor.ask(api.securityLog)).unknownTries;
    const tries = await unknownTries();
    const response = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' };
    const answer = {
      id: passkey.id,
      rawId: passkey.id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    } as const;
    for (const id of [passkey.id, 'passkey-of-nobody']) {
      const { ticket } = await stranger.ask(api.passkeyQuestion);
      const body = { ticket, answer: { ...answer, id, rawId: id } };
      expect(await stranger.outcome(api.signInPasskey, { body })).toEqual([401, 'wrong_passkey']);
    }
    await polled().toEqual([`sign_in | failed | nobody | Passkey abgelehnt | Jo Ahrens (${person.email})`]);
    await expect.poll(unknownTries).toBe(tries + 1);
    expect(JSON.stringify(await kontor.ask(api.securityLog))).not.toContain('passkey-of-nobody');
  });

  it('at most ten refusals a minute are recorded', async () => {
    for (let n = 0; n < 14; n++) expect(await visitor.outcome(api.members)).toEqual([403, 'not_allowed']);
    expect(await refusals()).toHaveLength(10);
  });
});
