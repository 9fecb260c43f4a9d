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
