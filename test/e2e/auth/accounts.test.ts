import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCompany, createUser } from '#auth/auth.ts';
import { systemClock } from '#platform/clock.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { addMember } from '../../stages/add-member.ts';
import { admin, testKontor, token, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const json = { 'content-type': 'application/json' };

describe('accounts', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const signIn = (body: object, headers: Record<string, string> = { 'x-kontor': '1' }) =>
    kontor.raw('/api/session', {
      method: 'POST',
      as: null,
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');

  it('signs in the first owner with an HttpOnly SameSite cookie', async () => {
    const answer = await signIn(admin);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ user: { email: admin.email }, role: 'owner' });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^kontor=/);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const session = await kontor.raw('/api/session', { as: null, headers: { cookie: cookieOf(answer) } });
    expect(await session.json()).toMatchObject({ company: { name: 'Meine Firma' } });
  });

  it('a session is invalid after signing out', async () => {
    const cookie = cookieOf(await signIn(admin));
    await kontor.raw('/api/session', { method: 'DELETE', as: null, headers: { cookie, 'x-kontor': '1' } });
    expect((await kontor.raw('/api/session', { as: null, headers: { cookie } })).status).toBe(401);
  });

  it('unknown address and wrong password get the same answer', async () => {
    const wrong = await signIn({ email: admin.email, password: 'falsch' });
    const unknown = await signIn({ email: 'niemand@beispiel.de', password: 'falsch' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const text = async (answer: Response) => ((await answer.json()) as { error: { message: string } }).error.message;
    expect(await text(wrong)).toBe(await text(unknown));
  });

  it('the sixth try in a quarter of an hour is refused with the time to wait (T16)', async () => {
    const email = 'rate@beispiel.de';
    for (let count = 0; count < 5; count++) expect((await signIn({ email, password: 'falsch' })).status).toBe(401);
    const refused = await signIn({ email, password: 'falsch' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Zu viele Anmeldeversuche');
  });

  it.each([
    ['another origin', { origin: 'https://boese.example' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site', origin: 'https://boese.example' }],
    ['no origin header at all', {}],
  ])('a cookie from %s changes nothing (T14)', async (_name, headers) => {
    const cookie = cookieOf(await signIn(admin));
    const answer = await kontor.raw('/api/masters', {
      method: 'POST',
      as: null,
      headers: { ...json, cookie, ...headers },
      body: '{"name":"x"}',
    });
    expect(answer.status).toBe(403);
    expect(await kontor.ask(api.masters)).toEqual([]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'a body of type %s is refused',
    async (type) => {
      const answer = await kontor.raw('/api/masters', {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{"name":"x"}',
      });
      expect(answer.status).toBe(415);
    },
  );

  it('roles limit what a token may do', async () => {
    const { token: viewer } = await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } });
    expect((await kontor.ask(api.masters, { as: viewer })).length).toBe(0);
    const answer = await kontor.raw('/api/masters', {
      method: 'POST',
      as: viewer,
      headers: json,
      body: '{"name":"x"}',
    });
    expect(answer.status).toBe(403);
    expect((await kontor.raw('/api/members', { as: viewer })).status).toBe(403);
  });

  it('the token scheme is case-insensitive, and a 401 names the Bearer scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await kontor.raw('/api/masters', { as: null, headers: { authorization: `${scheme} ${token}` } });
      expect([scheme, answer.status]).toEqual([scheme, 200]);
    }
    const refused = await kontor.raw('/api/masters', { as: null });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('a token is shown once, listed without its secret, and invalid once deleted', async () => {
    const made = await kontor.ask(api.createToken, { body: { name: 'Maschine', role: 'editor' } });
    expect(JSON.stringify(await kontor.ask(api.tokens))).not.toContain(made.token);
    await kontor.ask(api.deleteToken, { params: { id: made.id } });
    expect((await kontor.raw('/api/masters', { as: made.token })).status).toBe(401);
  });

  it('members sign in, and lose their sessions when removed', async () => {
    const member = {
      name: 'Frau Yılmaz',
      email: 'yilmaz@beispiel.de',
      password: 'ein-langes-rotes-geheimwort',
      role: 'editor' as const,
    };
    const { id } = await addMember(kontor, member);
    const cookie = cookieOf(await signIn(member));
    expect((await kontor.raw('/api/session', { as: null, headers: { cookie } })).status).toBe(200);
    await kontor.ask(api.deleteMember, { params: { id } });
    expect((await kontor.raw('/api/session', { as: null, headers: { cookie } })).status).toBe(401);
  });

  it("an administrator ends all sessions of a member, who can sign in again; the member's tokens stay valid", async () => {
    const person = { name: 'Jo Ahrens', email: 'jo@beispiel.de', password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role: 'admin' });
    const [office, phone] = [new Visitor(kontor), new Visitor(kontor)];
    for (const one of [office, phone]) await one.signIn(person);
    const { token: his } = await office.ask(api.createToken, { body: { name: 'Jos Zugang', role: 'viewer' } });
    const viewer = await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } });
    const path = pathOf(api.endMemberSessions, { id });
    expect((await kontor.raw(path, { method: 'DELETE', as: viewer.token })).status).toBe(403);
    const owner = (await kontor.ask(api.members)).find(({ email }) => email === admin.email)?.id ?? '';
    expect(await office.outcome(api.endMemberSessions, { params: { id: owner } })).toEqual([403, 'not_allowed']);
    expect(await office.outcome(api.endMemberSessions, { params: { id: 'Niemand' } })).toEqual([404, 'not_found']);
    const others = new Visitor(kontor);
    await others.signIn(admin);
    await others.ask(api.endMemberSessions, { params: { id } });
    for (const one of [office, phone]) expect(await one.outcome(api.session)).toEqual([401, 'no_session']);
    expect(await others.outcome(api.session)).toEqual([200, 'ok']);
    expect((await kontor.raw('/api/masters', { as: his })).status).toBe(200);
    expect((await office.signIn(person)).status).toBe(200);
    const { events } = await kontor.ask(api.securityLog, { query: { kind: 'session', limit: 10 } });
    expect(events.map(({ result, actor, subject }) => [result, actor.includes(admin.email), subject])).toEqual([
      ['done', true, person.email],
      ['refused', false, owner],
      ['refused', false, id],
    ]);
  });

  it('a company cannot end the sessions of a user who signs in to another company', async () => {
    const elsewhere = await createCompany(kontor.database, randomIds, systemClock, 'Andere Firma');
    const person = { name: 'Mia Behn', email: 'mia@beispiel.de', password: 'regen-kiste-fenster' };
    const id = await createUser(kontor.database, randomIds, systemClock, {
      ...person,
      company: elsewhere,
      role: 'admin',
    });
    const { id: company } = (await kontor.ask(api.session)).company;
    const membership = {
      id: randomIds.id(),
      organizationId: company,
      userId: id,
      role: 'viewer',
      createdAt: new Date(),
    };
    await kontor.database.kysely.insertInto('member').values(membership).execute();
    const visitor = new Visitor(kontor);
    await visitor.signIn(person);
    const owner = { as: null, headers: await kontor.owner() };
    const refused = await kontor.raw(pathOf(api.endMemberSessions, { id }), { method: 'DELETE', ...owner });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('bei einer anderen Firma')]);
    expect(await visitor.outcome(api.session)).toEqual([200, 'ok']);
  });

  it('error answers contain no stack, SQL, path or token', async () => {
    const answer = await kontor.raw('/api/masters', { method: 'POST', headers: json, body: '{"name":' });
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(text).toContain('nicht lesbar');
    expect(text).not.toMatch(/at |node_modules|select |\/src\//i);
    expect(text).not.toContain(token);
  });

  it('/livez and /readyz report liveness and readiness without data', async () => {
    expect(await (await kontor.raw('/livez', { as: null })).json()).toEqual({ ok: true });
    expect(await (await kontor.raw('/readyz', { as: null })).json()).toEqual({ ok: true, reasons: [] });
  });

  it('the API document at /api/docs lists every call', async () => {
    const document = (await (await kontor.raw('/api/docs/json', { as: null })).json()) as {
      paths: Record<string, object>;
    };
    for (const call of Object.values(api))
      expect(Object.keys(document.paths[call.path] ?? {})).toContain(call.method.toLowerCase());
    expect((await kontor.raw('/api/docs', { as: null })).status).toBe(200);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'KATALOG'],
    ['application/x-www-form-urlencoded', 'id=KATALOG'],
    ['text/plain', 'KATALOG'],
    ['application/json', '"KATALOG"'],
    ['application/json', 'KATALOG'],
  ])('SWM-03 RUL-13 a call with the id in its address also accepts the id as body %s %s', async (type, text) => {
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Werkzeug' } });
    const post = (path: string) =>
      kontor.raw(path, {
        method: 'POST',
        headers: { 'content-type': type },
        body: text.replace('KATALOG', masterid),
      });
    expect((await post(pathOf(api.shopMappings, { id: masterid }))).status).toBe(200);
    expect((await post(pathOf(api.masterRules, { id: masterid }))).status).toBe(200);
  });
});
