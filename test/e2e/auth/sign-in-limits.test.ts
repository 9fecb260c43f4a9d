import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { SIGN_IN_TRIES, type SignInTries } from '#company/routes.ts';
import { addMember } from '../../stages/add-member.ts';
import { admin, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';
import { askFrom, reverseProxy, type ReverseProxy } from '../../servers/reverse-proxy.ts';

/** Starts the program and a proxy in front of it, both on loopback, for a group of tests: each has addresses of its own. */
function started(environment: Record<string, string>, signInTries: SignInTries = SIGN_IN_TRIES) {
  const ports = { direct: 0, proxied: 0 };
  let kontor: TestKontor;
  let proxy: ReverseProxy;
  beforeAll(async () => {
    kontor = await testKontor(environment, { signInTries });
    ports.direct = Number(new URL(kontor.url).port);
    proxy = await reverseProxy(ports.direct);
    ports.proxied = proxy.port;
  });
  afterAll(async () => {
    proxy.close();
    await kontor.close();
  });
  return { ports, kontor: () => kontor };
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

const signIn = (from: string, port: number, body: { email: string; password: string }, headers = {}) =>
  askFrom(from, port, '/api/session', { body, headers: { ...sameOrigin, ...headers } });

/** A password is slow by design: few tries are enough to show which are counted. */
const few: SignInTries = { account: 5, address: 6 };

/**
 * Checks that six wrong passwords are refused and later ones not tried; each is for another account, only the address is the
 * same.
 */
async function lockedAfterSix(from: string, port: number, forged?: (i: number) => string): Promise<void> {
  const tryOnce = async (_: unknown, i: number) => {
    const headers = forged === undefined ? {} : { 'x-forwarded-for': forged(i) };
    return (await signIn(from, port, { email: `wer${i}@beispiel.de`, password: 'falsch' }, headers)).status;
  };
  const statuses = await Promise.all(Array.from({ length: few.address }, tryOnce));
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await tryOnce(undefined, few.address)).toBe(429);
}

describe('rate limits of sign-in', () => {
  const program = started({});

  it('T16 of 1,000 simultaneous passwords for one account only five are checked', async () => {
    const passwords = Array.from({ length: 1000 }, (_, i) => `falsch-${i}`);
    const statuses = await Promise.all(
      // From many addresses: only the account is the same.
      passwords.map(
        async (password, i) =>
          (await signIn(`127.1.${i >> 8}.${i % 256}`, program.ports.direct, { ...admin, password })).status,
      ),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(995);
    expect((await signIn('127.0.0.9', program.ports.direct, admin)).status).toBe(429);
  });

  it('T16 of 120 simultaneous sign-ins from one address for many accounts 50 are checked', async () => {
    const statuses = await Promise.all(
      Array.from(
        { length: 120 },
        async (_, i) =>
          (await signIn('127.0.0.2', program.ports.direct, { email: `wer${i}@beispiel.de`, password: 'falsch' }))
            .status,
      ),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(70);
  });

  it("T16 many strangers' wrong passwords do not delay a user whose browser has signed in before", async () => {
    const known = new Visitor(program.kontor());
    const person = { name: 'Jo Ahrens', email: 'jo@beispiel.de', password: 'lampe-wolke-trecker' };
    await addMember(program.kontor(), { ...person, role: 'editor' });
    expect((await known.signIn(person)).status).toBe(200);
    // While any user has a password of an older version, a wrong one takes more work.
    const older = { password_hash: await hashPassword('regen-kiste-fenster', 'scrypt') };
    await program.kontor().database.kysely.updateTable('user').set(older).where('email', '=', admin.email).execute();
    let answered = 0;
    const strangers = Array.from({ length: 16 }, async (_, i) => {
      await signIn(`127.0.3.${i}`, program.ports.direct, { email: `fremd${i}@beispiel.de`, password: 'falsch' });
      answered++;
    });
    await expect.poll(() => answered).toBeGreaterThan(0);
    const before = answered;
    expect((await known.signIn(person)).status).toBe(200);
    // Two are running when it arrives, and a right password needs no second hash.
    expect(answered - before).toBeLessThan(7);
    await Promise.all(strangers);
  });

  it('T3 of 40 simultaneous connection checks ten are let through', async () => {
    // An internal address: refused without a connection, but counted anyway.
    const body = JSON.stringify({ host: '10.0.0.1', port: 22, username: 'x', password: 'x' });
    const ask = async () =>
      (
        await program.kontor().raw('/notify/check-ftps', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).status;
    const statuses = await Promise.all(Array.from({ length: 40 }, ask));
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });
});

describe('limits of sign-in behind a proxy', () => {
  const { ports } = started({ KONTOR_TRUST_PROXY: '127.0.0.1' }, few);

  it('wrong passwords from one address behind a trusted proxy lock that address and no other', async () => {
    await lockedAfterSix('127.0.0.2', ports.proxied);
    expect((await signIn('127.0.0.2', ports.proxied, admin)).status).toBe(429);
    expect((await signIn('127.0.0.3', ports.proxied, admin)).status).toBe(200);
  });

  it('forged X-Forwarded-For through the trusted proxy gains nothing', async () => {
    await lockedAfterSix('127.0.0.4', ports.proxied, (i) => `203.0.113.${i}`);
  });

  it('forged X-Forwarded-For past the trusted proxy gains nothing', async () => {
    await lockedAfterSix('127.0.0.5', ports.direct, (i) => `203.0.113.${i}`);
  });
});

describe('limits of sign-in without a proxy', () => {
  const { ports } = started({}, few);

  it('T16 right passwords do not count against the limit', async () => {
    for (let i = 0; i <= few.address; i++) expect((await signIn('127.0.0.2', ports.direct, admin)).status).toBe(200);
  });

  it('without the setting forged X-Forwarded-For gains nothing', async () => {
    await lockedAfterSix('127.0.0.4', ports.direct, (i) => `203.0.113.${i}`);
  });
});
