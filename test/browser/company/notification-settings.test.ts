import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { addMember } from '../../stages/add-member.ts';
import { signedIn } from '../../stages/client.ts';
import { selfSigned, smtpServer, type SmtpServer } from '../../servers/smtp-server.ts';

const path = '/einstellungen/benachrichtigungen';
const colleague = { email: 'kollegin@beispiel.de', password: 'Kranich-Segel-Ofen-27' };

describe('notification settings', () => {
  const trusted = tls.getCACertificates('default');
  const certificate = selfSigned();
  const receiver = createServer((request, response) => void response.writeHead(204).end());
  let stage: Stage;
  let mail: SmtpServer;
  let url: string;
  beforeAll(async () => {
    stage = await openStage();
    await addMember(stage.kontor, { ...colleague, name: 'Kollegin', role: 'admin' });
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    mail = await smtpServer(certificate);
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', () => resolve());
    });
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  }, 180_000);
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    await stage.close();
    await mail.close();
    receiver.close();
  });

  const open = async (options: PageOptions = {}): Promise<Page> => {
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, path);
    return page;
  };

  /** Stores a mail server, so that its fields are shown. */
  const storeMailServer = () =>
    stage.kontor.ask(api.saveMailSettings, {
      body: {
        active: true,
        host: 'mail.beispiel.de',
        user: '',
        sender: 'kontor@beispiel.de',
        recipients: ['chef@beispiel.de'],
      },
    });

  it('a mail server is entered, tested and saved; a wrong password is reported in German; leaving asks first', async () => {
    const page = await open();
    await page.getByText('Noch kein Webhook.').waitFor();
    await page.getByLabel('Benachrichtigungen auch per E-Mail senden').check();
    await page.getByLabel('Mailserver').fill('127.0.0.1');
    await page.getByLabel('Verschlüsselung').selectOption({ label: 'TLS von Anfang an (meist Port 465)' });
    await expect.poll(() => page.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('465');
    await page.getByLabel('Verschlüsselung').selectOption({ label: 'STARTTLS (meist Port 587)' });
    await page.getByRole('textbox', { name: 'Port' }).fill(String(mail.port));
    await page.getByLabel('Absender').fill('kontor@beispiel.de');
    await page.getByLabel('Benutzer', { exact: true }).fill('post');
    await page.getByRole('textbox', { name: 'Passwort' }).fill('falsch');
    await page.getByRole('button', { name: 'Testmail senden' }).click();
    await page
      .getByRole('alert')
      .getByText(/mindestens einen Empfänger/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Empfänger' }).fill('chefin@beispiel.de, lager@beispiel.de');
    await page.getByRole('button', { name: 'Testmail senden' }).click();
    await page.getByText('lehnt die Anmeldung ab').waitFor();
    await page.getByRole('textbox', { name: 'Passwort' }).fill('geheim');
    await page.getByRole('button', { name: 'Testmail senden' }).click();
    await page.getByText('Die Testmail ist angenommen').waitFor();
    expect(mail.recipients).toEqual([['chefin@beispiel.de', 'lager@beispiel.de']]);
    await page.getByLabel('Starke Abweichung').selectOption({ label: 'sofort' });
    await page.getByRole('link', { name: 'Übersicht' }).click();
    await page.getByRole('dialog', { name: 'Änderungen speichern?' }).waitFor();
    await page.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Gespeichert. Leer lassen').waitFor();
    await expect.poll(() => page.getByText('Ungespeicherte Änderungen').count()).toBe(0);
    await expect.poll(() => page.getByRole('textbox', { name: 'Passwort' }).inputValue()).toBe('');
    const { settings } = await stage.kontor.ask(api.mailSettings);
    expect(settings).toMatchObject({ active: true, port: mail.port, choices: { deviation: 'now' } });
    await expectNoAxeFindings(page);
    expect(errorsOf(page).filter((text) => !text.includes('422') && !text.includes('Fehler beim Starten'))).toEqual([]);
  });

  it("GEN-05 another administrator's save is shown next to the own changes, and both can be applied", async () => {
    await storeMailServer();
    const page = await open();
    const other = await signedIn(() => stage.kontor.url, colleague);
    const { settings } = await other.ask(api.mailSettings);
    await other.ask(api.saveMailSettings, {}, { ...settings, password: '', digestHour: 9 });
    await page.getByLabel('Absender').fill('post@beispiel.de');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
    await dialog
      .getByRole('region', { name: 'Ihre Änderungen' })
      .getByText(/Absender/)
      .waitFor();
    const theirs = dialog.getByRole('region', { name: /^Änderungen von Kollegin, \d\d\.\d\d\.\d{4}, \d\d:\d\d$/ });
    await theirs.getByText(/Tageszusammenfassung um/).waitFor();
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Beide übernehmen' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Gespeichert', { exact: true }).last().waitFor();
    expect((await stage.kontor.ask(api.mailSettings)).settings).toMatchObject({
      sender: 'post@beispiel.de',
      digestHour: 9,
    });
  });

  it('GEN-05 a save that is never answered ends after its limit: what was typed stays, and saving again works', async () => {
    await storeMailServer();
    const page = await stage.openPage();
    await page.clock.install();
    await signIn(page);
    await visit(page, path);
    let asked = 0;
    // Neither answered nor refused, so the browser waits.
    await page.route('**/api/notifications/mail', (route) =>
      route.request().method() === 'POST' ? void asked++ : route.continue(),
    );
    await page.getByLabel('Absender').fill('stumm@beispiel.de');
    const button = page.getByRole('button', { name: 'Speichern', exact: true });
    await button.click();
    await expect.poll(() => asked).toBe(1);
    // The clock also runs by itself, a few seconds on a busy machine.
    await page.clock.fastForward(45_000);
    expect(await page.getByText('nicht rechtzeitig geantwortet').count()).toBe(0);
    await page.clock.fastForward(16_000);
    await page
      .getByRole('alert')
      .getByText(/nicht rechtzeitig geantwortet; ob er gespeichert hat, ist nicht bekannt/)
      .waitFor();
    await expect.poll(() => page.getByLabel('Absender').inputValue()).toBe('stumm@beispiel.de');
    await page.getByText('Ungespeicherte Änderungen').first().waitFor();
    await page.unroute('**/api/notifications/mail');
    await button.click();
    await page.getByText('Gespeichert', { exact: true }).last().waitFor();
    expect((await stage.kontor.ask(api.mailSettings)).settings.sender).toBe('stumm@beispiel.de');
  });

  it('a webhook is created, shows its secret once, is tested, changed and deleted; the log has the outcomes', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Webhook anlegen' }).click();
    const form = page.getByRole('dialog');
    await form.getByText('Öffentlich erreichbar, mit https://.', { exact: true }).waitFor();
    await form.getByLabel('Name').fill('Warenwirtschaft');
    await form.getByLabel('Adresse').fill('http://10.0.0.1/');
    await form.getByRole('button', { name: 'Anlegen' }).click();
    await form.getByText('Diese Adresse ist nicht erlaubt').waitFor();
    await form.getByLabel('Adresse').fill(url);
    await form.getByLabel('Starke Abweichung').uncheck();
    await form.getByRole('button', { name: 'Anlegen' }).click();
    await expect
      .poll(async () => (await form.getByLabel('Geheimnis', { exact: true }).inputValue()).length)
      .toBeGreaterThan(40);
    await expectNoAxeFindings(page);
    await form.getByRole('button', { name: 'Fertig' }).click();
    await page.getByRole('button', { name: 'Test senden Warenwirtschaft' }).click();
    await page.getByText('Der Empfänger hat die Testnachricht angenommen.').waitFor();
    const log = page.getByRole('region', { name: 'Letzte Zustellungen' }).last();
    await log.getByRole('cell', { name: 'Warenwirtschaft' }).waitFor();
    await page.getByRole('button', { name: 'Bearbeiten Warenwirtschaft' }).click();
    await expect.poll(() => form.getByLabel('Starke Abweichung').isChecked()).toBe(false);
    await form.getByText(/Ein anderer Server bekommt ein neues Geheimnis\./).waitFor();
    await form.getByLabel('Name').fill('Lager');
    await form.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Löschen Lager' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen' }).click();
    await page.getByText('Noch kein Webhook.').waitFor();
    await log.getByRole('cell', { name: 'gelöschter Webhook' }).waitFor();
  });

  it('a new secret leaves what was typed about its webhook in the form', async () => {
    const body = { name: 'Alt', url, events: [], active: true };
    await stage.kontor.ask(api.createWebhook, { body });
    const page = await open();
    await page.getByRole('button', { name: 'Bearbeiten Alt' }).click();
    const form = page.getByRole('dialog', { name: 'Webhook bearbeiten' });
    await form.getByLabel('Name').fill('Neu');
    const question = page.getByRole('dialog', { name: 'Neues Geheimnis erzeugen?' });
    await form.getByRole('button', { name: 'Neues Geheimnis' }).click();
    await question.getByText('Das bisherige gilt sofort nicht mehr').waitFor();
    await question.getByRole('button', { name: 'Abbrechen' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog', { name: /^Geheimnis von/ }).count()).toBe(0);
    await form.getByRole('button', { name: 'Neues Geheimnis' }).click();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/*.data*', async (route) => {
      await released;
      await route.continue();
    });
    await question.getByRole('button', { name: 'Erzeugen' }).click();
    await page
      .getByRole('dialog', { name: /^Geheimnis von/ })
      .getByRole('button', { name: 'Fertig' })
      .click();
    expect(await form.getByLabel('Name').inputValue({ timeout: 5000 })).toBe('Neu');
    // Confirmed again while the page is still loading, it would replace the secret just shown.
    expect(await question.count()).toBe(0);
    release();
    await form.getByRole('button', { name: 'Speichern' }).click();
    await page.getByRole('button', { name: 'Bearbeiten Neu' }).waitFor();
  });

  it('GEN-05 leaving a secret that was not copied also names and saves what was typed elsewhere on the page', async () => {
    await storeMailServer();
    const page = await open();
    await page.getByLabel('Absender').fill('lager@beispiel.de');
    await page.getByRole('button', { name: 'Webhook anlegen' }).click();
    const form = page.getByRole('dialog', { name: 'Webhook anlegen' });
    await form.getByLabel('Name').fill('Ungesichert');
    await form.getByLabel('Adresse').fill(url);
    await form.getByRole('button', { name: 'Anlegen' }).click();
    const secret = page.getByRole('textbox', { name: 'Geheimnis' });
    await secret.waitFor();
    await page.locator('nav a[href="/"]').first().dispatchEvent('click');
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await question.getByText('Sie haben das Geheimnis noch nicht kopiert.').waitFor({ timeout: 5000 });
    await question.getByText('Sie haben Änderungen, die noch nicht gespeichert sind.').waitFor({ timeout: 5000 });
    await expectNoAxeFindings(page);
    await question.getByRole('button', { name: 'Speichern' }).click();
    // Saving does not throw away the secret: the question now is about it alone.
    const rest = page.getByRole('dialog', { name: 'Seite verlassen?' });
    await rest.getByText('Sie haben das Geheimnis noch nicht kopiert.').waitFor();
    expect(await rest.getByText('Sie haben Änderungen').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(path);
    expect((await stage.kontor.ask(api.mailSettings)).settings.sender).toBe('lager@beispiel.de');
    await rest.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  });

  it('fits a phone in dark mode', async () => {
    const page = await open({ width: 320, scheme: 'dark' });
    await page.getByRole('heading', { name: 'Letzte Zustellungen' }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page);
  });

  it('the port can be emptied and typed anew', async () => {
    const page = await open();
    const mails = page.getByLabel('Benachrichtigungen auch per E-Mail senden');
    if (!(await mails.isChecked())) await mails.check();
    const port = page.getByRole('textbox', { name: 'Port' });
    await port.fill('');
    expect(await port.inputValue()).toBe('');
    await port.fill('2525');
    await page.getByLabel('Mailserver').focus();
    expect(await port.inputValue()).toBe('2525');
  });
});
