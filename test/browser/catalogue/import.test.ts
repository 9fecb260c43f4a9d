import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../../../seed/catalogue.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { importFile } from '../../stages/kontor.ts';

const csv = (text: string, name = 'artikel.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describe('the import screen', () => {
  let stage: Stage;
  let folder: string;
  beforeAll(async () => {
    stage = await openStage({ KONTOR_IMPORT_GB: String(120 / 1024) });
    folder = await mkdtemp(join(tmpdir(), 'kontor-browser-'));
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  const newMaster = async () => (await stage.kontor.ask(api.createMaster, { body: { name: 'Katalog' } })).masterid;
  const open = async (masterid: string): Promise<Page> => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/import`);
    return page;
  };
  const start = (page: Page) => page.getByRole('button', { name: 'Import starten' }).click();
  const result = (page: Page) => page.getByRole('region', { name: 'Letztes Ergebnis' });

  it('an uploaded file becomes items; the result says how it was read and what became of every row', async () => {
    const page = await open(await newMaster());
    await expect.poll(() => page.getByRole('button', { name: 'Import starten' }).isDisabled()).toBe(true);
    await page
      .locator('input[type=file]')
      .setInputFiles(
        csv(
          'Werkzeug;2026;alle\nsku;titel;preis\nA-1;Hammer;12,50\nA-2;Säge;zu;viel\nA-1;Hammer neu;13\nA-3;Beil;9,90\n',
        ),
      );
    await page.getByText('artikel.csv').waitFor();
    await page.getByText('Erweitert: Format selbst festlegen').click();
    const skipped = page.getByRole('textbox', { name: 'Zeilen überspringen' });
    await skipped.pressSequentially('1,5');
    await page.getByText('Erweitert: Format selbst festlegen').click();
    await start(page);
    await page.getByText('Bitte eine ganze Zahl eingeben.').waitFor();
    expect(await skipped.inputValue()).toBe('1,5');
    await skipped.fill('');
    await skipped.fill('1');
    await page.getByRole('combobox', { name: 'Schlüsselfeld' }).fill('sku');
    await start(page);
    await result(page).getByText('4 Zeilen gelesen').waitFor();
    // The form is cleared, so that the next upload does not send this file again.
    const source = page.getByRole('form', { name: 'Quelle' });
    await expect.poll(() => source.getByText('artikel.csv').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Import starten' }).isDisabled()).toBe(true);
    const words = await result(page).innerText();
    for (const part of ['fertig', '2 übernommen', '1 doppelt', '1 abgelehnt', 'Trennzeichen', '1 Zeile davor'])
      expect(words).toContain(part);

    const rejected = page.getByRole('region', { name: 'Nicht übernommene Zeilen' });
    const wrong = rejected.getByRole('row', { name: /abgelehnt/ });
    await expect.poll(() => wrong.innerText()).toMatch(/^\s*4\s+abgelehnt\s+Die Zeile hat 4 Zellen/);
    await expect.poll(() => wrong.innerText()).toContain('A-2;Säge;zu;viel');
    await rejected.getByRole('row', { name: /doppelt/ }).waitFor();

    await page.getByText('Schlüsselfeld ist „sku“').waitFor();
    await page.getByRole('row', { name: /^preis Preis 100\s% / }).waitFor();
    await page.getByText(/^2\sArtikel, Stand vom \d\d\.\d\d\.20\d\d, \d\d:\d\d$/).waitFor();
    expect(errorsOf(page)).toEqual([]);
    await expectNoAxeFindings(page);
  });

  it('GEN-06 a file that is chosen before hydration is kept', async () => {
    const page = await stage.openPage();
    await signIn(page);
    const masterid = await newMaster();
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/master/${masterid}/import`, { waitUntil: 'commit' });
    await page.locator('input[type=file]').setInputFiles(csv('sku\nA-1\n'));
    held.resolve();
    await start(page);
    await result(page).getByText('1 Zeile gelesen').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('a file that cannot be read is explained; file and options stay in the form', async () => {
    const page = await open(await newMaster());
    await page.locator('input[type=file]').setInputFiles(csv('', 'leer.csv'));
    await page.getByText('Erweitert: Format selbst festlegen').click();
    await page.getByRole('combobox', { name: 'Schlüsselfeld' }).fill('sku');
    await start(page);
    await result(page).getByRole('alert').getByText('Die Datei ist leer.').waitFor();
    await page.getByRole('form', { name: 'Quelle' }).getByText('leer.csv').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Schlüsselfeld' }).inputValue()).toBe('sku');
    await expect.poll(() => page.getByRole('button', { name: 'Import starten' }).isEnabled()).toBe(true);
  });

  it('GEN-05 a failed upload is shown, logged, and keeps the form', async () => {
    const page = await open(await newMaster());
    await page.locator('input[type=file]').setInputFiles(csv('sku\nA-1\n'));
    await page.context().setOffline(true);
    await start(page);
    await page.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Hochladen'))).toBe(true);
    await page.context().setOffline(false);
    await start(page);
    await result(page).getByText('1 Zeile gelesen').waitFor();
  });

  it('GEN-05 an upload that fails while the user is on another page is reported there', async () => {
    const page = await open(await newMaster());
    const held = Promise.withResolvers<void>();
    await page.route('**/api/masters/*/import', async (route) => {
      await held.promise;
      await route.abort();
    });
    await page.locator('input[type=file]').setInputFiles(csv('sku\nA-1\n'));
    const asked = page.waitForRequest('**/api/masters/*/import');
    await start(page);
    await asked;
    await page.getByRole('link', { name: 'Übersicht' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    held.resolve();
    await page.getByRole('alert').getByText('Fehler beim Hochladen').waitFor();
  });

  it('an address that does not answer is explained and stays in the form', async () => {
    const page = await open(await newMaster());
    await page.getByText('Adresse', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Adresse der Datei' }).fill('http://127.0.0.1:9/artikel.csv');
    await start(page);
    await result(page).getByRole('alert').getByText('Der Import ist fehlgeschlagen').waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Adresse der Datei' }).inputValue())
      .toContain('127.0.0.1:9');
  });

  it('a file larger than the limit is not sent, and the limit is named', async () => {
    const file = join(folder, 'riesig.csv');
    await writeFile(file, 'sku\n');
    await truncate(file, 120 * 1024 ** 2 + 1);
    const page = await open(await newMaster());
    const source = page.getByRole('form', { name: 'Quelle' });
    await source.getByText(/bis 120 MB, auch entpackt/).waitFor();
    await page.locator('input[type=file]').setInputFiles(file);
    await source.getByRole('alert').filter({ hasText: 'größer als 120 MB' }).waitFor();
    expect(await page.getByRole('button', { name: 'Import starten' }).isDisabled()).toBe(true);
    await source.getByRole('button', { name: 'Entfernen' }).click();
    await expect.poll(() => source.getByRole('alert').count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('a running import shows how far it is and can be cancelled', async () => {
    const file = join(folder, 'gross.csv');
    await pipeline(Readable.from(catalogueCsv(80_000)), createWriteStream(file));
    const masterid = await newMaster();
    const page = await open(masterid);
    await page.locator('input[type=file]').setInputFiles(file);
    await start(page);
    const running = page.getByRole('region', { name: 'Import läuft' });
    // The file is first uploaded, in pieces.
    await running.getByRole('progressbar').waitFor({ timeout: 60_000 });
    await page.getByText('Es läuft schon ein Import').waitFor();
    await running.getByRole('button', { name: 'Abbrechen' }).click();
    await result(page).getByText('abgebrochen', { exact: true }).waitFor();
    expect((await stage.kontor.ask(api.master, { params: { masterid } })).snapshot).toBeNull();
  });

  it('a held-back import is released with a reason and takes effect', async () => {
    const { kontor } = stage;
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'a.csv', bytes: [...catalogueCsv(200)].join('') });
    await importFile(kontor, masterid, { name: 'b.csv', bytes: [...catalogueCsv(10)].join('') });
    const page = await open(masterid);
    const notice = page.getByRole('alert').filter({ hasText: 'Dieser Stand wartet auf Ihre Freigabe' });
    await notice.getByText('nur noch 10 von 200 Artikeln').waitFor();
    await expect.poll(() => result(page).innerText()).toContain('10 warten auf Freigabe');
    await page
      .getByRole('region', { name: 'Aufbewahrte Stände' })
      .getByRole('row', { name: /b\.csv.*wartet auf Freigabe/ })
      .waitFor();
    await expect.poll(() => notice.getByRole('button', { name: 'Freigeben' }).isDisabled()).toBe(true);
    await notice.getByRole('textbox', { name: 'Begründung' }).fill('Sortiment gekürzt');
    await notice.getByRole('button', { name: 'Freigeben' }).click();
    await page.getByText(/^10\sArtikel, Stand vom/).waitFor();
    await result(page).getByText('fertig', { exact: true }).waitFor();
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(10);
  });

  it('a held-back import can still be released after a later one failed, and not after a later one was accepted', async () => {
    const { kontor } = stage;
    const masterid = await newMaster();
    const bytes = (items: number) => [...catalogueCsv(items)].join('');
    await importFile(kontor, masterid, { name: 'a.csv', bytes: bytes(200) });
    await importFile(kontor, masterid, { name: 'b.csv', bytes: bytes(10) });
    await importFile(kontor, masterid, { name: 'leer.csv', bytes: '' });
    const page = await open(masterid);
    const notice = page.getByRole('alert').filter({ hasText: 'Dieser Stand wartet auf Ihre Freigabe' });
    await notice.getByText('nur noch 10 von 200 Artikeln').waitFor();
    await notice.getByText(/^Angehalten wurde er am .* Die Läufe danach brachten keinen neueren Stand/).waitFor();
    await notice.getByRole('textbox', { name: 'Begründung' }).fill('Sortiment gekürzt');
    await importFile(kontor, masterid, { name: 'c.csv', bytes: bytes(190) });
    await notice.getByRole('button', { name: 'Freigeben' }).click();
    await page.getByText('Inzwischen ist ein neuerer Stand in Kraft').waitFor();
    await page.reload();
    await page.getByText(/^190\sArtikel, Stand vom/).waitFor();
    expect(await notice.count()).toBe(0);
    const states = page.getByRole('region', { name: 'Aufbewahrte Stände' });
    await states.getByRole('row', { name: /b\.csv.*überholt/ }).waitFor();
  });

  it('a held-back import can be discarded after a confirmation; the old state stays', async () => {
    const { kontor } = stage;
    const masterid = await newMaster();
    await importFile(kontor, masterid, { name: 'a.csv', bytes: [...catalogueCsv(200)].join('') });
    await importFile(kontor, masterid, { name: 'b.csv', bytes: [...catalogueCsv(10)].join('') });
    const page = await open(masterid);
    await page.getByLabel('Begründung').fill('Doch nicht');
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    const question = page.getByRole('dialog', { name: 'Diesen Stand verwerfen?' });
    await question.getByRole('button', { name: 'Abbrechen' }).click();
    await expect.poll(() => page.getByLabel('Begründung').inputValue()).toBe('Doch nicht');
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await question.getByRole('button', { name: 'Verwerfen' }).click();
    await result(page).getByText('verworfen', { exact: true }).waitFor();
    await page.getByText(/^200\sArtikel, Stand vom/).waitFor();
    await expect.poll(() => result(page).innerText()).toContain('10 verworfen');
  });
});
