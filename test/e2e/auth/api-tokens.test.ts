import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { type BodyOf, type Call, pathOf } from '#shared/http/call.ts';
import { wallText } from '#shared/schedule/due-times.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { signedInMember } from '../../stages/http/signed-in-member.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('API tokens of other people', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock });
  });
  afterAll(() => kontor.close());
  beforeEach(() => {
    // A day later all earlier counts are forgotten.
    clock.time += 24 * hour;
  });

  const member = (role?: 'admin' | 'editor') => signedInMember(kontor, role);

  describe('API tokens', () => {
    const make = (visitor: Visitor, body: Omit<BodyOf<typeof api.createToken>, 'name'>) =>
      visitor.ask(api.createToken, { body: { name: 'Frieda Yılmaz', ...body } });
    const may = async (secret: string) => {
      const answer = await kontor.raw('/api/session', { as: secret });
      return answer.ok ? ((await answer.json()) as { permissions: string[] }).permissions : answer.status;
    };

    /** Returns day and minute in Berlin, and the seconds. */
    const endOf = ({ expiresAt }: { expiresAt: string | null }) => [
      wallText(new Date(expiresAt ?? 0)),
      expiresAt?.slice(16),
    ];

    it('M7 are valid for a year or until the end of the chosen day in Berlin time, as the list shows', async () => {
      const { visitor, email, password } = await member('admin');
      const year = await make(visitor, { role: 'viewer' });
      const lastDay = new Date(clock.time + 30 * 24 * hour).toISOString().slice(0, 10);
      const month = await make(visitor, { role: 'viewer', lastDay });
      expect(year.expiresAt).toBe(new Date(clock.time + 365 * 24 * hour).toISOString());
      expect(endOf(month)).toEqual([`${lastDay}T23:59`, ':59.000Z']);
      expect(
        await visitor.outcome(api.createToken, { body: { name: 'x', role: 'viewer', lastDay: '2020-01-01' } }),
      ).toEqual([422, 'expired']);
      const ending = { name: 'x', role: 'viewer', expiresAt: new Date(clock.time + hour).toISOString() } as const;
      expect(await visitor.outcome(api.createToken, { body: ending })).toEqual([422, 'invalid']);
      clock.time += 31 * 24 * hour;
      expect([await may(year.token), await may(month.token)]).toEqual([['enter', 'read'], 401]);
      clock.time += 335 * 24 * hour;
      expect(await may(year.token)).toBe(401);
      await visitor.signIn({ email, password });
    });

    it('M7 have only the chosen rights, and never more than their creator has at that moment', async () => {
      const { visitor, id } = await member('admin');
      const { token, permissions, maker } = await make(visitor, { role: 'admin', permissions: ['read', 'orders'] });
      expect([permissions, maker]).toEqual([['enter', 'read', 'orders'], 'Frieda Yılmaz']);
      expect(await may(token)).toEqual(['enter', 'read', 'orders']);
      await kontor.database.kysely.updateTable('member').set({ role: 'viewer' }).where('userId', '=', id).execute();
      expect(await may(token)).toEqual(['enter', 'read']);
    });

    it('M7 are valid for at most 366 days', async () => {
      const { visitor } = await member('admin');
      const day = (days: number) => new Date(clock.time + days * 24 * hour).toISOString().slice(0, 10);
      const longest = await make(visitor, { role: 'viewer', lastDay: day(366) });
      expect(endOf(longest)).toEqual([`${day(366)}T23:59`, ':59.000Z']);
      const longer = await visitor.send(api.createToken, { body: { name: 'x', role: 'viewer', lastDay: day(367) } });
      expect([longer.status, await longer.json()]).toMatchObject([
        422,
        { error: { code: 'too_long', message: expect.stringContaining('366 Tage') } },
      ]);
    });

    it('M7 become invalid when their creator is removed', async () => {
      const { visitor, id } = await member('admin');
      const { token } = await make(visitor, { role: 'admin' });
      expect(await may(token)).toContain('admin');
      await kontor.ask(api.deleteMember, { params: { id } });
      expect(await may(token)).toBe(401);
    });

    it('M7 with the owner role lose it when their creator is no longer an owner', async () => {
      const { visitor, id } = await member('admin');
      const roleIs = (role: string) =>
        kontor.database.kysely.updateTable('member').set({ role }).where('userId', '=', id).execute();
      await roleIs('owner');
      const { token } = await make(visitor, { role: 'owner' });
      const roleOf = async () => (await kontor.ask(api.session, { as: token })).role;
      expect(await roleOf()).toBe('owner');
      await roleIs('admin');
      expect(await roleOf()).toBe('admin');
    });

    it("M7 cannot change members, tokens or sign-in settings, not even an owner's token", async () => {
      const { visitor, id } = await member('admin');
      const { id: tokenid } = await make(visitor, { role: 'admin' });
      const { token: as } = await kontor.ask(api.createToken, { body: { name: 'Inhaber', role: 'owner' } });
      const asked = async (call: Call, params = {}, body?: object) => {
        const answer = await kontor.raw(pathOf(call, params), {
          as,
          method: call.method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        });
        return [
          answer.status,
          z.object({ error: z.object({ code: z.string() }) }).parse(await answer.json()).error.code,
        ];
      };
      const person = { email: 'neu@beispiel.de', role: 'viewer' };
      const refused = [
        await asked(api.createToken, {}, { name: 'Kind', role: 'viewer' }),
        await asked(api.deleteToken, { id: tokenid }),
        await asked(api.saveMemberRole, { id }, { role: 'owner' }),
        await asked(api.deleteMember, { id }),
        await asked(api.memberPasswordLink, { id }),
        await asked(api.endMemberSessions, { id }),
        await asked(api.invite, {}, person),
        await asked(api.resendInvitation, { id: 'Zzzzzzzzz1' }),
        await asked(api.withdrawInvitation, { id: 'Zzzzzzzzz1' }),
        await asked(api.saveSignInPolicy, {}, { factorRequired: true }),
        // With a mail server of his own a thief could read links to new passwords.
        await asked(api.saveMailSettings, {}, { server: 'mail.dieb.example' }),
        await asked(api.testMail, {}, { server: 'mail.dieb.example' }),
        await asked(api.startApp),
        await asked(api.removeApp),
        await asked(api.renewRecoveryCodes),
        await asked(api.changePassword, {}, { current: 'x', password: 'lampe-wolke-trecker' }),
      ];
      expect(refused).toEqual(refused.map(() => [403, 'people_only']));
    });

    it('M7 cannot export the company, delete anything permanently or cancel a deletion', async () => {
      const { token: as } = await kontor.ask(api.createToken, { body: { name: 'Inhaber', role: 'owner' } });
      const calls = [
        [api.exportCompany, {}],
        [api.companyArchiveAddress, { runid: 'Zzzzzzzzz1' }],
        [api.companyArchive, { runid: 'Zzzzzzzzz1' }],
        [api.deleteCompany, {}],
        [api.keepCompany, {}],
        [api.purgeTrashed, { id: 'Zzzzzzzzz1' }],
        [api.removeExamples, {}],
        [api.releaseOutgoing, {}],
      ] as const;
      for (const [call, params] of calls) {
        const answer = await kontor.raw(pathOf(call, params), { as, method: call.method });
        expect([call.path, answer.status, await answer.text()]).toEqual([
          call.path,
          403,
          expect.stringContaining('people_only'),
        ]);
      }
    });

    it('M7 are named as tokens in the history, whatever their name is', async () => {
      const { visitor } = await member('admin');
      const { token } = await make(visitor, { role: 'admin' });
      const { masterid } = await kontor.ask(api.createMaster, { as: token, body: { name: 'Katalog' } });
      await kontor.ask(api.saveMasterRules, { as: token, params: { masterid }, body: [] });
      const entries = await kontor.ask(api.activity, { query: { limit: 5 } });
      expect(JSON.stringify(entries)).toContain('Token „Frieda Yılmaz“ von Frieda Yılmaz');
    });
  });
});
