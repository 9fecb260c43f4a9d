import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addNotification } from '#notifications/notifications.ts';
import { api } from '#shared/http/api.ts';
import type { MailSave } from '#shared/notifications/schema.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { mailSettings } from '../../stages/mail-stage.ts';
import { deliveriesOf, newestDelivery } from '../../stages/notifications/deliveries.ts';
import { selfSigned, smtpServer, type SmtpServer } from '../../servers/smtp-server.ts';
import { webhookReceiver } from '../../servers/webhook-receiver.ts';

const soon = { timeout: 20_000 };

describe('no delivery fails unnoticed', () => {
  const certificate = selfSigned();
  const trusted = tls.getCACertificates('default');
  const clock = { time: new Date('2026-03-12T05:00:00Z'), now: () => clock.time };
  let kontor: TestKontor;
  let company: string;
  let mail: SmtpServer;
  let hook: Awaited<ReturnType<typeof webhookReceiver>>;
  beforeAll(async () => {
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    kontor = await testKontor({}, { clock });
    company = (await kontor.ask(api.session)).company.id;
    mail = await smtpServer(certificate);
    hook = await webhookReceiver();
  });
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    await kontor.close();
    await mail.close();
    hook.close();
  });

  const settings = (more: Partial<MailSave> = {}) => mailSettings(mail, more);
  const save = (more: Partial<MailSave> = {}) => kontor.ask(api.saveMailSettings, { body: settings(more) });
  const deliveries = () => deliveriesOf(kontor);
  const newest = (channel: string) => newestDelivery(kontor, channel);
  /** Notifies the company of a failed run; `then` runs before that is committed. */
  const tell = (id: string, then?: () => Promise<void>) =>
    kontor.database.company(company, async (trx) => {
      await addNotification(trx, company, { id, event: 'failed', title: `Lauf ${id}`, text: '', path: '/' });
      await then?.();
    });

  it('a recipient that the server refuses is named in the trial, the list and a daily notification', async () => {
    const recipients = ['chefin@beispiel.de', 'unbekannt@beispiel.de'];
    const tried = await kontor.ask(api.testMail, { body: settings({ recipients }) });
    expect([tried.success, tried.error]).toEqual([false, expect.stringContaining('„unbekannt@beispiel.de“')]);
    expect(mail.recipients.at(-1)).toEqual(['chefin@beispiel.de']);
    await save({ recipients });
    mail.received.length = 0;
    await tell('eins');
    await expect.poll(() => mail.received.length, soon).toBe(1);
    await expect.poll(async () => (await newest('E-Mail'))?.state, soon).toBe('sent');
    expect(await newest('E-Mail')).toMatchObject({
      title: 'Lauf eins',
      message: expect.stringContaining('„unbekannt@beispiel.de“') as string,
    });
    const notices = async () =>
      (await kontor.ask(api.notifications)).notifications.filter(({ title }) => title === 'Nicht zugestellt: E-Mail');
    expect(await notices()).toEqual([
      expect.objectContaining({ text: expect.stringContaining('Die übrigen haben die Nachricht') as string }),
    ]);
    await tell('zwei');
    await expect.poll(() => mail.received.length, soon).toBe(2);
    await expect.poll(async () => (await newest('E-Mail'))?.state, soon).toBe('sent');
    expect(await notices()).toHaveLength(1);
    await save();
  });

  it('a notification written while the summary is sent is in that summary or the next one', async () => {
    // The embedded database runs transactions one after the other.
    if (kontor.database.embedded) return;
    await save({ choices: { failed: 'digest' } });
    mail.received.length = 0;
    clock.time = new Date('2026-03-12T05:59:56Z');
    await tell('davor');
    const planned = () =>
      kontor.database.company(company, (trx) =>
        trx
          .selectFrom('jobs')
          .select('result')
          .where((eb) => eb.and({ company, kind: 'digest', state: 'queued' }))
          .executeTakeFirst(),
      );
    await expect.poll(async () => (await planned())?.result, soon).toContain('due');
    await tell('zugleich', async () => {
      clock.time = new Date('2026-03-12T06:00:01Z');
      await wait(8000);
    });
    await expect.poll(() => mail.received.join('\n'), soon).toContain('Lauf davor');
    await expect.poll(() => mail.received.join('\n'), soon).toContain('Lauf zugleich');
    await save({ choices: { failed: 'none' } });
  }, 60_000);

  it('a summary whose hour passed during a pause is sent right after it, not a day later', async () => {
    await save({ choices: { failed: 'digest' } });
    mail.received.length = 0;
    clock.time = new Date();
    await kontor.ask(api.pauseJobs, { body: { paused: true } });
    await tell('nachts');
    await kontor.database.company(company, (trx) =>
      trx
        .updateTable('notifications')
        .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
        .where((eb) => eb.and({ company, id: 'nachts' }))
        .execute(),
    );
    await kontor.ask(api.pauseJobs, { body: { paused: false } });
    await expect.poll(() => mail.received.join('\n'), soon).toContain('Lauf nachts');
    await save({ choices: { failed: 'none' } });
  }, 60_000);

  it('a delivery that the operator cancels before its next attempt is dropped', async () => {
    await save({ choices: { failed: 'none' } });
    hook.answer = 500;
    const body = { name: 'Warenwirtschaft', url: hook.url, events: ['failed' as const], active: true };
    await kontor.ask(api.createWebhook, { body });
    await tell('drei');
    await expect.poll(async () => (await newest('Warenwirtschaft'))?.tries, soon).toBe(1);
    const id = (await newest('Warenwirtschaft'))?.id ?? '';
    await kontor.ask(api.cancelJob, { params: { company, id } });
    expect((await deliveries()).find((one) => one.id === id)).toMatchObject({
      state: 'dropped',
      message: 'Vom Betreiber abgebrochen, bevor es zugestellt war.',
    });
  });
});
