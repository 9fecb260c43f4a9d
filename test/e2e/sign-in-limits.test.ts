import { afterEach, describe, expect, it } from 'vitest';
import { admin, testKontor, type TestKontor } from '../stages/kontor.ts';
import { askFrom, reverseProxy, type ReverseProxy } from '../servers/reverse-proxy.ts';

let kontor: TestKontor | undefined;
let proxy: ReverseProxy | undefined;
afterEach(async () => {
  proxy?.close();
  await kontor?.close();
});

/** The program and a proxy in front of it, both on loopback. */
async function start(environment: Record<string, string>): Promise<{ direct: number; proxied: number }> {
  kontor = await testKontor(environment);
  const direct = Number(new URL(kontor.url).port);
  proxy = await reverseProxy(direct);
  return { direct, proxied: proxy.port };
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

const signIn = (from: string, port: number, body: { email: string; password: string }, headers = {}) =>
  askFrom(from, port, '/api/session', { body, headers: { ...sameOrigin, ...headers } });

/** Whether 50 wrong passwords are refused and no more are tried; each is for another account, only the address is the same. */
async function lockedAfterFifty(from: string, port: number, forged?: (i: number) => string): Promise<void> {
  const tryOnce = async (_: unknown, i: number) => {
    const headers = forged === undefined ? {} : { 'x-forwarded-for': forged(i) };
    return (await signIn(from, port, { email: `wer${i}@beispiel.de`, password: 'falsch' }, headers)).status;
  };
  const statuses = await Promise.all(Array.from({ length: 50 }, tryOnce));
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await tryOnce(undefined, 50)).toBe(429);
}

describe('limits of tries', () => {
  it('T16 of 120 passwords at the same moment for one account five are tried', async () => {
    const { direct } = await start({});
    const passwords = Array.from({ length: 120 }, (_, i) => `falsch-${i}`);
    const statuses = await Promise.all(
      // From many addresses: only the account is the same.
      passwords.map(async (password, i) => (await signIn(`127.0.1.${i}`, direct, { ...admin, password })).status),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(115);
    expect((await signIn('127.0.0.9', direct, admin)).status).toBe(429);
  });

  it('T16 of 120 tries at the same moment from one address for many accounts 50 are tried', async () => {
    const { direct } = await start({});
    const statuses = await Promise.all(
      Array.from(
        { length: 120 },
        async (_, i) =>
          (await signIn('127.0.0.2', direct, { email: `wer${i}@beispiel.de`, password: 'falsch' })).status,
      ),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(70);
  });

  it('T16 who knows the password uses up no tries', async () => {
    const { direct } = await start({});
    for (let i = 0; i < 60; i++) expect((await signIn('127.0.0.2', direct, admin)).status).toBe(200);
  });

  it('T3 of 40 connection checks at the same moment ten connect', async () => {
    kontor = await testKontor();
    // An inner address: refused without a connection, and counted all the same.
    const body = JSON.stringify({ host: '10.0.0.1', port: 22, username: 'x', password: 'x' });
    const ask = async () =>
      (
        await kontor?.raw('/notify/check-ftps', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      )?.status;
    const statuses = await Promise.all(Array.from({ length: 40 }, ask));
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });
});

describe('limits of sign-in behind a proxy', () => {
  it('50 wrong passwords from one address behind a trusted proxy lock that address and no other', async () => {
    const { proxied } = await start({ KONTOR_TRUST_PROXY: '127.0.0.1' });
    await lockedAfterFifty('127.0.0.2', proxied);
    expect((await signIn('127.0.0.2', proxied, admin)).status).toBe(429);
    expect((await signIn('127.0.0.3', proxied, admin)).status).toBe(200);
  });

  it('forged X-Forwarded-For through the trusted proxy gains nothing', async () => {
    const { proxied } = await start({ KONTOR_TRUST_PROXY: '127.0.0.1' });
    await lockedAfterFifty('127.0.0.2', proxied, (i) => `203.0.113.${i}`);
  });

  it('forged X-Forwarded-For past the trusted proxy gains nothing', async () => {
    const { direct } = await start({ KONTOR_TRUST_PROXY: '127.0.0.1' });
    await lockedAfterFifty('127.0.0.2', direct, (i) => `203.0.113.${i}`);
  });

  it('without the setting forged X-Forwarded-For gains nothing', async () => {
    const { direct } = await start({});
    await lockedAfterFifty('127.0.0.2', direct, (i) => `203.0.113.${i}`);
  });
});
