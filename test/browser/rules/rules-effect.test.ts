import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { openRules, pickField, rule } from '../../stages/feed/rule-page.ts';

describe('live effect of a rule', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const panel = (page: Page) => page.getByRole('region', { name: 'Wirkung', exact: true });
  const flow = (page: Page) =>
    panel(page)
      .getByText(/kommen an/)
      .first();
  const sample = (page: Page, id: string) =>
    panel(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: id, exact: true }) });
  const operand = (page: Page) => page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true });
  const bosch = (value = 'BOSCH') =>
    rule('Bosch', {
      query: { field: 'marke', value },
      action: { field: 'titel', select: 'append', value: [{ type: '_string', value: ' rot' }] },
    });

  it('RUL-11 counts, chart and examples follow the input, without a click and without saving', async () => {
    const { page, stored } = await openRules(stage, [bosch()]);
    await panel(page).getByText('2 geändert').waitFor();
    await expect.poll(() => flow(page).locator('..').innerText()).toMatch(/4\s+kommen an\s+→\s+4\s+gehen weiter/);
    await expect.poll(() => sample(page, 'A-1').getByRole('insertion').innerText()).toBe(' rot');
    await expect.poll(() => sample(page, 'A-1').getByRole('definition').last().innerText()).toBe('Hammer rot');

    await operand(page).fill('Wolf');
    await sample(page, 'A-3').waitFor();
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Feld' }), 'Alle Felder');
    await panel(page).getByText('2 ausgeschlossen').waitFor();
    await sample(page, 'A-3').getByText('ausgeschlossen').waitFor();
    await expect.poll(() => sample(page, 'A-3').getByRole('deletion').first().innerText()).toBe('Säge');
    expect((await stored())[0]?.querys[0]?.value).toBe('BOSCH');
    expect(errorsOf(page)).toEqual([]);
  });

  it('RUL-11 a changed number is marked as removed and added as a whole', async () => {
    const { page } = await openRules(stage, [
      rule('Preis', {
        query: { field: 'preis', select: 'is_greater_than', value: '10' },
        action: {
          field: 'preis',
          select: 'calculate',
          selecttyp: 'calculate',
          actionOperator: 'multiply',
          value: [
            { type: '_field', value: 'preis' },
            { type: '_number', value: '2' },
          ],
        },
      }),
    ]);
    await sample(page, 'A-1').waitFor();
    await expect.poll(() => sample(page, 'A-1').getByRole('deletion').innerText()).toBe('12,50');
    await expect.poll(() => sample(page, 'A-1').getByRole('insertion').innerText()).toBe('25.00');
  });

  it('RUL-11 each condition shows how far it narrows the items down; no match has a reason', async () => {
    const { page } = await openRules(stage, [bosch()]);
    const condition = (number: number) => page.getByRole('group', { name: `Bedingung ${number}`, exact: true });
    await condition(1).getByText('2 von 4 Artikeln').waitFor();
    await page.getByRole('button', { name: 'und: Bedingung hinzufügen' }).click();
    await pickField(page.getByRole('combobox', { name: 'Bedingung 2: Feld' }), 'titel');
    await page.getByRole('textbox', { name: 'Bedingung 2: Wert', exact: true }).fill('g');
    await condition(2).getByText('1 bleibt übrig (allein träfe sie 2)').waitFor();
    await page.getByRole('textbox', { name: 'Bedingung 2: Wert', exact: true }).fill('Xylophon');
    await condition(2).getByText('0 bleiben übrig').waitFor();
    await panel(page)
      .getByText(/Xylophon/)
      .waitFor();
    await expect.poll(() => panel(page).getByRole('link').count()).toBe(0);
  });

  it('RUL-11 typing sends one request after a pause, a newer one aborts the older; a name sends none', async () => {
    const { page } = await openRules(stage, [bosch()]);
    await panel(page).getByText('2 geändert').waitFor();
    let asked = 0;
    const ended: string[] = [];
    page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname));
    await page.route('**/api/rule/effect/**', async (route) => {
      asked += 1;
      if (asked > 1) await route.continue();
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Anders');
    await operand(page).fill('');
    await operand(page).pressSequentially('Wol', { delay: 50 });
    await expect.poll(() => asked).toBe(1);
    // The first answer never arrives; known counts stay visible.
    await panel(page).getByText('wird berechnet …').waitFor();
    await panel(page).getByText('2 geändert').waitFor();
    await operand(page).fill('Wolf');
    await sample(page, 'A-3').waitFor();
    expect(asked).toBe(2);
    expect(ended.filter((path) => path.includes('/effect/'))).toHaveLength(1);
    expect(errorsOf(page).join()).not.toContain('Fehler');
  });

  it('RUL-11 a failure is shown next to the old numbers, logged, and can be retried; the layout stays', async () => {
    const { page } = await openRules(stage, [bosch()]);
    await sample(page, 'A-1').waitFor();
    const tops = () =>
      Promise.all(
        [page.getByRole('group', { name: 'Aktionen' }), panel(page), sample(page, 'A-1')].map(
          async (place) => (await place.boundingBox())?.y,
        ),
      );
    const before = await tops();
    await page.route('**/api/rule/effect/**', (route) => route.abort());
    await operand(page).fill('BOSC');
    await panel(page).getByText('Der Server ist nicht erreichbar').waitFor();
    await expect.poll(() => panel(page).getByText('2 geändert').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(errorsOf(page).join()).toContain('Fehler beim Laden der Daten:');
    await page.unroute('**/api/rule/effect/**');
    await panel(page).getByRole('button', { name: 'Erneut versuchen' }).click();
    await panel(page).getByText('Der Server ist nicht erreichbar').waitFor({ state: 'detached' });
    expect(await tops()).toEqual(before);
  });

  it('an example links to its item, in an export with that export', async () => {
    const { page, masterid } = await openRules(stage, [bosch()]);
    await expect
      .poll(() => sample(page, 'A-1').getByRole('link').getAttribute('href'))
      .toMatch(new RegExp(`^/master/${masterid}/artikel/A-1(/erklaerung)?$`));
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop' } });
    await stage.kontor.ask(api.saveRules, { params: { masterid: id }, body: [bosch()] });
    await visit(page, `/exports/${id}/regeln`);
    await expect
      .poll(() => sample(page, 'A-1').getByRole('link').getAttribute('href'))
      .toMatch(new RegExp(`^/master/${masterid}/artikel/A-1(/erklaerung)?\\?export=${id}$`));
  });

  it('GEN-03 a paused rule is computed as if it were active, and says so', async () => {
    const { page } = await openRules(stage, [{ ...bosch(), active: false }]);
    await panel(page).getByText('2 geändert').waitFor();
    await panel(page).getByText('gerechnet wird, als wäre sie aktiv').waitFor();
  });

  it.each([
    ['light', 1600],
    ['dark', 1600],
    ['light', 320],
  ] as const)('axe finds nothing in the panel (%s, %i px wide)', async (scheme, width) => {
    const { page } = await openRules(stage, [bosch(), rule('Weg', { query: { field: 'marke', value: 'Wolf' } })], {
      scheme,
      width,
    });
    await sample(page, 'A-1').waitFor();
    await expectNoAxeFindings(page);
    await page
      .getByRole('navigation', { name: 'Regeln, von oben nach unten' })
      .getByRole('link', { name: 'Weg' })
      .click();
    await sample(page, 'A-3').getByText('ausgeschlossen').waitFor();
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
  });
});
