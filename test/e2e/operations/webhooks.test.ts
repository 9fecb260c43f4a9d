import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { MailSave } from '#shared/notifications/schema.ts';
import type { NotificationEvent } from '#shared/live/schema.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { mailSettings } from '../../stages/mail-stage.ts';
import { deliveriesOf, failImport, newestDelivery } from '../../stages/notifications/deliveries.ts';
import { selfSigned, smtpServer, type SmtpServer } from '../../servers/smtp-server.ts';
import { webhookReceiver } from '../../servers/webhook-receiver.ts';

const soon = { timeout: 20_000 };

describe('webhooks', () => {
  const clock = { time: new Date('2026-03-10T05:00:00Z'), now: () => clock.time };
  let kontor: TestKontor;
  let mail: SmtpServer;
  let hook: Awaited<ReturnType<typeof webhookReceiver>>;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock });
    mail = await smtpServer(selfSigned());
    hook = await webhookReceiver();
  });
  afterAll(async () => {
    await kontor.close();
    await mail.close();
    hook.close();
  });

  const save = (more: Partial<MailSave> = {}) => kontor.ask(api.saveMailSettings, { body: mailSettings(mail, more) });
  const deliveries = () => deliveriesOf(kontor);
  const newest = (channel: string) => newestDelivery(kontor, channel);
  const fail = () => failImport(kontor);
  /** Makes waiting attempts due, as if their minutes had passed. */
  const pass = () =>
    kontor.database.system(
      async (trx) => void (await pg`update jobs set not_before = null where kind = 'deliver'`.execute(trx)),
    );

  const addHook = async (events: NotificationEvent[] = ['failed'], url = hook.url) =>
    kontor.ask(api.createWebhook, { body: { name: 'Warenwirtschaft', url, events, active: true } });

  it('T17 the secret of a webhook is bound to its server: a webhook on another server gets a new one', async () => {
    const { id, secret } = await addHook([]);
    const change = (url: string) =>
      kontor.ask(api.saveWebhook, { params: { id }, body: { name: 'Warenwirtschaft', url, events: [], active: true } });
    expect(await change(`${hook.url}/anderer-pfad`)).toEqual({ ok: true });
    const moved = await change(hook.url.replace('127.0.0.1', 'localhost'));
    expect(moved.secret).toMatch(/^\S{20,}$/);
    expect(moved.secret).not.toBe(secret);
    const heard = hook.heard.length;
    expect(await kontor.ask(api.testWebhook, { params: { id } })).toEqual({ success: true, error: '' });
    const { headers, body } = hook.heard[heard] ?? { headers: {}, body: '' };
    const signed = `${String(headers['x-kontor-timestamp'])}.${body}`;
    expect(headers['x-kontor-signature']).toBe(
      `sha256=${createHmac('sha256', moved.secret ?? '')
        .update(signed)
        .digest('hex')}`,
    );
    await kontor.ask(api.deleteWebhook, { params: { id } });
    hook.heard.length = 0;
  });

  it('a webhook receives events as signed messages; its secret is shown once', async () => {
    const { id, secret } = await addHook();
    expect(JSON.stringify(await kontor.ask(api.webhooks))).not.toContain(secret);
    expect(await kontor.ask(api.testWebhook, { params: { id } })).toEqual({ success: true, error: '' });
    const name = await fail();
    await expect.poll(() => hook.heard.length, soon).toBe(2);
    for (const { headers, body } of hook.heard) {
      const time = String(headers['x-kontor-timestamp']);
      expect(time).toBe(String(Math.floor(clock.time.getTime() / 1000)));
      const expected = createHmac('sha256', secret).update(time).update('.').update(body).digest('hex');
      expect(headers['x-kontor-signature']).toBe(`sha256=${expected}`);
    }
    const [first, second] = hook.heard.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(first).toMatchObject({ event: 'test' });
    expect(Object.keys(second ?? {}).toSorted()).toEqual([
      'company',
      'createdAt',
      'event',
      'id',
      'path',
      'text',
      'title',
    ]);
    expect(second).toMatchObject({
      event: 'failed',
      title: `Fehlgeschlagen: Import „${name}“`,
      company: 'Meine Firma',
    });
    const renewed = await kontor.ask(api.renewWebhookSecret, { params: { id } });
    expect(renewed.secret).not.toBe(secret);
    await kontor.ask(api.deleteWebhook, { params: { id } });
    expect((await kontor.ask(api.webhooks)).webhooks).toEqual([]);
  });

  it('a receiver that answers 500 is retried; after the eighth try a notice appears in Kontor only', async () => {
    hook.answer = 500;
    hook.heard.length = 0;
    const { id } = await addHook(['failed', 'undelivered']);
    expect((await kontor.ask(api.testWebhook, { params: { id } })).error).toContain('HTTP-Status 500');
    await fail();
    await expect.poll(async () => (await newest('Warenwirtschaft'))?.tries, soon).toBe(1);
    expect(await newest('Warenwirtschaft')).toMatchObject({
      state: 'waiting',
      message: expect.stringContaining('500'),
    });
    hook.answer = 302;
    expect((await kontor.ask(api.testWebhook, { params: { id } })).error).toContain('leitet weiter');
    if (kontor.database.embedded) return;
    hook.answer = 500;
    const open = async () =>
      (await deliveries()).find(({ title, channel }) => title !== 'Testnachricht' && channel === 'Warenwirtschaft');
    for (let tries = 2; tries <= 8; tries++) {
      await pass();
      // Saving wakes the workers, so there is no wait for their next poll.
      await save({ choices: { failed: 'none' } });
      await expect.poll(async () => (await open())?.tries, soon).toBe(tries);
    }
    expect(await open()).toMatchObject({ state: 'failed', message: expect.stringContaining('8-mal versucht') });
    const [notice] = (await kontor.ask(api.notifications)).notifications;
    expect(notice).toMatchObject({ event: 'undelivered', title: 'Nicht zugestellt: Webhook „Warenwirtschaft“' });
    hook.answer = 200;
    const count = hook.heard.length;
    await fail();
    await expect.poll(() => hook.heard.length, soon).toBe(count + 1);
  });

  it('SSRF: a webhook to an internal address is refused when it is stored, and when it is called', async () => {
    for (const url of ['http://169.254.169.254/latest', 'http://10.0.0.1/', 'ftp://beispiel.de/', 'kein Ort']) {
      const answer = await kontor.raw('/api/notifications/webhooks', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'x', url, events: [], active: true }),
      });
      expect([url, answer.status]).toEqual([url, 422]);
    }
    if (kontor.database.embedded) return;
    const { id } = await addHook();
    await kontor.database.system(
      async (trx) => void (await pg`update webhooks set url = 'http://10.0.0.1/' where id = ${id}`.execute(trx)),
    );
    // Its secret belongs to the former address, so nothing is sent; the egress's tests show that no message reaches an internal
    // address.
    const called = await kontor.raw(pathOf(api.testWebhook, { id }), { method: 'POST' });
    expect([called.status, await called.text()]).toEqual([422, expect.stringContaining('type_secret_again')]);
  });
});
