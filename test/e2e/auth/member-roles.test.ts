import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#shared/account/roles.ts';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { addMember } from '../../stages/add-member.ts';
import { atOnce } from '../../stages/at-once.ts';
import { admin, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('the role of a member', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock, sessionCheckMs: 100 });
  });
  afterAll(() => kontor.close());
  beforeEach(() => {
    // A day later all earlier counts are forgotten.
    clock.time += day;
  });

  let made = 0;
  const member = async (role: Role) => {
    const person = { name: 'Frieda Yılmaz', email: `frieda${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role });
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn(person)).status).toBe(200);
    return { ...person, id, visitor };
  };
  const owner = async () => {
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn(admin)).status).toBe(200);
    const { user } = await visitor.ask(api.session);
    return { visitor, id: user.id };
  };
  const change = (visitor: Visitor, id: string, role: Role) =>
    visitor.outcome(api.saveMemberRole, { params: { id }, body: { role } });

  it('is changed after a fresh proof, applies at once, and appears in the security log', async () => {
    const [{ visitor: boss }, { visitor, id, email, password }] = [await owner(), await member('viewer')];
    clock.time += 16 * minute;
    expect(await change(boss, id, 'editor')).toEqual([403, 'step_up_required']);
    await boss.ask(api.prove, { body: { password: admin.password } });
    const create = { body: { name: 'Katalog' } };
    expect(await visitor.outcome(api.createMaster, create)).toEqual([403, 'not_allowed']);
    expect(await change(boss, id, 'editor')).toEqual([200, 'ok']);
    await visitor.signIn({ email, password });
    expect(await visitor.outcome(api.createMaster, create)).toEqual([200, 'ok']);
    expect(await change(boss, id, 'viewer')).toEqual([200, 'ok']);
    await visitor.signIn({ email, password });
    expect(await visitor.outcome(api.createMaster, create)).toEqual([403, 'not_allowed']);
    const { events } = await kontor.ask(api.securityLog, { query: { kind: 'member', limit: 2 } });
    expect(
      events.map(({ result, actor, what, subject }) => [result, actor.includes(admin.email), what, subject]),
    ).toEqual([
      ['done', true, 'Rolle eines Benutzers ändern', `${email}, Bearbeiter → Betrachter`],
      ['done', true, 'Rolle eines Benutzers ändern', `${email}, Betrachter → Bearbeiter`],
    ]);
  });

  it("T15 ends the member's sessions and open reset links when it changes", async () => {
    const [{ visitor: boss }, { visitor, id, email, password }] = [await owner(), await member('viewer')];
    const elsewhere = new Visitor(kontor);
    await elsewhere.signIn({ email, password });
    const { link } = await boss.ask(api.memberPasswordLink, { params: { id } });
    expect(await change(boss, id, 'viewer')).toEqual([200, 'ok']);
    expect(await visitor.outcome(api.session)).toEqual([200, 'ok']);
    expect(await change(boss, id, 'admin')).toEqual([200, 'ok']);
    expect(await visitor.outcome(api.session)).toEqual([401, 'no_session']);
    expect(await elsewhere.outcome(api.session)).toEqual([401, 'no_session']);
    const reset = { token: link?.split('#')[1] ?? '', password: 'birne-kessel-wagen' };
    expect(await visitor.outcome(api.resetPassword, { body: reset })).toEqual([422, 'link_over']);
    expect((await visitor.signIn({ email, password })).status).toBe(200);
    expect((await visitor.ask(api.session)).role).toBe('admin');
  });

  it('T15 gives a user who changes the own role a new session and ends the former ones', async () => {
    const { visitor, id, email, password } = await member('admin');
    const [elsewhere, former] = [new Visitor(kontor), new Visitor(kontor)];
    await elsewhere.signIn({ email, password });
    for (const [name, value] of visitor.cookies) former.cookies.set(name, value);
    expect(await change(visitor, id, 'editor')).toEqual([200, 'ok']);
    expect((await visitor.ask(api.session)).role).toBe('editor');
    expect(await former.outcome(api.session)).toEqual([401, 'no_session']);
    expect(await elsewhere.outcome(api.session)).toEqual([401, 'no_session']);
  });

  it("restricts the member's tokens and closes streams when it loses rights", async () => {
    const [{ visitor: boss }, { visitor, id }] = [await owner(), await member('admin')];
    const { token } = await visitor.ask(api.createToken, { body: { name: 'Verwaltung', role: 'admin' } });
    const stream = await kontor.raw(api.companyLive.path, { as: token });
    expect((await kontor.ask(api.session, { as: token })).permissions).toContain('admin');
    await change(boss, id, 'warehouse');
    expect(await kontor.ask(api.session, { as: token })).toMatchObject({
      role: 'warehouse',
      permissions: ['enter', 'ship'],
    });
    // Read to its end: an open stream would make the test time out.
    expect(await stream.text()).toContain('retry:');
  });

  it.each([
    ['is removed', 'admin'],
    ['may no longer invite users', 'admin'],
    ['is no longer an owner', 'owner'],
  ] as const)(
    'T15 ends invitations of a member who %s, and keeps those made or resent by others',
    async (what, role) => {
      const { visitor: boss } = await owner();
      const { visitor, id } = await member(role);
      const invite = (by: Visitor, email: string) => by.ask(api.invite, { body: { email, role } });
      const { link } = await invite(visitor, `eigene${made}@beispiel.de`);
      await invite(visitor, `bestellt${made}@beispiel.de`);
      await invite(boss, `andere${made}@beispiel.de`);
      const invited = async () => (await boss.ask(api.invitations)).map(({ email }) => email.replace(/\d+@.*/, ''));
      const again = (await boss.ask(api.invitations)).find(({ email }) => email.startsWith('bestellt'));
      await boss.ask(api.resendInvitation, { params: { id: again?.id ?? '' } });
      expect((await invited()).toSorted()).toEqual(['andere', 'bestellt', 'eigene']);
      if (what === 'is removed') await boss.ask(api.deleteMember, { params: { id } });
      else expect(await change(boss, id, role === 'owner' ? 'admin' : 'editor')).toEqual([200, 'ok']);
      expect((await invited()).toSorted()).toEqual(['andere', 'bestellt']);
      const read = { body: { token: link?.split('#')[1] ?? '' } };
      expect(await new Visitor(kontor).outcome(api.readInvitation, read)).toEqual([422, 'link_over']);
      for (const one of await boss.ask(api.invitations))
        await boss.ask(api.withdrawInvitation, { params: { id: one.id } });
    },
  );

  it('cannot be changed by a stranger, an editor or a viewer', async () => {
    const [{ visitor, id }, { id: other }] = [await member('editor'), await member('viewer')];
    expect(await change(visitor, id, 'admin')).toEqual([403, 'not_allowed']);
    expect(await change(visitor, other, 'warehouse')).toEqual([403, 'not_allowed']);
    expect(await change((await member('admin')).visitor, 'Zzzzzzzzz1', 'viewer')).toEqual([404, 'not_found']);
  });

  it('the owner role is granted and revoked only by owners', async () => {
    const [{ visitor: boss, id: bossId }, { visitor, id }] = [await owner(), await member('admin')];
    expect(await change(visitor, id, 'owner')).toEqual([403, 'not_allowed']);
    expect(await change(visitor, bossId, 'viewer')).toEqual([403, 'not_allowed']);
    expect(await change(boss, id, 'owner')).toEqual([200, 'ok']);
    expect(await change(boss, id, 'admin')).toEqual([200, 'ok']);
  });

  it('of the last owner cannot be lowered, not even when two owners lower each other at once', async () => {
    const [{ visitor: boss, id: bossId }, { visitor, id }] = [await owner(), await member('owner')];
    const both = await atOnce(
      kontor.database,
      () => change(boss, id, 'admin'),
      () => change(visitor, bossId, 'admin'),
    );
    expect(both.filter(([status]) => status === 200)).toHaveLength(1);
    const owners = async () => (await kontor.ask(api.members, {})).filter(({ role }) => role === 'owner');
    const [left, ...more] = await owners();
    expect([left === undefined, more]).toEqual([false, []]);
    const last = left?.id === bossId ? boss : visitor;
    expect(await change(last, left?.id ?? '', 'admin')).toEqual([422, 'last_owner']);
    expect(await owners()).toEqual([left]);
    await kontor.database.kysely.updateTable('member').set({ role: 'owner' }).where('userId', '=', bossId).execute();
  });

  it('the owner role can be given up when there is another owner', async () => {
    const { visitor, id } = await member('owner');
    expect(await change(visitor, id, 'viewer')).toEqual([200, 'ok']);
    expect(await visitor.outcome(api.members)).toEqual([403, 'not_allowed']);
  });

  it('leaves one owner in the company when two remove each other at the same moment', async () => {
    const [one, other] = [await member('owner'), await member('owner')];
    const { id: bossId } = await owner();
    await kontor.database.kysely.updateTable('member').set({ role: 'viewer' }).where('userId', '=', bossId).execute();
    const remove = (visitor: Visitor, id: string) => visitor.outcome(api.deleteMember, { params: { id } });
    await atOnce(
      kontor.database,
      () => remove(one.visitor, other.id),
      () => remove(other.visitor, one.id),
    );
    const members = await kontor.database.kysely.selectFrom('member').select('role').execute();
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
    await kontor.database.kysely.updateTable('member').set({ role: 'owner' }).where('userId', '=', bossId).execute();
  });

  it.each([
    ['removes them', api.deleteMember],
    ['creates a password reset link for them', api.memberPasswordLink],
    ['signs them out', api.endMemberSessions],
  ] as const)('T15 a member who becomes owner while an administrator %s is protected', async (_what, call) => {
    const [{ visitor: admins }, { visitor, id }] = [await member('admin'), await member('editor')];
    const doing = await kontor.database.kysely.transaction().execute(async (trx) => {
      await trx.updateTable('member').set({ role: 'owner' }).where('userId', '=', id).execute();
      const begun = admins.outcome<Call>(call, { params: { id } });
      await wait(500);
      return { begun };
    });
    expect([403, 409]).toContain((await doing.begun)[0]);
    const members = await kontor.ask(api.members, {});
    expect(members.find((one) => one.id === id)?.role).toBe('owner');
    expect(await visitor.outcome(api.session)).toEqual([200, 'ok']);
    const links = kontor.database.kysely.selectFrom('password_resets').select('hash').where('user_id', '=', id);
    expect(await links.execute()).toEqual([]);
    await kontor.database.kysely.updateTable('member').set({ role: 'viewer' }).where('userId', '=', id).execute();
  });
});
