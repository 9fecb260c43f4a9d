import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { csvOf } from '../../stages/feed/pieces.ts';

const MB = 1024 ** 2;
/** Five pieces. Only their bytes matter here: few rows of long texts are uploaded like many rows, and imported sooner. */
const file = csvOf(33 * MB, 100);
const items = (file.toString().split('\n').length - 2).toLocaleString('de-DE');

describe('large files on the import screen', () => {
  let stage: Stage;
  let folder: string;
  let path: string;
  beforeAll(async () => {
    stage = await openStage();
    folder = await mkdtemp(join(tmpdir(), 'kontor-pieces-'));
    path = join(folder, 'artikel.csv');
    await writeFile(path, file);
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Opens the import screen of a new catalogue on a connection that breaks after this number of pieces; returns the offsets of
   * the accepted pieces. Chromium itself breaks it: if the test intercepted the requests, every byte would pass through the test.
   */
  const open = async (pieces: number) => {
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name: 'Katalog' } });
    const page = await stage.openPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable', { maxPostDataSize: 1 });
    const cutBehind = (count: number) =>
      session.send('Network.setBlockedURLs', { urls: [`*/pieces?offset=${count * 8 * MB}&*`] });
    const mend = () => session.send('Network.setBlockedURLs', { urls: [] });
    await cutBehind(pieces);
    const line = { cutBehind, mend, offsets: [] as number[] };
    page.on('response', (answer) => {
      const { pathname, searchParams } = new URL(answer.url());
      if (pathname.endsWith('/pieces') && answer.status() === 200)
        line.offsets.push(Number(searchParams.get('offset')));
    });
    await signIn(page);
    await visit(page, `/master/${masterid}/import`);
    return { page, masterid, line };
  };
  const start = async (page: Page) => {
    await page.locator('input[type=file][accept]').setInputFiles(path);
    await page.getByRole('button', { name: 'Import starten' }).click();
  };
  /** Waits until the remaining pieces are sent, and everything is imported. */
  const done = (page: Page) =>
    page
      .getByRole('region', { name: 'Letztes Ergebnis' })
      .getByText(`${items} Zeilen gelesen`)
      .waitFor({ timeout: 60_000 });
  const unfinished = (page: Page) => page.getByRole('region', { name: 'Angefangene Übertragungen' });

  it('a broken connection is shown, retried by itself, and the upload continues where it was', async () => {
    const { page, line } = await open(2);
    await start(page);
    await page
      .getByText(
        /^Die Verbindung ist unterbrochen\. Was angekommen ist, bleibt; Kontor versucht es von selbst wieder\.$/,
      )
      .waitFor();
    await page.getByText(/^16,8\sMB von 34,6\sMB$/).waitFor();
    await expectNoAxeFindings(page);
    await page.context().setOffline(true);
    await line.mend();
    await page.getByText(/in 4\sSekunden/).waitFor();
    // The browser reports that the connection is back: the remaining time is not waited for.
    await page.context().setOffline(false);
    await done(page);
    expect(line.offsets).toEqual([...new Set(line.offsets)].toSorted((a, b) => a - b));
    expect(await unfinished(page).count()).toBe(0);
  });

  it('after a reload an unfinished upload is shown, and continues only with the same file', async () => {
    const { page, line } = await open(2);
    await start(page);
    await page.getByText(/^Die Verbindung ist unterbrochen/).waitFor();
    await page.reload();
    await unfinished(page)
      .getByText(/artikel\.csv: 16,8\sMB von 34,6\sMB sind angekommen\. Wählen Sie die Datei noch einmal/)
      .waitFor();
    await expectNoAxeFindings(page);
    await line.mend();
    const choose = async (chosen: string) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: '„artikel.csv“ fortsetzen' }).click();
      await (await chooser).setFiles(chosen);
    };
    const other = join(folder, 'andere.csv');
    await writeFile(other, 'sku\n1\n');
    await choose(other);
    await page.getByRole('alert').getByText('Das ist nicht dieselbe Datei').waitFor();
    await choose(path);
    await done(page);
    expect(line.offsets.slice(0, 3)).toEqual([0, 8 * MB, 16 * MB]);
    expect(await unfinished(page).count()).toBe(0);
  });

  it('a stopped upload can be discarded, and choosing its file again continues it', async () => {
    const { page, line, masterid } = await open(1);
    await start(page);
    await page.getByText(/^Die Verbindung ist unterbrochen/).waitFor();
    await page.getByRole('form', { name: 'Quelle' }).getByRole('button', { name: 'Abbrechen' }).click();
    await unfinished(page)
      .getByText(/8,4\sMB von 34,6\sMB/)
      .waitFor();
    await line.cutBehind(2);
    await page.getByRole('button', { name: 'Import starten' }).click();
    await page.getByText(/^Die Verbindung ist unterbrochen/).waitFor();
    expect(line.offsets).toEqual([0, 8 * MB]);
    await page.getByRole('form', { name: 'Quelle' }).getByRole('button', { name: 'Abbrechen' }).click();
    await page.getByRole('button', { name: '„artikel.csv“ verwerfen' }).click();
    await expectNoAxeFindings(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => unfinished(page).count()).toBe(0);
    expect(await stage.kontor.ask(api.importUploads, { params: { masterid } })).toEqual([]);
    expect(errorsOf(page).filter((text) => !text.includes('ERR_BLOCKED_BY_CLIENT'))).toEqual([]);
  });
});
