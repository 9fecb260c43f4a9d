import { TOTP, Secret } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPassword } from '#auth/auth.ts';
import { endSessionsOf } from '#auth/sessions.ts';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { admin, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { anotherVisitor, signedInMember } from '../../stages/http/signed-in-member.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const minute = 60_000;
const hour = 60 * minute;
const begin = new Date('2026-03-10T08:00:00Z').getTime();

describe('signing in with two factors', () => {
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
      // On a busy machine other work reads the clock in between, so the ticket is used later.
      for (let reading = 1; reading <= 8 || (reading <= 24 && !outcomes.includes(200)); reading++) {
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
