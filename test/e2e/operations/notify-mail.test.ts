import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { openServer } from '#platform/db/database.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { addNotification } from '#notifications/notifications.ts';
import { api } from '#shared/http/api.ts';
import type { MailSave } from '#shared/notifications/schema.ts';
import { testDatabaseUrl, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { mailSettings } from '../../stages/mail-stage.ts';
import { deliveriesOf, failImport, newestDelivery } from '../../stages/notifications/deliveries.ts';
import { selfSigned, smtpServer, type SmtpServer } from '../../servers/smtp-server.ts';

const soon = { timeout: 20_000 };

describe('notifications by e-mail and webhook', () => {
  const certificate = selfSigned();
  const trusted = tls.getCACertificates('default');
  const clock = { time: new Date('2026-03-10T05:00:00Z'), now: () => clock.time };
  let dataFolder: string;
  let databaseUrl: string | undefined;
  let kontor: TestKontor;
  let mail: SmtpServer;
  const start = () => testKontor({}, { dataFolder, clock, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'kontor-notify-'));
    databaseUrl = await testDatabaseUrl();
    kontor = await start();
    mail = await smtpServer(certificate);
  });
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    await kontor.close();
    await mail.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  const settings = (more: Partial<MailSave> = {}) => mailSettings(mail, more);
  const trial = async (more: Partial<MailSave> = {}) => {
    // Ten tests are allowed per minute.
    clock.time = new Date(clock.time.getTime() + 10_000);
    return kontor.ask(api.testMail, { body: settings(more) });
  };
  const save = (more: Partial<MailSave> = {}) => kontor.ask(api.saveMailSettings, { body: settings(more) });
  const deliveries = () => deliveriesOf(kontor);
  const newest = (channel: string) => newestDelivery(kontor, channel);
  const fail = () => failImport(kontor);
  /** Makes waiting attempts due, as if their minutes had passed, while the program is closed. */
  const pass = async (url: string) => {
    const database = openServer(url, () => {});
    await database.system(
      async (trx) => void (await pg`update jobs set not_before = null where kind = 'deliver'`.execute(trx)),
    );
    await database.close();
  };

  it('a self-signed certificate is refused with both kinds of encryption, and nothing is sent, not even the password', async () => {
    const implicit = await smtpServer(certificate, { secure: true });
    for (const more of [{}, { security: 'implicit' as const, port: implicit.port }]) {
      const { success, error } = await trial(more);
      expect(success).toBe(false);
      expect(error).toContain('Zertifikat von „127.0.0.1“ ist nicht vertrauenswürdig');
    }
    expect([...mail.tried, ...implicit.tried]).toEqual([]);
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    expect(await trial({ security: 'implicit', port: implicit.port })).toEqual({ success: true, error: '' });
    expect(implicit.received).toHaveLength(1);
    await implicit.close();
  });

  it('a trial reports failures in German: password, encryption, recipients, internal addresses', async () => {
    const plain = await smtpServer(certificate, { tls: false });
    expect((await trial({ password: 'falsch' })).error).toContain('lehnt die Anmeldung ab');
    expect((await trial({ port: plain.port })).error).toContain('keine verschlüsselte Verbindung');
    expect(plain.tried).toEqual([]);
    await plain.close();
    expect((await trial({ security: 'implicit' })).error).toContain('keine verschlüsselte Verbindung');
    expect((await trial({ recipients: ['unbekannt@beispiel.de'] })).error).toContain('nimmt die Nachricht nicht an');
    const started = performance.now();
    expect((await trial({ host: '169.254.169.254' })).error).toContain('nicht erreichbar');
    expect(performance.now() - started).toBeGreaterThan(5000);
    const missing = await kontor.raw('/api/notifications/mail/test', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings({ recipients: [] })),
    });
    expect([missing.status, await missing.text()]).toEqual([
      422,
      expect.stringContaining('mindestens einen Empfänger'),
    ]);
    expect(await trial()).toEqual({ success: true, error: '' });
    expect(mail.received.at(-1)).toContain('Testmail von Kontor');
    expect(mail.recipients.at(-1)).toEqual(['chefin@beispiel.de', 'lager@beispiel.de']);
  });

  it('T17 the password is sealed, never shown, kept when left empty, and used only for its own server', async () => {
    await save();
    const shown = await kontor.ask(api.mailSettings);
    expect(shown).toMatchObject({ passwordSet: true, settings: { host: '127.0.0.1', user: 'post' } });
    expect(JSON.stringify(shown)).not.toContain('geheim');
    expect(await trial({ password: '' })).toEqual({ success: true, error: '' });
    const elsewhere = await kontor.raw('/api/notifications/mail/test', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings({ password: '', host: 'localhost' })),
    });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([422, expect.stringContaining('neu ein')]);
    for (const more of [{ port: 2525 }, { user: 'x' }, { security: 'implicit' as const }])
      for (const path of ['/api/notifications/mail', '/api/notifications/mail/test']) {
        const answer = await kontor.raw(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(settings({ password: '', ...more })),
        });
        expect([more, path, answer.status]).toEqual([more, path, 422]);
      }
  });

  it('GEN-05 a stale save is refused with the author of the other save, and nothing of it is stored, not even the password', async () => {
    const { revision } = await save();
    const before = await kontor.ask(api.mailSettings);
    expect(before).toMatchObject({ revision, author: expect.stringMatching(/./), savedAt: expect.any(String) });
    const stale = (ifMatch: number) =>
      kontor.raw('/api/notifications/mail', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'if-match': String(ifMatch) },
        body: JSON.stringify(settings({ password: 'anderes', sender: 'neu@beispiel.de' })),
      });
    for (const wrong of [0, revision - 1, revision + 1]) {
      const answer = await stale(wrong);
      expect([answer.status, await answer.json()]).toEqual([
        409,
        { error: expect.objectContaining({ code: 'stale', message: expect.stringContaining(before.author) }) },
      ]);
    }
    expect(await kontor.ask(api.mailSettings)).toEqual(before);
    expect(await trial({ password: '' })).toEqual({ success: true, error: '' });
    // Of two at the same moment one succeeds.
    const both = await Promise.all([stale(revision), stale(revision)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await save()).revision).toBe(revision + 2);
  });

  it('a failed run is e-mailed at once with a link, once per notification', async () => {
    mail.received.length = 0;
    const name = await fail();
    await expect.poll(() => mail.received.length, soon).toBe(1);
    const text = mail.received[0] ?? '';
    expect(text).toContain('From: Kontor <kontor@beispiel.de>');
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(Buffer.from(text.split('\r\n\r\n').slice(1).join('')).toString()).toMatch(/import/);
    expect(text).toMatch(/Message-ID: <\w{24}@beispiel\.de>/);
    await expect.poll(async () => (await newest('E-Mail'))?.state, soon).toBe('sent');
    expect((await newest('E-Mail'))?.title).toBe(`Fehlgeschlagen: Import „${name}“`);
    expect(mail.received).toHaveLength(1);
  });

  it('a mail server that is down delays nothing in Kontor; the e-mail goes out when it is back, also after a restart', async () => {
    const { port } = mail;
    await mail.close();
    const before = (await kontor.ask(api.notifications)).total;
    const name = await fail();
    const { notifications, total } = await kontor.ask(api.notifications);
    expect([total, notifications[0]?.title]).toEqual([before + 1, `Fehlgeschlagen: Import „${name}“`]);
    await expect.poll(async () => (await newest('E-Mail'))?.tries, soon).toBe(1);
    expect(await newest('E-Mail')).toMatchObject({
      state: 'waiting',
      message: expect.stringContaining('nicht erreichbar'),
      nextAt: expect.any(String),
    });
    mail = await smtpServer(certificate, { port });
    if (databaseUrl === undefined) return;
    await kontor.close();
    await pass(databaseUrl);
    kontor = await start();
    await expect.poll(() => mail.received.length, soon).toBe(1);
    await expect.poll(async () => (await newest('E-Mail'))?.state, soon).toBe('sent');
  });

  it('the daily summary waits for its hour in German time and contains everything', async () => {
    await save({ choices: { failed: 'digest' } });
    mail.received.length = 0;
    const names = [await fail(), await fail()];
    // 05:00 UTC in March is 6 o'clock in Germany; the summary is due at 7.
    await save({ choices: { failed: 'digest' } });
    await new Promise((resolve) => {
      setTimeout(resolve, 800);
    });
    expect(mail.received).toEqual([]);
    clock.time = new Date('2026-03-10T06:00:01Z');
    await save({ choices: { failed: 'digest' } });
    await expect.poll(() => mail.received.length, soon).toBe(1);
    const text = mail.received[0] ?? '';
    expect(text).toMatch(/Subject: .*Tageszusammenfassung: 2/);
    await expect.poll(async () => (await newest('Tageszusammenfassung'))?.state, soon).toBe('sent');
    expect(
      (await deliveries()).filter(({ channel, state }) => channel === 'Tageszusammenfassung' && state === 'sent'),
    ).toHaveLength(2);
    for (const name of names) expect(text).toContain(name);
    await save({ choices: { failed: 'none' } });
  });

  it('notifications beyond the size of one summary follow in a second one at once', async () => {
    await save({ choices: { failed: 'digest' } });
    mail.received.length = 0;
    const company = (await kontor.ask(api.session)).company.id;
    const all = Array.from({ length: 1001 }, (_, n) => ({
      company,
      id: `viele-${n}`,
      event: 'failed' as const,
      title: `Lauf ${n}`,
      text: '',
      path: '/',
    }));
    const [last, ...others] = all;
    if (last === undefined) throw new Error('unreachable: there are 1001');
    await kontor.database.company(company, async (trx) => {
      await insertRows(trx, 'notifications', others).execute();
      const waiting = others.map(({ id, event, title }) => ({
        company,
        id: `tag-${id}`,
        notification: id,
        channel: 'digest',
        event,
        title,
        state: 'waiting' as const,
      }));
      await insertRows(trx, 'deliveries', waiting).execute();
      await addNotification(trx, company, last);
    });
    const waits = () =>
      kontor.database.company(company, (trx) =>
        trx
          .selectFrom('jobs')
          .select('result')
          .where((eb) => eb.and({ company, kind: 'digest', state: 'queued' }))
          .executeTakeFirst(),
      );
    await expect.poll(async () => (await waits())?.result, soon).toContain('due');
    clock.time = new Date('2026-03-11T06:00:01Z');
    await save({ choices: { failed: 'digest' } });
    await expect.poll(() => mail.received.length, soon).toBe(2);
    expect(mail.received.map((text) => /Tageszusammenfassung: [\d.]+/.exec(text)?.[0])).toEqual([
      'Tageszusammenfassung: 1000',
      'Tageszusammenfassung: 1',
    ]);
    await save({ choices: { failed: 'none' } });
  });

  it('only administrators see and change the notification settings', async () => {
    const viewer = await kontor.ask(api.createToken, { body: { name: 'lesen', role: 'editor' } });
    for (const path of ['/api/notifications/mail', '/api/notifications/webhooks', '/api/notifications/deliveries'])
      expect((await kontor.raw(path, { as: viewer.token })).status).toBe(403);
  });
});
