import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, opened } from '../../stages/feed/assignment-page.ts';
import { errorsOf, expectNoAxeFindings, expectNoSidewaysScroll, openStage, type Stage } from '../../stages/browser.ts';
import { importFile, masterWith, runExport } from '../../stages/kontor.ts';
import { sftpServer, type SftpServer } from '../../servers/sftp-server.ts';

const wares = (count: number, price = '10,00') =>
  [
    'sku;titel;preis',
    ...Array.from({ length: count }, (_, index) => `A-${index + 1};Ware ${index + 1};${price}`),
    '',
  ].join('\n');

describe('delivery', () => {
  let stage: Stage;
  let server: SftpServer;
  beforeAll(async () => {
    stage = await openStage();
    server = await sftpServer();
  }, 180_000);
  afterAll(async () => {
    await stage.close();
    await server.close();
  });

  it('DIF-01 DIF-02 HDR-06 the percentages show only with an action; the form is saved and shows server errors', async () => {
    const { id } = await catalogue(stage.kontor, wares(20));
    const page = await opened(stage, `/exports/${id}/einstellungen`);
    const form = page.getByRole('form', { name: 'Prüfung neuer Stände' });
    const negative = form.getByRole('combobox', { name: 'Aktion bei negativer Differenz' });
    await expect.poll(() => negative.count()).toBe(0);
    await form.getByRole('combobox', { name: 'Aktion bei Differenz' }).selectOption('block_send');
    await negative.selectOption('10');
    await form.getByRole('combobox', { name: 'Aktion bei postiver Differenz' }).selectOption('100');
    const sent = page.waitForRequest('**/difference');
    await form.getByRole('button', { name: 'Speichern' }).click();
    expect((await sent).headers()['content-type']).toContain('multipart/form-data');
    await page.getByText('Gespeichert', { exact: true }).first().waitFor();
    expect((await stage.kontor.ask(api.exportDifference, { params: { id } })).settings).toEqual({
      action_on_difference: 'block_send',
      neg_difference: 10,
      pos_difference: 100,
    });
    await page.route('**/difference', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'busy', message: 'Gerade überlastet.', requestId: 'x' } }),
      }),
    );
    await form.getByRole('button', { name: 'Speichern' }).click();
    await form.getByRole('alert').getByText('Gerade überlastet.').waitFor();
    await expect.poll(() => form.getByRole('button', { name: 'Speichern' }).isEnabled()).toBe(true);
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
  });

  it('GEN-05 leaving the difference form or the upload unsaved asks first, also after a save that failed', async () => {
    const { id } = await catalogue(stage.kontor, wares(3));
    const page = await opened(stage, `/exports/${id}/einstellungen`);
    const guard = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    const stay = async () => {
      await page.getByRole('link', { name: 'Übersicht', exact: true }).first().click();
      await guard.getByRole('button', { name: 'Weiter bearbeiten' }).click();
      await guard.waitFor({ state: 'detached' });
    };
    const difference = page.getByRole('form', { name: 'Prüfung neuer Stände' });
    const action = difference.getByRole('combobox', { name: 'Aktion bei Differenz' });
    await action.selectOption('block_send');
    await stay();
    await expect.poll(() => action.inputValue()).toBe('block_send');
    await page.route('**/difference', (route) => route.abort());
    await difference.getByRole('button', { name: 'Speichern' }).click();
    await difference.getByRole('alert').getByText('Ihre Änderungen stehen noch im Formular.').waitFor();
    await stay();
    await expect.poll(() => action.inputValue()).toBe('block_send');
    await page.unroute('**/difference');
    await difference.getByRole('button', { name: 'Speichern' }).click();
    await difference.getByText('Ungespeicherte Änderungen').waitFor({ state: 'detached' });

    const upload = page.getByRole('form', { name: 'Übertragung' });
    await upload.getByRole('switch', { name: 'Datei automatisch übertragen' }).check({ force: true });
    await upload.getByRole('textbox', { name: 'Benutzername' }).fill('kanal');
    await stay();
    await upload.getByRole('button', { name: 'Speichern' }).click();
    await upload.getByRole('alert').getByText('Bitte geben Sie „Host“ an.').waitFor();
    await upload.getByRole('alert').getByText('Bitte geben Sie „Passwort“ an.').waitFor();
    await stay();
    await expect.poll(() => upload.getByRole('textbox', { name: 'Benutzername' }).inputValue()).toBe('kanal');
    await upload.getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => upload.getByRole('textbox', { name: 'Benutzername' }).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => upload.getByRole('textbox', { name: 'Benutzername' }).inputValue()).toBe('kanal');
    await upload.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByRole('link', { name: 'Übersicht', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
  });

  it('FTP-01 a second save before the page has loaded the first keeps the password just entered', async () => {
    const { id } = await catalogue(stage.kontor, wares(3));
    const page = await opened(stage, `/exports/${id}/einstellungen`);
    const form = page.getByRole('form', { name: 'Übertragung' });
    const field = (name: string) => form.getByRole('textbox', { name });
    await form.getByRole('switch', { name: 'Datei automatisch übertragen' }).check({ force: true });
    await field('Host').fill('sftp.kanal.example');
    await field('Benutzername').fill('kanal');
    await form.getByLabel('Passwort', { exact: false }).first().fill('geheim');
    await field('Zielverzeichnis').fill('/');
    await field('Dateiname').fill('a.csv');
    const held = Promise.withResolvers<void>();
    await page.route('**/einstellungen.data*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await form.getByRole('button', { name: 'Speichern' }).click();
    await form.getByText('Ungespeicherte Änderungen').waitFor({ state: 'detached' });
    await form.getByText('Gespeichert. Leer lassen, um es zu behalten.').waitFor();
    await field('Dateiname').fill('b.csv');
    await form.getByRole('button', { name: 'Speichern' }).click();
    const stored = async () => (await stage.kontor.ask(api.upload, { params: { id } })).settings.filename;
    await expect.poll(stored).toBe('b.csv');
    held.resolve();
    expect(errorsOf(page)).toEqual([]);
  });

  it('GEN-05 a stale difference form shows what both users changed, field by field', async () => {
    const { id } = await catalogue(stage.kontor, wares(3));
    const page = await opened(stage, `/exports/${id}/einstellungen`);
    const form = page.getByRole('form', { name: 'Prüfung neuer Stände' });
    await stage.kontor.ask(api.saveExportDifference, {
      params: { id },
      body: { action_on_difference: 'send_notification', neg_difference: 20, pos_difference: 0 },
    });
    await form.getByRole('combobox', { name: 'Aktion bei Differenz' }).selectOption('block_send');
    await form.getByRole('combobox', { name: 'Aktion bei postiver Differenz' }).selectOption('50');
    await form.getByRole('button', { name: 'Speichern' }).click();
    const dialog = page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
    const choice = dialog.getByRole('radiogroup', { name: 'Aktion bei Differenz' });
    await choice.getByRole('radio', { name: /„Benachrichtigung senden“/ }).check();
    await dialog.getByRole('button', { name: 'Beide übernehmen' }).click();
    await dialog.waitFor({ state: 'detached' });
    const settings = async () => (await stage.kontor.ask(api.exportDifference, { params: { id } })).settings;
    await expect
      .poll(settings)
      .toEqual({ action_on_difference: 'send_notification', neg_difference: 20, pos_difference: 50 });
  });

  it('DIF-03 a held-back file shows its losses and reasons, is released with a reason, and an older one restored', async () => {
    const masterid = await masterWith(stage.kontor, wares(20), { key: 'sku' });
    const { id } = await stage.kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv' } },
    });
    await runExport(stage.kontor, id);
    await stage.kontor.ask(api.saveExportDifference, {
      params: { id },
      body: { action_on_difference: 'block_send', neg_difference: 10, pos_difference: 0 },
    });
    await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: wares(12, '11,00') });
    expect((await runExport(stage.kontor, id)).run.state).toBe('blocked');
    const page = await opened(stage, `/exports/${id}`);
    await page.getByRole('alert').getByText('8 Artikel (40 %) entfallen').waitFor();
    await page.getByText('20 → 12 Artikel: 8 entfallen, 0 neu, 12 geändert.').waitFor();
    await page.getByText('A-20', { exact: true }).first().waitFor();
    await page
      .getByRole('row', { name: /preis 10[.,]00 11[.,]00/ })
      .first()
      .waitFor();
    await expectNoAxeFindings(page);
    await page.getByRole('textbox', { name: 'Begründung' }).fill('Auslaufware');
    await page.getByRole('button', { name: 'Trotzdem freigeben' }).click();
    await page.getByRole('row', { name: /^2 .*wird ausgeliefert/ }).waitFor();
    await page.getByRole('button', { name: 'Datei 1: Wieder ausliefern' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Begründung' }).fill('doch zu früh');
    await dialog.getByRole('button', { name: 'Wieder ausliefern' }).click();
    await page.getByRole('row', { name: /^1 .*wird ausgeliefert/ }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('GEN-05 an older file that could not be restored is reported, also if its dialog was closed meanwhile', async () => {
    const { id, masterid } = await catalogue(stage.kontor, wares(3));
    await runExport(stage.kontor, id);
    await importFile(stage.kontor, masterid, { name: 'a.csv', bytes: wares(3, '11,00') });
    await runExport(stage.kontor, id);
    const page = await opened(stage, `/exports/${id}`);
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    const requests: string[] = [];
    await page.route('**/files/1/publish', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      requests.push(route.request().url());
      await promise;
      return route.abort();
    });
    await page.getByRole('button', { name: 'Datei 1: Wieder ausliefern' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Begründung' }).fill('doch zu früh');
    await dialog.getByRole('button', { name: 'Wieder ausliefern' }).click();
    await expect.poll(() => requests.length).toBe(1);
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'detached' });
    letGo();
    await page.getByRole('alert').getByText('Fehler beim Wiederherstellen').waitFor({ timeout: 5000 });
  });

  it('FTP-01 FTP-02 FTP-03 the upload is enabled, its server checked and confirmed, saved, and disabled without losing settings', async () => {
    const { id } = await catalogue(stage.kontor, wares(3));
    const page = await opened(stage, `/exports/${id}/einstellungen`);
    const form = page.getByRole('form', { name: 'Übertragung' });
    await expect.poll(() => form.getByRole('textbox', { name: 'Host' }).count()).toBe(0);
    await form.getByRole('switch', { name: 'Datei automatisch übertragen' }).check({ force: true });
    for (const name of ['Host', 'Port', 'Benutzername', 'Zielverzeichniss Server', 'Dateiname Server'])
      await expect
        .poll(() => form.getByRole('textbox', { name }).getAttribute('required'), { message: name })
        .not.toBeNull();
    await expect.poll(() => form.getByRole('textbox', { name: 'Port' }).getAttribute('placeholder')).toBe('22');
    await expect
      .poll(() => form.getByRole('textbox', { name: 'Zielverzeichniss' }).getAttribute('placeholder'))
      .toBe('/eingang');
    await expect
      .poll(() => form.getByRole('textbox', { name: 'Dateiname' }).getAttribute('placeholder'))
      .toBe('datei.csv');
    const host = form.getByRole('textbox', { name: 'Host' });
    const isWrong = () => host.getAttribute('aria-invalid');
    await form.getByRole('button', { name: 'Verbindung prüfen' }).click();
    await form.getByText('Bitte geben Sie „Host“ an.').waitFor();
    await expect
      .poll(async () => [await isWrong(), await page.evaluate('document.activeElement.name')])
      .toEqual(['true', 'host']);
    await host.fill('127.0.0.1');
    await expect.poll(() => isWrong()).not.toBe('true');
    const port = form.getByRole('textbox', { name: 'Port' });
    await port.pressSequentially('2,5');
    await form.getByText('Bitte eine ganze Zahl eingeben.').waitFor();
    await port.fill('');
    expect(await port.inputValue()).toBe('');
    await port.fill(String(server.port));
    await form.getByRole('textbox', { name: 'Benutzername' }).fill('kanal');
    await form.getByLabel('Passwort', { exact: false }).first().fill('geheim');
    await form.getByRole('textbox', { name: 'Dateiname' }).fill('datei.csv');
    await form.getByRole('button', { name: 'Verbindung prüfen' }).click();
    await page.getByText('Verbindungsfehler: Der Schlüssel des Servers ist noch nicht bestätigt.').waitFor();
    await expectNoAxeFindings(page);
    await form.getByRole('button', { name: 'Fingerabdruck bestätigen' }).click();
    await form.getByText('Die Verbindung steht').waitFor();
    await form.getByRole('textbox', { name: 'Zielverzeichniss' }).fill('/eingagn');
    await form.getByText('„eingagn“ ist nicht darunter.').waitFor();
    await form.getByRole('button', { name: 'eingang', exact: true }).click();
    await form.getByText('ist nicht darunter').waitFor({ state: 'detached' });
    await expect.poll(() => form.getByRole('textbox', { name: 'Zielverzeichniss' }).inputValue()).toBe('eingang');
    await expectNoAxeFindings(page);
    await form.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert. Leer lassen, um es zu behalten.').waitFor();
    // A stored secret is not used for another host: the form asks for it again, at once and at its field.
    await host.fill('anderer.example');
    await form.getByText('Bitte neu eingeben: Das gespeicherte gilt für einen anderen Server oder Benutzer.').waitFor();
    await host.fill('127.0.0.1');
    await page.getByText('Gespeichert. Leer lassen, um es zu behalten.').waitFor();
    const window = await opened(stage, `/exports/${id}`);
    await window.getByRole('button', { name: 'Export starten' }).click();
    const uploads = window.getByRole('region', { name: 'Letzte Übertragungen' }).last();
    await uploads.getByText('Datei 1 übertragen nach 127.0.0.1/eingang/datei.csv.').waitFor();
    await uploads.getByText('fertig').waitFor();
    await form.getByRole('switch', { name: 'Datei automatisch übertragen' }).uncheck({ force: true });
    await form.getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(async () => (await stage.kontor.ask(api.upload, { params: { id } })).settings.active).toBe(false);
    expect(await stage.kontor.ask(api.upload, { params: { id } })).toMatchObject({
      passSet: true,
      settings: { active: false, host: '127.0.0.1', user: 'kanal' },
    });
  });
});
