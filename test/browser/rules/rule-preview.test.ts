import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsOf, openStage, type Stage } from '../../stages/browser.ts';
import { openRules, pickField, rule } from '../../stages/feed/rule-page.ts';

describe('the preview of rules', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const operator = (page: Page) => page.getByRole('combobox', { name: 'Bedingung 1: Operator' });
  const operand = (page: Page) => page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true });
  const setTitle = () =>
    rule('Titel', { action: { field: 'titel', select: 'set', value: [{ type: '_string', value: 'x' }] } });

  it('RUL-11 RUL-12 the preview computes the unsaved rules and shows their items; the CSV is safe', async () => {
    const { page, stored } = await openRules(stage, [setTitle()]);
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), 'marke');
    await operator(page).selectOption('is_equal');
    await operand(page).fill('Wolf');
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Feld' }), 'Alle Felder');
    await page.getByRole('button', { name: 'Berechne Regel' }).click();
    await page.getByText('vorher 4 → nachher 2 (−2)').waitFor();
    expect((await stored())[0]?.querys[0]?.field).toBe('@ALL@');
    const grid = page.getByRole('region', { name: 'Betroffene Artikel' });
    await expect.poll(() => grid.getByRole('row').count()).toBe(3);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Zeilen je Seite' }).getByRole('option').allInnerTexts())
      .toEqual(['10 je Seite', '25 je Seite', '50 je Seite', '100 je Seite']);
    const arrived = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Als CSV exportieren' }).click();
    const csv = await readFile((await (await arrived).path()) ?? '', 'utf8');
    expect(csv).toContain("'=SUMME(A1)");
    expect(csv).toContain(';"-3"');
    await page.getByRole('button', { name: 'Schließen' }).click();
    await grid.waitFor({ state: 'detached' });
    await operand(page).fill('BOSCH');
    await page.getByText('Sie haben die Regeln seither geändert.').waitFor();
  });

  it('RUL-11 a preview that fails is logged and shown', async () => {
    const { page } = await openRules(stage, [setTitle()]);
    await page.route('**/api/rule/statistic/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Berechne Regel' }).click();
    await page.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).join()).toContain('Fehler beim Laden der Daten:');
    await page.unroute('**/api/rule/statistic/**');
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByText('→ nachher').waitFor();
  });

  it('RUL-11 a newer preview request aborts the older one', async () => {
    const { page } = await openRules(stage, [setTitle()]);
    const ended: Request[] = [];
    page.on('requestfailed', (request) => ended.push(request));
    const older = page.waitForRequest('**/api/rule/statistic/**');
    let asked = 0;
    await page.route('**/api/rule/statistic/**', async (route) => {
      asked += 1;
      // The first answer never arrives.
      if (asked > 1) await route.continue();
    });
    await page.getByRole('button', { name: 'Berechne Regel' }).click();
    await page.getByLabel('wird berechnet').waitFor();
    // The same query is not sent twice.
    await expect.poll(() => page.getByRole('button', { name: 'Berechne Regel' }).isDisabled()).toBe(true);
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Feld' }), 'Alle Felder');
    await page.getByRole('button', { name: 'Berechne Regel' }).click();
    await page.getByText('vorher 4 → nachher 0 (−4)').waitFor();
    expect(ended).toContain(await older);
    expect(errorsOf(page).join()).not.toContain('Fehler');
    await expect.poll(() => page.getByLabel('wird berechnet').count()).toBe(0);
  });
});
