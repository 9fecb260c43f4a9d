import { spawnSync } from 'node:child_process';
import { Secret, TOTP } from 'otpauth';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verifySecurityLog } from '#auth/security-log.ts';
import { systemClock } from '#platform/clock.ts';
import { storedSecret } from '#platform/crypto/install-secret.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { api } from '#shared/http/api.ts';
import { admin, testKontor } from '../../stages/kontor.ts';
import { secretIn } from '../../stages/mail-stage.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const script = new URL('../../../scripts/password-link.ts', import.meta.url).pathname;

it('an owner who is locked out gets a password reset link from a command on the server', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'kontor-link-'));
  const environment = {
    ...process.env,
    KONTOR_DATA: dataFolder,
    DATABASE_URL: undefined,
    NODE_ENV: undefined,
    KONTOR_LOG: 'silent',
  };
  const run = (email: string, ...options: string[]) =>
    spawnSync(process.execPath, [script, email, ...options], { encoding: 'utf8', env: environment });
  try {
    const first = await testKontor({}, { dataFolder });
    const owner = new Visitor(first);
    await owner.signIn(admin);
    const { secret } = await owner.ask(api.startApp);
    await owner.ask(api.confirmApp, { body: { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() } });
    // Two processes at once would corrupt the data: it refuses and does nothing.
    expect(run(admin.email)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('bereits von einem laufenden'),
    });
    await first.close();
    const foreign = { ...environment, KONTOR_SECRET: 'g'.repeat(40) };
    const other = spawnSync(process.execPath, [script, admin.email], { encoding: 'utf8', env: foreign });
    expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('ist nicht das, mit dem') });
    expect(run('niemand@beispiel.de')).toMatchObject({ status: 1, stderr: expect.stringContaining('kein Konto') });
    const kept = secretIn(run(admin.email).stdout);
    const second = await testKontor({}, { dataFolder });
    const locked = new Visitor(second);
    await locked.ask(api.resetPassword, { body: { token: kept, password: 'regen-kiste-fenster' } });
    const still = { body: { ...admin, password: 'regen-kiste-fenster' } };
    expect(await locked.ask(api.signIn, still)).toMatchObject({ app: true });
    await second.close();
    const token = secretIn(run(admin.email, '--remove-factors').stdout);
    const kontor = await testKontor({}, { dataFolder });
    const visitor = new Visitor(kontor);
    await visitor.ask(api.resetPassword, { body: { token, password: 'lampe-wolke-trecker' } });
    expect((await visitor.signIn(admin)).status).toBe(401);
    expect(await visitor.ask(api.signIn, { body: { ...admin, password: 'lampe-wolke-trecker' } })).toMatchObject({
      user: { email: admin.email },
    });
    // What was done on the machine is in the company's security log, whose chain is intact.
    const { events } = await kontor.ask(api.securityLog, { query: { limit: 50 } });
    const atMachine = events.filter(({ what }) => what.includes('npm run password-link'));
    expect(atMachine.map(({ kind, subject }) => [kind, subject.includes(admin.email)])).toEqual([
      ['factor', true],
      ['password', true],
    ]);
    const { company } = await kontor.ask(api.session);
    const vault = new Vault(storedSecret(dataFolder, () => ''));
    expect(await verifySecurityLog({ database: kontor.database, clock: systemClock, vault }, company.id)).toBe('');
    await kontor.close();
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
});

it('T16 counts of failed sign-ins are stored in the database and survive a restart', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'kontor-tries-'));
  try {
    const first = await testKontor({}, { dataFolder });
    for (let n = 0; n < 5; n++) await new Visitor(first).signIn({ ...admin, password: 'falsch' });
    await first.close();
    const second = await testKontor({}, { dataFolder });
    expect((await new Visitor(second).signIn(admin)).status).toBe(429);
    await second.close();
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
});
