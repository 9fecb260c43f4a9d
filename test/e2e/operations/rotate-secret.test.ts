import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addEvent, deleteOldEvents, verifySecurityLog } from '#auth/security-log.ts';
import { isTotpCode, startTotp } from '#auth/totp.ts';
import { importPlace } from '#feed/import/import-place.ts';
import { rotateSecret } from '#operations/rotation/rotate.ts';
import { personPlace } from '#orders/persons/save-persons.ts';
import { saveSecret, readSecret } from '#platform/crypto/credentials.ts';
import { requireCurrentSecret } from '#platform/crypto/installation-keys.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { api } from '#shared/http/api.ts';
import type { MailSave } from '#shared/notifications/schema.ts';
import { sealedPlaces } from '../../../src/deps.ts';
import { admin, openTestDatabase, testDatabaseUrl, type TestKontor, testKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';

const [first, second, third] = ['first', 'second', 'third'].map((one) => `${one}-secret-of-an-installation-0123456789`);
const company = 'firma';
const receiver = { host: 'ftp.beispiel.de' };
/** More than one transaction processes. */
const persons = 1200;

describe('the rotation of the secret', () => {
  const clock = { time: Date.parse('2026-03-10T08:00:00Z'), now: () => new Date(clock.time) };
  let folder: string;
  let database: Database;
  const deps = (secret = '') => ({ database, clock, vault: new Vault(secret), ids: randomIds });
  const by = { actor: 'Frieda', actorId: 'f', by: 'session' as const, address: '192.0.2.1' };
  const secret = { company, kind: 'secret' as const, result: 'done' as const, subject: '' };
  const event = (what: string) => ({ ...secret, ...by, what });
  const add = (secret: string | undefined, what: string) => addEvent(deps(secret), event(what));
  const verified = (secret: string | undefined) => verifySecurityLog(deps(secret), company);
  const rotate = (old: string | undefined, next = '') =>
    rotateSecret({ database, clock, places: sealedPlaces }, { old, next });
  const key = (n: number) => ({ channel: 'datei', order_id: `B-${n}`, role: 'buyer' as const });
  const person = (n: number) => JSON.stringify({ name: `Frieda Yılmaz ${n}` });
  const sealedPerson = async (n: number) =>
    database.company(company, (trx) =>
      trx
        .selectFrom('order_persons')
        .select(['sealed', 'mark'])
        .where((eb) => eb.and(key(n)))
        .executeTakeFirstOrThrow(),
    );
  let app: { secret: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-rotate-'));
    database = await openTestDatabase(folder, await testDatabaseUrl());
    await database.chooseRole();
    await requireCurrentSecret({ database, clock }, first ?? '');
    const { vault } = deps(first);
    await database.kysely
      .insertInto('user')
      .values({ id: 'u1', name: 'Frieda', email: 'f@beispiel.de', emailVerified: true })
      .execute();
    app = await startTotp(deps(first), { userId: 'u1', email: 'f@beispiel.de' });
    const job = { company, id: 'lauf', kind: 'import', subject: 'master:m', state: 'done' as const };
    const sealedUrl = vault.seal(company, importPlace('lauf'), 'https://a:b@c.de');
    await database.company(company, async (trx) => {
      await saveSecret(trx, vault, { company, place: 'upload', receiver }, 'geheim');
      await trx
        .insertInto('jobs')
        .values({ ...job, payload: JSON.stringify({ owner: 'm', sealedUrl, other: [1] }) })
        .execute();
      const rows = Array.from({ length: persons }, (_, n) => ({
        company,
        ...key(n),
        version: 1,
        created_at: clock.now(),
        erase_after: clock.now(),
        sealed: vault.seal(company, personPlace(key(n), 'buyer'), person(n)),
        mark: vault.mark(company, person(n)),
      }));
      await insertRows(trx, 'order_persons', rows).execute();
    });
    for (const what of ['eins', 'zwei', 'drei']) await add(first, what);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is refused with a wrong old secret, and changes nothing', async () => {
    await expect(rotate(third, second)).rejects.toThrow(/nicht das, mit dem diese Datenbank/);
    await requireCurrentSecret({ database, clock }, first ?? '');
    await expect(requireCurrentSecret({ database, clock }, second ?? '')).rejects.toThrow(
      /Bitte setzen Sie das richtige ein/,
    );
  });

  it('resumes after a kill; no program starts before it is complete', async () => {
    let turns = 3;
    const killed = Object.create(database, {
      system: {
        value: (work: Parameters<Database['system']>[0]) => {
          if (turns-- === 0) throw new Error('killed');
          return database.system(work);
        },
      },
    }) as Database;
    await expect(
      rotateSecret({ database: killed, clock, places: sealedPlaces }, { old: first, next: second ?? '' }),
    ).rejects.toThrow('killed');
    for (const secret of [first, second])
      await expect(requireCurrentSecret({ database, clock }, secret ?? '')).rejects.toThrow(/noch einmal auf/);
    await expect(rotate(first, third)).rejects.toThrow(/zu einem anderen Geheimnis/);
    // Secret, persons, import, app.
    expect(await rotate(first, second)).toEqual({ sealed: 1 + persons + 1 + 1, unreadable: 0 });
    expect(await rotate(first, second)).toBeUndefined();
    await requireCurrentSecret({ database, clock }, second ?? '');
  });

  it('leaves every value readable only with the next secret', async () => {
    const { vault } = deps(second);
    for (const n of [0, persons - 1]) {
      const { sealed, mark } = await sealedPerson(n);
      expect(vault.open(company, personPlace(key(n), 'buyer'), sealed)).toBe(person(n));
      expect(mark).toBe(vault.mark(company, person(n)));
      expect(() => new Vault(first ?? '').open(company, personPlace(key(n), 'buyer'), sealed)).toThrow();
    }
    const upload = { company, place: 'upload' };
    const password = database.company(company, (trx) => readSecret(trx, vault, upload, { receiver }));
    expect(await password).toBe('geheim');
    const { payload } = await database.company(company, (trx) =>
      trx.selectFrom('jobs').select('payload').where('id', '=', 'lauf').executeTakeFirstOrThrow(),
    );
    const { sealedUrl, ...rest } = JSON.parse(payload) as { sealedUrl: string };
    expect([vault.open(company, importPlace('lauf'), sealedUrl), rest]).toEqual([
      'https://a:b@c.de',
      { owner: 'm', other: [1] },
    ]);
    const code = new TOTP({ secret: app.secret }).generate({ timestamp: clock.time });
    expect(await isTotpCode(deps(second), 'u1', code, true)).toBe(true);
  });

  /** Changes that someone with the database and a former secret could make. */
  const forge = (statement: string) =>
    database.kysely.transaction().execute(async (trx) => {
      await pg`select set_config('kontor.company', '*', true)`.execute(trx);
      for (const table of ['security_events', 'security_checkpoints'])
        await pg`alter table ${pg.table(table)} disable trigger user`.execute(trx);
      await pg`${pg.raw(statement)}`.execute(trx);
      for (const table of ['security_events', 'security_checkpoints'])
        await pg`alter table ${pg.table(table)} enable trigger user`.execute(trx);
    });

  it('keeps the security log verifiable over two rotations', async () => {
    await add(second, 'vier');
    expect(await verified(second)).toBe('');
    await rotate(second, third);
    await add(third, 'fünf');
    expect(await verified(third)).toBe('');
    expect(await verified(first)).toMatch(/ist verändert/);
    await forge(`update security_events set what = 'anders' where number = 2`);
    expect(await verified(third)).toBe('Eintrag 2 wurde verändert.');
    await forge(`update security_events set what = 'zwei' where number = 2`);
    expect(await verified(third)).toBe('');
  });

  it('does not let a former secret rewrite or truncate the log, or lose a secret', async () => {
    const events = await database.company(company, (trx) =>
      trx.selectFrom('security_events').select(['number', 'hash']).execute(),
    );
    const hash = (number: number) => events.find((event) => event.number === number)?.hash ?? '';
    // The last event before the first rotation, with the right mark of another text.
    const { vault } = deps(first);
    const text = [
      company,
      3,
      clock.now().toISOString(),
      'secret',
      'done',
      'Frieda',
      'f',
      'session',
      '192.0.2.1',
      'falsch',
      '',
      hash(2),
    ];
    const forged = vault.mark(company, `security ${JSON.stringify(text)}`);
    await forge(`update security_events set what = 'falsch', hash = '${forged}' where number = 3`);
    expect(await verified(third)).toBe('Eintrag 3 wurde verändert.');
    await forge(`update security_events set what = 'drei', hash = '${hash(3)}' where number = 3`);
    expect(await verified(third)).toBe('');
    // A checkpoint made with the former secret after the rotation.
    const seal = vault.mark(company, `security checkpoint ${JSON.stringify([company, 2, hash(2)])}`);
    await forge(`insert into security_checkpoints values ('${company}', 2, '${hash(2)}', now(), '${seal}')`);
    expect(await verified(third)).toMatch(/^Der Anfang bei Eintrag 3/);
    await forge(`delete from security_checkpoints`);
    await forge(`update installation_keys set sealed = '' where number = 1`);
    await expect(verified(third)).rejects.toThrow();
    const sealed = new Vault(third ?? '').seal('', 'former secret 1', first ?? '');
    await forge(`update installation_keys set sealed = '${sealed}' where number = 1`);
    await forge(`update security_anchors set number = 2 where key = 1`);
    expect(await verified(third)).toMatch(/ist verändert/);
    await forge(`update security_anchors set number = 3 where key = 1`);
    expect(await verified(third)).toBe('');
  });

  it('old events can be deleted, whichever secret marked them', async () => {
    clock.time += 500 * 24 * 60 * 60 * 1000;
    await add(third, 'sechs');
    await deleteOldEvents(deps(third), company);
    expect(await verified(third)).toBe('');
  });

  it('with a lost secret deletes the unreadable values, and work continues', async () => {
    const fourth = 'fourth-secret-of-an-installation-0123456789';
    expect(await rotate(undefined, fourth)).toEqual({ sealed: 0, unreadable: 1 + persons + 1 + 1 });
    await requireCurrentSecret({ database, clock }, fourth);
    await add(fourth, 'sieben');
    expect(await verified(fourth)).toBe('');
    const left = await database.system(async (trx) => [
      await trx.selectFrom('secrets').select('place').execute(),
      await trx.selectFrom('order_persons').select('order_id').execute(),
    ]);
    expect(left).toEqual([[], []]);
    expect(await database.kysely.selectFrom('totp_factors').select('user_id').execute()).toEqual([]);
  });
});

it("the command rotates an installation's secret, ends every session and keeps stored passwords", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-rotate-'));
  const url = await testDatabaseUrl();
  const place = { dataFolder: join(folder, 'data'), ...(url === undefined ? {} : { databaseUrl: url }) };
  const command = async () => {
    const env = { ...process.env, KONTOR_DATA: place.dataFolder, ...(url === undefined ? {} : { DATABASE_URL: url }) };
    const child = spawn(process.execPath, ['scripts/rotate-secret.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  };
  let running: TestKontor | undefined;
  try {
    const before = await testKontor({}, place);
    running = before;
    const { company } = await before.ask(api.session);
    const mail: MailSave = {
      active: false,
      host: 'smtp.beispiel.de',
      port: 587,
      security: 'starttls',
      user: 'kontor',
      password: 'geheim',
      sender: 'kontor@beispiel.de',
      recipients: [],
      digestHour: 7,
      choices: {},
    };
    await before.ask(api.saveMailSettings, { body: mail });
    const visitor = new Visitor(before);
    expect((await visitor.signIn(admin)).status).toBe(200);
    expect((await visitor.send(api.members)).status).toBe(200);
    expect(await command()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/bereits von einem laufenden|arbeitet noch ein Kontor/),
    });
    running = undefined;
    await before.close();
    const old = (await readFile(join(place.dataFolder, 'geheimnis'), 'utf8')).trim();
    const done = await command();
    expect(done.text).toMatch(/Neu verschlüsselt: [1-9]\d* Passwörter/);
    expect(done.code).toBe(0);
    const secret = (await readFile(join(place.dataFolder, 'geheimnis'), 'utf8')).trim();
    expect(secret).not.toBe(old);
    await expect(testKontor({ KONTOR_SECRET: old }, place)).rejects.toThrow(/nicht das, mit dem/);
    const after = await testKontor({}, place);
    running = after;
    expect((await after.ask(api.verifySecurityLog)).broken).toBe('');
    const { place: at, sealed } = await after.database.company(company.id, (trx) =>
      trx.selectFrom('secrets').select(['place', 'sealed']).executeTakeFirstOrThrow(),
    );
    expect(new Vault(secret).open(company.id, at, sealed)).toContain('geheim');
    const returning = new Visitor(after);
    for (const [name, value] of visitor.cookies) returning.cookies.set(name, value);
    expect((await returning.send(api.members)).status).toBe(401);
    expect((await new Visitor(after).signIn(admin)).status).toBe(200);
  } finally {
    await running?.close();
    await rm(folder, { recursive: true, force: true });
  }
});
