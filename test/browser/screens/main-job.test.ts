import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalogueCsv } from '../../../seed/catalogue.ts';
import {
  alive,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  visit,
  type Stage,
} from '../../stages/browser.ts';
import { hasInputData, inputFile, onlyWithInputData } from '../../stages/input-data.ts';
import { admin } from '../../stages/kontor.ts';
import { pickField, saveRules } from '../../stages/feed/rule-page.ts';

type Item = Record<string, string>;
type Job = {
  file: { name: string; mimeType: string; buffer: Buffer };
  items: Item[];
  brand: string;
  title: string;
  key: string;
  chosen: string;
};

type Names = { brand: string; title: string; key: string };

/** A generated catalogue. */
function generatedJob(): Job {
  const buffer = Buffer.from([...catalogueCsv(2000)].join(''));
  return jobOf('artikel.csv', buffer, buffer, { brand: 'Marke', title: 'Titel', key: 'Artikelnummer' });
}

/** A real German catalogue, compressed. */
function realJob(): Job {
  const packed = readFileSync(inputFile('catalogues/de_udg_textil_5257.csv.gz'));
  const names = { brand: 'Hersteller', title: 'Artikelname', key: 'Hauptartikelnr' };
  return jobOf('Artikel.csv.gz', packed, gunzipSync(packed), names);
}

/** The items are parsed here by another reader than the product's. */
function jobOf(name: string, buffer: Buffer, text: Buffer, names: Names): Job {
  const items = parse(text, { delimiter: ';', columns: true, bom: true }) as Item[];
  const chosen = items.map((item) => item[names.brand] ?? '').find((value) => value !== '') ?? '';
  return { file: { name, mimeType: 'application/octet-stream', buffer }, items, ...names, chosen };
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage.close());

it('a new user is guided from an empty company to the first file in at most 25 clicks', async () => {
  const { file, items } = generatedJob();
  const page = await stage.openPage({ width: 320 });
  let clicks = 0;
  const click = async (locator: Locator) => {
    clicks++;
    await locator.click();
  };
  const strip = page.getByRole('navigation', { name: 'Erste Schritte' });
  const next = (label: string) => strip.locator('[aria-current=step]', { hasText: label }).waitFor();
  const goOn = async (label: string) => {
    await next(label);
    await click(strip.getByRole('paragraph').filter({ hasText: 'Als Nächstes:' }).getByRole('link', { name: label }));
  };
  await page.goto('/');
  await page.getByLabel('E-Mail').fill(admin.email);
  await page.getByLabel('Passwort', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
  await alive(page);
  await next('Katalog anlegen');
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await goOn('Katalog anlegen');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Mein Sortiment');
  await click(page.getByRole('dialog').getByRole('button', { name: 'Anlegen' }));
  await next('Datei importieren');
  // Choosing a file takes a click here and two in the browser's own dialog.
  clicks += 3;
  await page.locator('input[type=file]').setInputFiles(file);
  await click(page.getByRole('button', { name: 'Import starten' }));
  await goOn('Artikel ansehen');
  await page.getByRole('heading', { name: '2.000 Datensätze' }).waitFor();
  await expectNoAxeFindingsInBoth(page);

  await goOn('Export anlegen');
  const dialog = page.getByRole('dialog', { name: 'Export anlegen' });
  await click(dialog.getByRole('radio', { name: 'Google Shopping' }));
  await click(dialog.getByRole('button', { name: 'Anlegen' }));
  await next('Felder zuordnen');
  await click(page.getByRole('button', { name: 'Alle ab 80 % übernehmen' }));
  await click(page.getByRole('button', { name: 'Sichern' }));
  await goOn('Datei holen');
  await click(page.getByRole('button', { name: 'Export starten' }));
  const link = page.getByRole('link', { name: 'Herunterladen' });
  await link.waitFor({ timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), click(link)]);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text.match(/<item>/g)?.length).toBe(items.length);
  await strip.waitFor({ state: 'detached' });
  expect(clicks).toBeLessThanOrEqual(25);
}, 180_000);

const jobs = [
  { kind: 'generated', absent: false, makeJob: generatedJob },
  { kind: `real (${onlyWithInputData})`, absent: !hasInputData, makeJob: realJob },
];

for (const { kind, absent, makeJob } of jobs)
  it.skipIf(absent)(
    `a merchant signs in, imports a catalogue, writes a rule, builds fields, runs and downloads the export: ${kind}`,
    async () => {
      const job = makeJob();
      const page = await stage.openPage();
      await page.goto('/');
      await page.getByLabel('E-Mail').fill(admin.email);
      await page.getByLabel('Passwort', { exact: true }).fill(admin.password);
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await page.getByRole('heading', { name: 'Übersicht' }).waitFor();

      const masterid = await createMaster(page);
      await visit(page, `/master/${masterid}/import`);
      await page.locator('input[type=file]').setInputFiles(job.file);
      await page.getByRole('button', { name: 'Import starten' }).click();
      const count = new Intl.NumberFormat('de-DE').format(job.items.length);
      await page.getByText(`${count} Zeilen gelesen`).waitFor({ timeout: 60_000 });

      await visit(page, `/master/${masterid}/artikel`);
      await page.getByRole('heading', { name: `${count} Datensätze` }).waitFor();

      await writeRule(page, masterid, job);
      const exportid = await createExport(page, masterid);
      await buildFields(page, exportid, job);
      const rows = parse(await runAndDownload(page, exportid), {
        delimiter: ';',
        columns: true,
        record_delimiter: '\r\n',
      }) as Item[];

      expect(rows).toEqual(expectedRows(job));
    },
    180_000,
  );

/** Computes the expected rows by hand: line ends inside cells as in the file, the rule's condition ignoring case. */
function expectedRows({ items, key, title, brand, chosen }: Job): Item[] {
  return items
    .filter((item) => (item[brand] ?? '').toLowerCase() !== chosen.toLowerCase())
    .map((item) => ({ id: item[key] ?? '', title: `${item[title]} von ${item[brand]}`, shop: 'Nordkap' }));
}

async function createMaster(page: Page): Promise<string> {
  const answer = await page.request.post('/api/masters', {
    data: { name: 'Echter Katalog' },
    headers: { 'x-kontor': '1' },
  });
  return ((await answer.json()) as { masterid: string }).masterid;
}

async function createExport(page: Page, masterid: string): Promise<string> {
  const answer = await page.request.post(`/api/masters/${masterid}/exports`, {
    data: { name: 'Mein Kanal' },
    headers: { 'x-kontor': '1' },
  });
  return ((await answer.json()) as { id: string }).id;
}

/** Writes 'Wenn Hersteller entspricht X, dann schließe aus', and checks its effect before saving. */
async function writeRule(page: Page, masterid: string, { brand, chosen, items }: Job): Promise<void> {
  await visit(page, `/master/${masterid}/regeln`);
  await page.getByText('Erstellen Sie Ihre erste Regel').waitFor();
  await page.getByRole('button', { name: 'Neue Regel' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill(`Ohne ${chosen}`);
  await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), brand);
  await page.getByRole('combobox', { name: 'Bedingung 1: Operator' }).selectOption('is_equal');
  await page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true }).fill(chosen);
  await page.getByRole('switch', { name: 'Aktiv' }).click();
  await page.getByRole('button', { name: 'Berechne Regel' }).click();
  const held = items.filter((item) => (item[brand] ?? '').toLowerCase() === chosen.toLowerCase()).length;
  await page.getByText(`trifft auf ${new Intl.NumberFormat('de-DE').format(held)} Artikel zu`).waitFor();
  await saveRules(page);
}

async function buildFields(page: Page, exportid: string, { key, title, brand }: Job): Promise<void> {
  await visit(page, `/exports/${exportid}/feldaufbau?ansicht=tabelle`);
  const add = page.getByRole('button', { name: 'Neues Ausgabefeld anlegen' }).first();
  for (const [index, name] of ['id', 'title', 'shop'].entries()) {
    await add.click();
    await page
      .getByRole('textbox', { name: /Feldbezeichnung im Export$/ })
      .nth(index)
      .fill(name);
  }
  await pickField(page.getByRole('combobox', { name: 'Zeile 1: Internes Feld' }), key);
  await page.getByRole('combobox', { name: 'Zeile 2: Art des Werts' }).selectOption('combine');
  await fillPart(page, 1, { field: title });
  await fillPart(page, 2, { text: ' von ' });
  await fillPart(page, 3, { field: brand });
  await page.getByRole('combobox', { name: 'Zeile 3: Art des Werts' }).selectOption('input');
  await page.getByRole('textbox', { name: 'Zeile 3: Fester Wert' }).fill('Nordkap');
  await page.getByRole('button', { name: 'Speichern', exact: true }).click();
  await page.getByText('Daten wurden gespeichert').first().waitFor();
}

async function fillPart(page: Page, number: number, part: { field?: string; text?: string }): Promise<void> {
  const label = `Zeile 2: Teile, Teil ${number}`;
  const source = page.getByRole('combobox', { name: `${label}: Quelle` });
  if ((await source.count()) === 0) await page.getByRole('button', { name: 'Teil hinzufügen' }).click();
  await source.selectOption({ label: part.field === undefined ? 'Text' : 'Feld' });
  if (part.field === undefined) await page.getByRole('textbox', { name: label, exact: true }).fill(part.text ?? '');
  else await pickField(page.getByRole('combobox', { name: label, exact: true }), part.field);
}

async function runAndDownload(page: Page, exportid: string): Promise<string> {
  await visit(page, `/exports/${exportid}`);
  await page.getByRole('button', { name: 'Export starten' }).click();
  const link = page.getByRole('link', { name: 'Herunterladen' });
  await link.waitFor({ timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return readFileSync(await download.path(), 'utf8');
}
