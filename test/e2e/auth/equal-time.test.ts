import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { askFrom } from '../../servers/reverse-proxy.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const ROUNDS = 9;
const MAIL_SERVER_MS = 400;

/** Starts a mail server that takes long to refuse. */
async function slowMailServer() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    setTimeout(() => socket.end('421 busy\r\n'), MAIL_SERVER_MS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

type Taken = { work: number; wait: number };

/**
 * Measures several kinds of request in milliseconds: the median work of this process, which contains the program, and the
 * shortest wait, because other load only makes waits longer. The kinds alternate, each round starts with another one, and an
 * answer's background work ends before the next request.
 */
async function costOf<Name extends string>(ways: Record<Name, (round: number) => Promise<void>>) {
  const names = Object.keys(ways) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as Taken[]])) as Record<Name, Taken[]>;
  for (let round = -1; round < ROUNDS; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + names.length) % names.length];
      if (name === undefined) continue;
      const [began, before] = [performance.now(), process.cpuUsage()];
      await ways[name](round);
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round >= 0) taken[name].push({ work: (user + system) / 1000, wait: performance.now() - began });
      await wait(40);
    }
  const costs = names.map((name): [Name, Taken] => [
    name,
    {
      work: median(taken[name].map(({ work }) => work)),
      wait: Math.min(...taken[name].map((one) => one.wait)),
    },
  ]);
  return Object.fromEntries(costs) as Record<Name, Taken>;
}

describe('timing of answers', () => {
  let kontor: TestKontor;
  let mailServer: Awaited<ReturnType<typeof slowMailServer>>;
  const plain = { name: 'Jo Ahrens', email: 'jo@beispiel.de', password: 'lampe-wolke-trecker' };
  const factored = { name: 'Mia Behn', email: 'mia@beispiel.de', password: 'regen-kiste-fenster' };

  beforeAll(async () => {
    kontor = await testKontor({}, { signInTries: { account: 1000, address: 1000 } });
    mailServer = await slowMailServer();
    for (const person of [plain, factored]) await addMember(kontor, { ...person, role: 'editor' });
    const visitor = new Visitor(kontor);
    await visitor.signIn(factored);
    const { secret } = await visitor.ask(api.startApp);
    await visitor.ask(api.confirmApp, { body: { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() } });
    const server = { host: '127.0.0.1', port: mailServer.port, security: 'starttls' as const, user: 'post' };
    const rest = {
      password: 'geheim',
      sender: 'kontor@beispiel.de',
      recipients: ['chefin@beispiel.de'],
      digestHour: 7,
      choices: {},
    };
    await kontor.ask(api.saveMailSettings, { body: { active: true, ...server, ...rest } });
  });
  afterAll(async () => {
    mailServer.close();
    await kontor.close();
  });

  it('T16 a wrong password takes as long for an unknown address as for an account with or without a second factor', async () => {
    const asking = (email: string) => async (round: number) => {
      const answer = await new Visitor(kontor).signIn({ email, password: `falsch-${round}` });
      expect(answer.status).toBe(401);
    };
    const { unknown, known, withFactor } = await costOf({
      unknown: asking('niemand@beispiel.de'),
      known: asking(plain.email),
      withFactor: asking(factored.email),
    });
    // Without hashing a password an answer costs a tenth.
    for (const other of [unknown, withFactor]) {
      const share = other.work / known.work;
      expect([share > 0.5, share < 2], JSON.stringify({ unknown, known, withFactor })).toEqual([true, true]);
    }
  });

  it('T16 a wrong password takes as long for a password hash of an older version as for any other', async () => {
    const wrong = (email: string) => async (round: number) => {
      const answer = await new Visitor(kontor).signIn({ email, password: `falsch-${round}` });
      expect(answer.status).toBe(401);
    };
    const older = { password_hash: await hashPassword(factored.password, 'scrypt') };
    await kontor.database.kysely.updateTable('user').set(older).where('email', '=', factored.email).execute();
    const costs = await costOf({
      unknown: wrong('niemand@beispiel.de'),
      today: wrong(plain.email),
      older: wrong(factored.email),
    });
    // One hash of each form; a hash of an older version alone costs several times one of the present form.
    for (const other of [costs.unknown, costs.today]) {
      const share = other.work / costs.older.work;
      expect([share > 0.5, share < 2], JSON.stringify(costs)).toEqual([true, true]);
    }
  });

  it('T16 a request for a reset link is answered equally fast for known and unknown addresses', async () => {
    // Each request comes from another address and for another account, so that no limit applies.
    let asked = 0;
    const people = Array.from({ length: ROUNDS + 1 }, (_, n) => `person${n}@beispiel.de`);
    for (const email of people) await addMember(kontor, { ...plain, email, role: 'viewer' });
    const asking = (emailOf: (round: number) => string) => async (round: number) => {
      const from = `127.0.2.${++asked}`;
      const { status } = await askFrom(from, Number(new URL(kontor.url).port), '/api/password/forgotten', {
        headers: { 'sec-fetch-site': 'same-origin' },
        body: { email: emailOf(round) },
      });
      expect(status).toBe(200);
    };
    const { unknown, known } = await costOf({
      unknown: asking((round) => `niemand${round}@beispiel.de`),
      known: asking((round) => people[round + 1] ?? ''),
    });
    expect(known.wait - unknown.wait, JSON.stringify({ unknown, known })).toBeLessThan(MAIL_SERVER_MS / 2);
  });
});
