import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, berlinDay, formatDate, formatWeekday } from '#client/ui/text/days.ts';
import { expectNoAxeFindings, type PageOptions, type Stage, openPage } from '../../stages/browser.ts';
import { cellsOf, loaded, openDashboardStage } from '../../stages/repricer/dashboard-stage.ts';

const markup = '<img src=x onerror="alert(1)"> & <b>Aktion</b>';

describe('notes on competitors', () => {
  let stage: Stage;
  let address: string;
  const today = berlinDay(new Date());
  const ago = (days: number) => addDays(today, -days);
  beforeAll(async () => {
    ({ stage, address } = await openDashboardStage());
  }, 180_000);
  afterAll(() => stage.close());

  const open = (query = '', options?: PageOptions) => openPage(stage, `${address}${query}`, options);
  const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

  it('RDA-09 a note is saved, survives a failed save, and is shown as text in list, chart and table', async () => {
    const page = await open();
    await loaded(page);
    await page.getByRole('button', { name: 'Notiz hinzufügen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notiz hinzufügen' });
    await dialog.getByRole('textbox', { name: 'Datum' }).fill('31.2.2026');
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.getByText('Bitte den Tag als TT.MM.JJJJ angeben.').waitFor();
    await dialog.getByText('Bitte schreiben Sie etwas.').waitFor();
    await expectNoAxeFindings(page);
    await dialog.getByRole('textbox', { name: 'Datum' }).fill(formatDate(ago(1)));
    await dialog.getByLabel('Notiz').fill(markup);
    await page.route('**/api/notes/', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503, body: 'kaputt' }) : route.continue(),
    );
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/nicht erreichbar/)
      .waitFor();
    // Neither the failure nor closing the dialog removes what was typed.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.unroute('**/api/notes/');
    await page.getByRole('button', { name: 'Notiz hinzufügen' }).click();
    expect(await dialog.getByLabel('Notiz').inputValue()).toBe(markup);
    await dialog.getByRole('button', { name: 'Speichern' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('status').getByText('Notiz gespeichert').waitFor();
    await page.getByRole('list', { name: 'Notizen zum Zeitraum' }).getByText(markup, { exact: true }).waitFor();
    await page.getByRole('application').focus();
    await page.keyboard.press('n');
    const said = page.getByText(`${formatWeekday(ago(1))}: Unter Mindestpreis: auf Mindestpreis 0. Notiz: ${markup}`);
    await said.waitFor({ state: 'attached' });
    await page.locator('canvas').locator('xpath=../..').getByText(`Notiz: ${markup}`).waitFor();
    await page.getByText('Als Tabelle anzeigen').click();
    expect((await cellsOf(page, formatWeekday(ago(1)))).at(-1)).toBe(markup);
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await tab(page, 'BuyBox Anteil je Rang').click();
    await page.getByRole('heading', { name: 'Verlauf' }).waitFor();
    await loaded(page);
    await page.getByRole('application').first().focus();
    await page.keyboard.press('n');
    await page
      .getByText(new RegExp(`^${formatDate(ago(1))}, \\d\\d:\\d\\d: rang 1 .*Notiz: `))
      .waitFor({ state: 'attached' });
    const remove = page.getByRole('button', { name: `Notiz vom ${formatDate(ago(1))} löschen` });
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Diese Notiz wirklich löschen?' });
    await question.getByText(markup, { exact: true }).waitFor();
    await page.route('**/api/notes/*', (route) => route.abort());
    await question.getByRole('button', { name: 'Löschen' }).click();
    await question.getByRole('alert').waitFor();
    await page.unroute('**/api/notes/*');
    await question.getByRole('button', { name: 'Löschen' }).click();
    await page.getByText(/^Keine Notiz zu/).waitFor();
    expect(await page.getByText(markup, { exact: true }).count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Notiz hinzufügen');
  });
});
