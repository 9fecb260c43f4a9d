import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldEvents, verifySecurityLog } from '#auth/security-log.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { type Call, pathOf } from '#shared/http/call.ts';
import type { SecurityEvent } from '#shared/account/security-log.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { signedInMember } from '../../stages/http/signed-in-member.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const day = 24 * 60 * 60 * 1000;
const secret = 'a-secret-of-an-installation-for-tests-0123';

describe('the security log', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  let company = '';
  const deps = () => ({ database: kontor.database, clock, vault: new Vault(secret) });
  beforeAll(async () => {
    kontor = await testKontor({ KONTOR_SECRET: secret }, { clock });
    company = (await kontor.ask(api.session)).company.id;
  });
  afterAll(() => kontor.close());
  beforeEach(() => {
    clock.time += day;
  });

  const member = (role: 'admin' | 'editor') => signedInMember(kontor, role);
  type Query = Partial<Record<'kind' | 'result' | 'person' | 'from' | 'to', string>>;
  const log = async (query: Query = {}): Promise<SecurityEvent[]> => {
    const answer = await kontor.raw(`/api/security-log?${new URLSearchParams({ ...query, limit: '200' }).toString()}`);
    return api.securityLog.response.parse(await answer.json()).events;
  };
  const told = (events: readonly SecurityEvent[]) =>
    events.map(({ kind, result, actor, what, subject }) => [kind, result, actor, what, subject].join(' | '));

  it('records sign-in, sign-out, a changed password and a wrong one, each with person and address', async () => {
    const { visitor, email, password } = await member('editor');
    expect((await new Visitor(kontor).signIn({ email, password: 'falsch' })).status).toBe(401);
    await visitor.outcome(api.changePassword, { body: { current: 'nein', password, endOthers: false } });
    await visitor.ask(api.changePassword, { body: { current: password, password: `${password}-9`, endOthers: false } });
    await visitor.ask(api.signOut);
    const who = `Frieda Yılmaz (${email})`;
    await expect
      .poll(async () =>
        told(await log())
          .filter((line) => line.includes(email))
          .toSorted(),
      )
      .toEqual(
        [
          `password | done | ${who} | Eigenes Passwort ändern | `,
          `password | refused | ${who} | Eigenes Passwort ändern | `,
          `sign_in | done | ${who} | Mit Passwort angemeldet | `,
          `sign_in | failed |  | Falsches Passwort | ${who}`,
          `sign_out | done | ${who} | Abmelden | `,
        ].toSorted(),
      );
    expect((await log({ person: 'frieda' })).every(({ address }) => /127\.0\.0\.1|::1/.test(address))).toBe(true);
  });

  it('a change of accounts whose event cannot be written is rolled back', async () => {
    const { visitor, email, password } = await member('editor');
    const { factorRequired } = await kontor.ask(api.signInPolicy);
    const resets = async () =>
      (await kontor.database.kysely.selectFrom('password_resets').select('user_id').execute()).length;
    const before = await kontor.ask(api.members);
    const guest = { email: 'gast@beispiel.de', role: 'viewer' } as const;
    const { link } = await kontor.ask(api.invite, { body: guest });
    const invited = await kontor.ask(api.invitations);
    const id = before.find((one) => one.email === email)?.id ?? '';
    const owner = await kontor.owner();
    const rename = (from: string, to: string) => kontor.database.kysely.schema.alterTable(from).renameTo(to).execute();
    await rename('security_events', 'security_events_away');
    try {
      const headers = { ...owner, 'content-type': 'application/json' };
      const post = (path: string, body: object) =>
        kontor.raw(path, { method: 'POST', as: null, headers, body: JSON.stringify(body) });
      expect((await post(pathOf(api.saveMemberRole, { id }), { role: 'viewer' })).status).toBe(500);
      expect((await post(api.saveSignInPolicy.path, { factorRequired: !factorRequired })).status).toBe(500);
      expect(
        (await kontor.raw(pathOf(api.deleteMember, { id }), { method: 'DELETE', as: null, headers: owner })).status,
      ).toBe(500);
      expect((await post(api.invite.path, { ...guest, email: 'spur@beispiel.de' })).status).toBe(500);
      expect((await post(pathOf(api.resendInvitation, { id: invited[0]?.id ?? '' }), {})).status).toBe(500);
      expect((await post(pathOf(api.memberPasswordLink, { id }), {})).status).toBe(500);
      const accepted = { token: link?.split('#')[1], name: 'Gast', password: 'lampe-wolke-trecker' };
      expect((await post(api.acceptInvitation.path, accepted)).status).toBe(500);
      const change = { current: password, password: `${password}-9`, endOthers: true };
      await expect(visitor.ask(api.changePassword, { body: change })).rejects.toThrow();
    } finally {
      await rename('security_events_away', 'security_events');
    }
    expect(await kontor.ask(api.members)).toEqual(before);
    expect(await kontor.ask(api.invitations)).toEqual(invited);
    expect(await resets()).toBe(0);
    expect((await kontor.ask(api.signInPolicy)).factorRequired).toBe(factorRequired);
    expect((await new Visitor(kontor).signIn({ email, password })).status).toBe(200);
  });

  it('records neither password nor address of an unknown user, only the number of attempts', async () => {
    expect((await new Visitor(kontor).signIn({ email: 'fremd@anderswo.de', password: 'ganz-geheim-9' })).status).toBe(
      401,
    );
    await expect.poll(async () => (await kontor.ask(api.securityLog)).unknownTries).toBe(1);
    const { rows } = await pg<{ row: string }>`select e::text as row from security_events e`.execute(
      kontor.database.kysely,
    );
    expect(rows.filter(({ row }) => /fremd@|anderswo|ganz-geheim/.test(row))).toEqual([]);
  });

  it("records a token's creation, its first use once, and its deletion by name", async () => {
    const { visitor, email } = await member('admin');
    const { id, token } = await visitor.ask(api.createToken, { body: { name: 'Lagerhaus', role: 'viewer' } });
    for (let use = 0; use < 3; use++) expect((await kontor.raw('/api/masters', { as: token })).status).toBe(200);
    await visitor.ask(api.deleteToken, { params: { id } });
    expect(await visitor.outcome(api.deleteToken, { params: { id } })).toEqual([404, 'not_found']);
    const lastDay = new Date(clock.time + 365 * day).toISOString().slice(0, 10).split('-').toReversed().join('.');
    const events = (await log({ kind: 'token' })).filter(({ subject }) => subject.startsWith('Lagerhaus'));
    expect(told(events.toReversed())).toEqual([
      // Additional facts in its API summary are no events.
      `token | done | Frieda Yılmaz (${email}) | API-Zugang anlegen | Lagerhaus, Betrachter, bis ${lastDay}`,
      'token | done | Token „Lagerhaus“ von Frieda Yılmaz | API-Zugang zum ersten Mal benutzt | Lagerhaus',
      `token | done | Frieda Yılmaz (${email}) | ${api.deleteToken.summary} | Lagerhaus`,
    ]);
    expect(JSON.stringify(events)).not.toContain(token);
  });

  it('records refused attempts, and cannot be read by an editor', async () => {
    const { visitor, email } = await member('editor');
    const token = { body: { name: 'x', role: 'viewer' as const } };
    expect(await visitor.outcome(api.createToken, token)).toEqual([403, 'not_allowed']);
    expect(await visitor.outcome(api.securityLog)).toEqual([403, 'not_allowed']);
    expect(await visitor.outcome(api.verifySecurityLog)).toEqual([403, 'not_allowed']);
    expect(told(await log({ result: 'refused', kind: 'token', person: email }))).toEqual([
      `token | refused | Frieda Yılmaz (${email}) | API-Zugang anlegen | `,
    ]);
  });

  it('is filtered by kind, result, person and day in Berlin, paged, and its CSV download is recorded', async () => {
    clock.time = new Date('2026-06-01T22:30:00Z').getTime();
    const { email } = await member('editor');
    expect(await log({ from: '2026-06-02', to: '2026-06-02', person: email })).toHaveLength(1);
    expect(await log({ from: '2026-06-01', to: '2026-06-01', person: email })).toHaveLength(0);
    expect((await kontor.raw('/api/security-log?from=0000-01-01')).status).toBe(422);
    const page = await kontor.raw('/api/security-log?limit=1&offset=1');
    const { events, total } = api.securityLog.response.parse(await page.json());
    expect([events.length, total > 1]).toEqual([1, true]);
    const file = await kontor.raw(`/api/security-log/csv?person=${encodeURIComponent(email)}`);
    expect(file.headers.get('content-disposition')).toContain('Sicherheitsprotokoll.csv');
    expect((await file.text()).split('\r\n').slice(1, 2).join()).toMatch(/"2026-06-02 00:30:00";"Anmeldung";"erfolgt"/);
    expect((await log({ kind: 'download', result: 'begun' }))[0]?.what).toBe(api.securityLogCsv.summary);
  });

  it('a change whose event cannot be written is rolled back, and every change has one event', async () => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Katalog' } });
    const exported = { params: { masterid }, body: { name: 'Export', format: { kind: 'csv' as const } } };
    const { id } = await kontor.ask(api.createExport, exported);
    const place = { host: '127.0.0.1', port: 22, user: 'x', pass: 'x', dir: '/', filename: 'a.csv' };
    const hook = { name: 'Lager', url: 'http://127.0.0.1:9/hook', events: [], active: true };
    const account = { name: 'Konto', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9' };
    const changes: readonly (readonly [Call, Record<string, string>, object | undefined])[] = [
      [api.stopPrices, {}, { stopped: true, reason: 'x' }],
      [api.setRepricerState, { masterid }, { active: false }],
      [api.saveRepricerRule, { masterid, ruleid: 'AAAAAAAAAA' }, { name: 'Regel' }],
      [api.saveUpload, { id }, { active: true, ...place }],
      [api.createWebhook, {}, hook],
      [api.createMarketplaceAccount, {}, account],
      [api.exportCompany, {}, undefined],
    ];
    const tables = [
      'price_stops',
      'repricer_states',
      'documents',
      'webhooks',
      'marketplace_accounts',
      'secrets',
      'jobs',
    ];
    const counts = () =>
      kontor.database.system(async (trx) => {
        const found = [];
        for (const table of tables)
          found.push((await pg`select ${table} as name, count(*)::int as n from ${pg.table(table)}`.execute(trx)).rows);
        return found;
      });
    const send = async ([call, params, body]: (typeof changes)[number]) => {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await kontor.raw(pathOf(call, params), { method: 'POST', ...(body && json) });
      return [call.path, answer.status];
    };
    const rename = (from: string, to: string) => kontor.database.kysely.schema.alterTable(from).renameTo(to).execute();
    const before = await counts();
    await rename('security_events', 'security_events_away');
    try {
      for (const change of changes) expect(await send(change)).toEqual([change[0].path, 500]);
    } finally {
      await rename('security_events_away', 'security_events');
    }
    expect(await counts()).toEqual(before);
    for (const change of changes) {
      const events = (await log()).length;
      expect(await send(change)).toEqual([change[0].path, 200]);
      expect([change[0].path, (await log()).length]).toEqual([change[0].path, events + 1]);
    }
    expect((await kontor.ask(api.verifySecurityLog)).broken).toBe('');
  });

  it('no statement changes or removes an event', async () => {
    const inside = (statement: string) =>
      kontor.database
        .company(company, (trx) => pg`${pg.raw(statement)}`.execute(trx))
        .then(
          () => 'done',
          (error: unknown) => String(error),
        );
    for (const statement of [
      `update security_events set actor = 'x'`,
      'delete from security_events',
      'truncate security_events',
    ])
      expect(await inside(statement), statement).toMatch(/kept as it was written|permission denied/);
  });

  it('stays verifiable after events older than thirteen months were removed', async () => {
    const before = (await log()).length;
    clock.time += 400 * day;
    await member('editor');
    await deleteOldEvents(deps(), company);
    const left = await log();
    expect([before > 5, left.length < 6, (left.at(-1)?.number ?? 0) > 1]).toEqual([true, true, true]);
    expect(await kontor.ask(api.verifySecurityLog)).toMatchObject({ broken: '' });
    await deleteOldEvents(deps(), company);
    expect(await verifySecurityLog(deps(), company)).toBe('');
  });

  it('verification names an event that was changed, removed or cut off in the database', async () => {
    const behind = async (statement: string) => {
      // A transaction of its own: a script could get into the embedded database's running transaction.
      await kontor.database.kysely.transaction().execute(async (trx) => {
        for (const one of [
          'alter table security_events disable trigger user',
          statement,
          'alter table security_events enable trigger user',
        ])
          await pg`${pg.raw(one)}`.execute(trx);
      });
      return (await kontor.ask(api.verifySecurityLog)).broken;
    };
    await member('editor');
    expect(await behind('select 1')).toBe('');
    const number = (await log())[1]?.number ?? 0;
    expect(await behind(`update security_events set address = 'x' || address where number = ${number}`)).toBe(
      `Eintrag ${number} wurde verändert.`,
    );
    expect(await behind(`update security_events set address = substr(address, 2) where number = ${number}`)).toBe('');
    expect(await behind(`delete from security_events where number = ${number}`)).toBe(
      `Vor Eintrag ${number + 1} fehlen Einträge.`,
    );
  });
});
