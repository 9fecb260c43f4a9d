import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPassword } from '#auth/auth.ts';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { anotherVisitor, signedInMember } from '../../stages/http/signed-in-member.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const minute = 60_000;
const hour = 60 * minute;
const begin = new Date('2026-03-10T08:00:00Z').getTime();

describe('signing in', () => {
  const clock = { time: begin, now: () => new Date(clock.time) };
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock, sessionCheckMs: 200 });
  });
  afterAll(() => kontor.close());
  beforeEach(() => {
    // A day later all earlier counts are forgotten.
    clock.time += 24 * hour;
  });

  const member = (role?: 'admin' | 'editor') => signedInMember(kontor, role);
  const another = (person: { email: string; password: string }, device?: string) =>
    anotherVisitor(kontor, person, device);

  describe('sessions', () => {
    it('T15 the database stores no session secret, and a cookie with another signature is refused', async () => {
      const { visitor, id } = await member();
      const cookie = visitor.cookies.get('kontor') ?? '';
      const [secret = ''] = cookie.split('.');
      const { rows } = await pg<{ row: string }>`select s::text as row from sessions s where user_id = ${id}`.execute(
        kontor.database.kysely,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain(secret);
      for (const forged of [secret, `${secret}.`, `${secret}.${'A'.repeat(43)}`]) {
        visitor.cookies.set('kontor', forged);
        expect(await visitor.outcome(api.session)).toEqual([401, 'no_session']);
      }
      visitor.cookies.set('kontor', cookie);
      expect(await visitor.outcome(api.session)).toEqual([200, 'ok']);
    });

    it('T15 a session ends twelve hours after its last use and seven days after its beginning', async () => {
      const { visitor, email, password } = await member();
      clock.time += 11 * hour;
      expect((await visitor.send(api.session)).status).toBe(200);
      clock.time += 11 * hour;
      expect((await visitor.send(api.session)).status).toBe(200);
      clock.time += 12 * hour + minute;
      expect((await visitor.send(api.session)).status).toBe(401);
      const long = await another({ email, password });
      for (let passed = 0; passed < 7 * 24; passed += 8) {
        expect((await long.send(api.session)).status).toBe(200);
        clock.time += 8 * hour;
      }
      clock.time += minute;
      expect((await long.send(api.session)).status).toBe(401);
    });

    it('T15 a user lists the own sessions, ends one of them, or all', async () => {
      const { visitor, email, password } = await member();
      clock.time += hour;
      const phone = await another({ email, password }, 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0) Safari/600');
      const sessions = await visitor.ask(api.sessions);
      expect(sessions.map(({ own, device }) => [own, /iPhone/.test(device)])).toEqual([
        [true, false],
        [false, true],
      ]);
      expect(sessions[1]).toMatchObject({ address: '127.0.0.1', createdAt: new Date(clock.time).toISOString() });
      await visitor.ask(api.endSession, { params: { id: sessions[1]?.id ?? '' } });
      expect((await phone.send(api.session)).status).toBe(401);
      expect((await visitor.send(api.session)).status).toBe(200);
      await phone.signIn({ email, password });
      await visitor.ask(api.endSessions);
      expect((await visitor.send(api.session)).status).toBe(401);
      expect((await phone.send(api.session)).status).toBe(401);
    });

    it('T13 a stream closes once its session has ended, and an open stream does not extend the session', async () => {
      const { visitor, id } = await member();
      const stream = await visitor.send(api.companyLive);
      const lastUse = async () =>
        (
          await kontor.database.kysely
            .selectFrom('sessions')
            .select('last_used_at')
            .where('user_id', '=', id)
            .executeTakeFirst()
        )?.last_used_at;
      const before = await lastUse();
      clock.time += 11 * hour;
      await wait(600);
      expect(await lastUse()).toEqual(before);
      clock.time += 2 * hour;
      // Read to its end: an open stream would make the test time out.
      expect(await stream.text()).toContain('retry:');
      expect((await visitor.send(api.session)).status).toBe(401);
    });

    it('T12 a user cannot end the session of another user', async () => {
      const [one, other] = [await member(), await member('admin')];
      const [session] = await one.visitor.ask(api.sessions);
      const asked = { params: { id: session?.id ?? '' } };
      expect(await other.visitor.outcome(api.endSession, asked)).toEqual([404, 'not_found']);
      expect((await one.visitor.send(api.session)).status).toBe(200);
    });

    it('account calls refuse API tokens', async () => {
      const answer = await kontor.raw('/api/account/sessions');
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('people_only');
    });
  });

  describe('passwords', () => {
    it('T15 a change requires the old password, ends the other sessions, and only the new password signs in', async () => {
      const { visitor, email, password } = await member();
      const other = await another({ email, password });
      const change = (current: string, next: string, endOthers?: boolean) =>
        visitor.outcome(api.changePassword, {
          body: { current, password: next, ...(endOthers === undefined ? {} : { endOthers }) },
        });
      expect(await change('falsch', 'regen-kiste-fenster')).toEqual([422, 'wrong_password']);
      // A page shows the message followed by those of the fields; when proving identity it is not called a former password.
      const wrong = await visitor.send(api.prove, { body: { password: 'falsch' } });
      const { error } = ErrorBody.parse(await wrong.json());
      expect([error.message, ...(error.fields ?? []).map(({ message }) => message)]).toEqual([
        'Dieses Passwort stimmt nicht. Es wurde nichts gespeichert.',
        'Bitte geben Sie Ihr Passwort noch einmal ein.',
      ]);
      expect(await change(password, 'kurz')).toEqual([422, 'invalid']);
      expect(await change(password, 'passwort1234')).toEqual([422, 'weak_password']);
      expect(await change(password, 'regen-kiste-fenster', false)).toEqual([200, 'ok']);
      expect((await other.send(api.session)).status).toBe(200);
      expect(await change('regen-kiste-fenster', 'wolke-anker-birne')).toEqual([200, 'ok']);
      expect((await other.send(api.session)).status).toBe(401);
      expect((await visitor.send(api.session)).status).toBe(200);
      expect((await other.signIn({ email, password })).status).toBe(401);
      expect((await other.signIn({ email, password: 'wolke-anker-birne' })).status).toBe(200);
    });

    it('T15 a sign-in whose password is replaced while it is checked gets no session', async () => {
      const { id, email, password } = await member();
      const { database } = kontor;
      // Known users' passwords are hashed first: the check of this one waits for them, after its stored hash was read.
      const replaced = new AbortController();
      const busy = Array.from({ length: 4 }, async () => {
        while (!replaced.signal.aborted) await hashPassword('lampe', 'argon2id');
      });
      const answer = new Visitor(kontor).signIn({ email, password });
      const counted = () =>
        database.kysely.selectFrom('sign_in_tries').select('key').where('key', '=', `account:${email}`).execute();
      await expect.poll(counted).toHaveLength(1);
      await setPassword({ database, clock }, id, 'another hash');
      replaced.abort();
      expect((await answer).status).toBe(401);
      await Promise.all(busy);
    });

    it('T16 wrong old passwords are counted: after five of them the right one has to wait as well', async () => {
      const { visitor, password } = await member();
      const change = (current: string) =>
        visitor.outcome(api.changePassword, { body: { current, password: 'regen-kiste-fenster' } });
      for (let n = 0; n < 5; n++) expect(await change('falsch')).toEqual([422, 'wrong_password']);
      expect(await change(password)).toEqual([429, 'too_many_attempts']);
      clock.time += minute;
      expect(await change(password)).toEqual([200, 'ok']);
    });
  });

  describe('password guesses by strangers', () => {
    it('T16 do not lock out a browser that has signed in before', async () => {
      const { visitor, email, password } = await member();
      await visitor.ask(api.signOut);
      const stranger = new Visitor(kontor);
      for (let n = 0; n < 5; n++) expect((await stranger.signIn({ email, password: 'falsch' })).status).toBe(401);
      expect((await stranger.signIn({ email, password })).status).toBe(429);
      expect((await visitor.signIn({ email, password })).status).toBe(200);
    });

    it('T16 wait longer and longer, up to 15 minutes', async () => {
      const { email, password } = await member();
      const stranger = new Visitor(kontor);
      const wait = async () => {
        const answer = await stranger.signIn({ email, password: 'falsch' });
        return answer.status === 429 ? Number(answer.headers.get('retry-after')) : 0;
      };
      for (let n = 0; n < 5; n++) expect(await wait()).toBe(0);
      const waits: number[] = [];
      for (let n = 0; n < 7; n++) {
        const seconds = await wait();
        waits.push(seconds);
        clock.time += seconds * 1000;
        expect(await wait()).toBe(0);
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
      clock.time += 900_000;
      expect((await stranger.signIn({ email, password })).status).toBe(200);
    });

    it('T16 wait no longer when the clock was ahead at the time of the attempts', async () => {
      const { email, password } = await member();
      const stranger = new Visitor(kontor);
      const now = clock.time;
      clock.time += 7 * 24 * hour;
      for (let n = 0; n < 5; n++) expect((await stranger.signIn({ email, password: 'falsch' })).status).toBe(401);
      expect((await stranger.signIn({ email, password })).status).toBe(429);
      clock.time = now;
      expect((await stranger.signIn({ email, password })).status).toBe(200);
    });

    it('T16 a device cookie of another account, or a forged one, makes no browser known', async () => {
      const { email } = await member();
      const { visitor } = await member();
      const forger = new Visitor(kontor);
      forger.cookies.set('kontor-geraet', 'x-0000000000000000.AAAA');
      for (let n = 0; n < 5; n++)
        expect((await (n % 2 === 0 ? visitor : forger).signIn({ email, password: 'falsch' })).status).toBe(401);
      expect((await visitor.signIn({ email, password: 'falsch' })).status).toBe(429);
      expect((await forger.signIn({ email, password: 'falsch' })).status).toBe(429);
    });
  });
});
