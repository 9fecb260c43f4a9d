import { setTimeout as wait } from 'node:timers/promises';
import { TOTP, Secret } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPassword } from '#auth/auth.ts';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { endSessionsOf } from '#auth/sessions.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { ErrorBody } from '#shared/http/errors.ts';
import { addMember } from '../../stages/add-member.ts';
import { admin, testKontor, type TestKontor } from '../../stages/kontor.ts';
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

  let made = 0;
  /** Adds a member of the company, signed in. */
  const member = async (role: 'admin' | 'editor' = 'editor') => {
    const person = { name: 'Frieda Yılmaz', email: `frieda${++made}@beispiel.de`, password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role });
    const visitor = new Visitor(kontor);
    expect((await visitor.signIn(person)).status).toBe(200);
    return { ...person, id, visitor };
  };
  const another = async (person: { email: string; password: string }, device?: string) => {
    const visitor = new Visitor(kontor, device);
    expect((await visitor.signIn(person)).status).toBe(200);
    return visitor;
  };

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

  describe('the second factor', () => {
    const codeOf = (secret: string) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.time });
    /** Adds a member with an authenticator app, and returns the recovery codes. */
    const withApp = async (role: 'admin' | 'editor' = 'editor') => {
      const person = await member(role);
      const { secret, uri } = await person.visitor.ask(api.startApp);
      expect(uri).toContain(encodeURIComponent(person.email));
      const { recoveryCodes } = await person.visitor.ask(api.confirmApp, { body: { code: codeOf(secret) } });
      clock.time += minute;
      return { ...person, secret, recoveryCodes };
    };
    const ticketOf = async (visitor: Visitor, body: { email: string; password: string }) => {
      const answer = await visitor.ask(api.signIn, { body });
      if (!('ticket' in answer)) throw new Error('no second factor was asked for');
      return answer.ticket;
    };

    it('an app code is required after the password; without it there is no session', async () => {
      const { email, password, secret } = await withApp();
      const visitor = new Visitor(kontor);
      const ticket = await ticketOf(visitor, { email, password });
      expect(visitor.cookies.has('kontor')).toBe(false);
      expect(await visitor.outcome(api.signInFactor, { body: { ticket, code: '000000' } })).toEqual([
        401,
        'wrong_code',
      ]);
      expect(await visitor.outcome(api.signInFactor, { body: { ticket, code: codeOf(secret) } })).toEqual([200, 'ok']);
      expect((await visitor.send(api.session)).status).toBe(200);
      // The ticket is used up, and so is the code.
      const again = { body: { ticket, code: codeOf(secret) } };
      expect(await visitor.outcome(api.signInFactor, again)).toEqual([401, 'ticket_over']);
      const next = { body: { ticket: await ticketOf(visitor, { email, password }), code: codeOf(secret) } };
      expect(await visitor.outcome(api.signInFactor, next)).toEqual([401, 'wrong_code']);
    });

    it('T15 a password reset at any moment of the second step leaves no session', async () => {
      const outcomes: number[] = [];
      for (let reading = 1; reading <= 8; reading++) {
        const { id, email, password, secret } = await withApp();
        const visitor = new Visitor(kontor);
        const body = { ticket: await ticketOf(visitor, { email, password }), code: codeOf(secret) };
        // The program reads the clock before each of its steps: the reset begins there, before the step's query.
        let readings = 0;
        let reset: Promise<void> | undefined;
        const usual = clock.now;
        clock.now = () => {
          if (++readings === reading)
            reset = kontor.database.accounts('', async (trx) => {
              await setPassword({ database: { kysely: trx }, clock: { now: usual } }, id, 'another hash');
              await endSessionsOf({ kysely: trx }, id);
            });
          return usual();
        };
        outcomes.push((await visitor.send(api.signInFactor, { body })).status);
        clock.now = usual;
        await reset;
        expect([reading, (await visitor.send(api.session)).status]).toEqual([reading, 401]);
      }
      // The reset came before the ticket was used, and after it.
      expect(outcomes).toContain(401);
      expect(outcomes).toContain(200);
    });

    it('a recovery code works once, and the database stores only hashes', async () => {
      const { email, password, recoveryCodes, id } = await withApp();
      expect(new Set(recoveryCodes).size).toBe(10);
      // 120 bits: five per letter.
      for (const code of recoveryCodes) expect(code).toMatch(/^([0-9a-z]{4}-){5}[0-9a-z]{4}$/);
      const visitor = new Visitor(kontor);
      const [code = ''] = recoveryCodes;
      const { rows } = await pg<{ hash: string }>`select hash from recovery_codes where user_id = ${id}`.execute(
        kontor.database.kysely,
      );
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
      const use = async () => {
        const ticket = await ticketOf(visitor, { email, password });
        return visitor.outcome(api.signInFactor, { body: { ticket, code: ` ${code.toUpperCase()} ` } });
      };
      expect(await use()).toEqual([200, 'ok']);
      expect((await visitor.ask(api.factors)).recoveryCodes).toBe(9);
      expect(await use()).toEqual([401, 'wrong_code']);
    });

    it('a wrong code gets advice for its kind: the app is named only to those who typed an app code', async () => {
      const { email, password, id } = await withApp();
      const visitor = new Visitor(kontor);
      const advice = async (code: string) => {
        const ticket = await ticketOf(visitor, { email, password });
        return (await visitor.send(api.signInFactor, { body: { ticket, code } })).text();
      };
      expect(await advice('000000')).toContain('den nächsten Code ein, den die App zeigt');
      expect(await advice('1234567')).toContain('den nächsten Code ein, den die App zeigt');
      expect(await advice('abcd-efgh-jkmn-pqrs')).toContain(
        'einen Wiederherstellungscode ein, der noch nicht benutzt wurde',
      );
      // A user who only has a passkey has no app with a next code.
      const ticket = await ticketOf(visitor, { email, password });
      await kontor.database.kysely.deleteFrom('totp_factors').where('user_id', '=', id).execute();
      const answer = await visitor.send(api.signInFactor, { body: { ticket, code: '000000' } });
      expect(await answer.text()).toContain('einen Wiederherstellungscode ein, der noch nicht benutzt wurde');
    });

    it('T16 wrong codes are counted across sign-in tickets', async () => {
      const { email, password, secret } = await withApp();
      const visitor = new Visitor(kontor);
      for (let n = 0; n < 5; n++) {
        const ticket = await ticketOf(visitor, { email, password });
        const wrong = { body: { ticket, code: '000000' } };
        expect(await visitor.outcome(api.signInFactor, wrong)).toEqual([401, 'wrong_code']);
      }
      const right = { body: { ticket: await ticketOf(visitor, { email, password }), code: codeOf(secret) } };
      expect(await visitor.outcome(api.signInFactor, right)).toEqual([429, 'too_many_attempts']);
    });

    it('an app secret is stored encrypted, and active only after its first right code', async () => {
      const { visitor, email, password, id } = await member();
      const { secret } = await visitor.ask(api.startApp);
      const { rows } = await pg<{
        row: string;
      }>`select t::text as row from totp_factors t where user_id = ${id}`.execute(kontor.database.kysely);
      expect(rows[0]?.row).not.toContain(secret);
      expect(await visitor.ask(api.factors)).toMatchObject({ app: false, recoveryCodes: 0 });
      expect(await new Visitor(kontor).ask(api.signIn, { body: { email, password } })).toMatchObject({
        user: { email },
      });
      expect(await visitor.outcome(api.confirmApp, { body: { code: '000000' } })).toEqual([401, 'wrong_code']);
      expect((await visitor.ask(api.confirmApp, { body: { code: codeOf(secret) } })).recoveryCodes).toHaveLength(10);
    });

    it('if the company requires one, a user without can only set one up; API tokens keep working', async () => {
      const owner = await another(admin);
      const { visitor } = await member('admin');
      expect(await visitor.outcome(api.saveSignInPolicy, { body: { factorRequired: true } })).toEqual([
        403,
        'not_allowed',
      ]);
      await owner.ask(api.saveSignInPolicy, { body: { factorRequired: true } });
      try {
        for (const call of [api.masters, api.members, api.sessions, api.header])
          expect(await visitor.outcome(call)).toEqual([403, 'second_factor_missing']);
        expect((await kontor.ask(api.masters)).length).toBe(0);
        const { secret } = await visitor.ask(api.startApp);
        await visitor.ask(api.confirmApp, { body: { code: codeOf(secret) } });
        expect(await visitor.outcome(api.members)).toEqual([200, 'ok']);
        expect(await visitor.outcome(api.removeApp)).toEqual([422, 'last_factor']);
      } finally {
        // The owner has no second factor, so he cannot switch the requirement off himself.
        await kontor.database.kysely.updateTable('organization').set({ second_factor_required: false }).execute();
      }
      await visitor.ask(api.removeApp);
      expect(await visitor.ask(api.factors)).toMatchObject({ app: false, recoveryCodes: 0 });
    });
  });
});
