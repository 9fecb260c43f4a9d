import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { catalogue } from '../../stages/feed/assignment-page.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openPage,
  openStage,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { runExport, settled } from '../../stages/kontor.ts';
import { sftpServer } from '../../servers/sftp-server.ts';

/** Keeps a picture of the page for a look at it, if a folder for such pictures is named. */
async function printedTo(page: Page, name: string): Promise<void> {
  const folder = process.env['KONTOR_PRINTED'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe('what an export page says about the last run', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('a run with warnings is not simply finished: the page lists them, and its history has all of them', async () => {
    const { id } = await catalogue(stage.kontor);
    const row = (exportfield: string, value: string) =>
      ConstructionRow.parse({ id: value, exportfield, field: [{ type: '_field', value, caption: '' }] });
    const body = [row('sku', 'sku'), row('price', 'preis'), row('', 'titel')];
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body });
    expect((await runExport(stage.kontor, id)).run).toMatchObject({ state: 'done', warnings: { length: 2 } });
    const page = await openPage(stage, `/exports/${id}`);
    const notes = page.getByRole('region', { name: 'Hinweise zum letzten Lauf' });
    await notes.getByText(/Quellen, die es nicht \(mehr\) gibt: Feld „preis“/).waitFor();
    await notes.getByText('Eine Zeile hat keinen Namen').waitFor();
    const runs = page.getByRole('region', { name: 'Letzte Läufe' }).last();
    for (const place of [page.getByRole('banner').or(page.locator('main')), runs])
      await place.getByText('fertig mit Hinweisen').first().waitFor();
    const second = runs.getByText('Quellen, die es nicht (mehr) gibt');
    expect(await second.isVisible()).toBe(false);
    await runs.getByText('+ 1 weiterer').press('Enter');
    await second.waitFor();
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    await printedTo(page, 'warnings');
    expect(errorsOf(page)).toEqual([]);
  });

  it('FTP-04 a file that did not reach the channel is said in the head of the export and on Übertragung', async () => {
    const server = await sftpServer();
    onTestFinished(() => server.close());
    const { id } = await catalogue(stage.kontor);
    await runExport(stage.kontor, id);
    // The server's host key is not confirmed: an upload fails at once and permanently.
    const place = { host: '127.0.0.1', port: server.port, user: 'kanal', dir: '/eingang', filename: 'datei.csv' };
    const save = (active: boolean) =>
      stage.kontor.ask(api.saveUpload, { params: { id }, body: { active, pass: 'geheim', ...place } });
    await save(true);
    const upload = async () => {
      const { runid } = await stage.kontor.ask(api.uploadNow, { params: { id } });
      return (await settled(stage.kontor, runid)).state;
    };
    const page = await openPage(stage, `/exports/${id}/uebertragung`);
    await page.getByRole('heading', { name: 'Datensätze 5' }).waitFor();
    expect(await upload()).toBe('failed');
    const notice = page.getByRole('alert').filter({ hasText: 'Die Datei wurde nicht übertragen' });
    await notice.getByText('Der Schlüssel des Servers ist noch nicht bestätigt').waitFor();
    await expectNoAxeFindings(page);
    await printedTo(page, 'transfer');
    await notice.getByRole('link', { name: 'Server und Zugang prüfen' }).click();
    await page.getByRole('textbox', { name: 'Host' }).waitFor();
    await page.goBack();
    await notice.getByRole('link', { name: 'Übertragungen ansehen und erneut versuchen' }).click();
    const uploads = page.getByRole('region', { name: 'Letzte Übertragungen' }).last();
    await uploads.getByRole('button', { name: 'Erneut versuchen' }).waitFor();
    const chip = page.getByRole('main').getByRole('link', { name: 'nicht übertragen' });
    await chip.waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await expectNoAxeFindings(page);
    await printedTo(page, 'export');
    await chip.click();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await save(false);
    await visit(page, `/exports/${id}`);
    await uploads.waitFor();
    expect(await chip.count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });
});
