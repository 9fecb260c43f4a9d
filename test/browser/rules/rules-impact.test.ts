import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { expectNoAxeFindings, expectNoSidewaysScroll, openStage, type Stage, visit } from '../../stages/browser.ts';
import { openRules, rule, saveRules } from '../../stages/feed/rule-page.ts';

describe('impact of a save, and copies to other catalogues and exports', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const impact = (page: Page) => page.getByRole('region', { name: 'Auswirkung auf Exporte' });
  const saving = (page: Page) => page.getByRole('region', { name: 'Speichern' });
  const operand = (page: Page) => page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true });
  const bosch = () => rule('Bosch', { query: { field: 'marke', value: 'Xylophon' } });

  /** Creates an export of the master with title and price, of which the price is required. */
  async function exportOf(masterid: string, name: string): Promise<string> {
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name } });
    const row = (number: number, field: string, state: 'Required' | 'Optional') => ({
      id: String(number),
      field: [{ type: '_field' as const, value: field, caption: field }],
      exportfield: field.toUpperCase(),
      mp_state: state,
      valuetype: 'field' as const,
      del_allowed: true,
      description: '',
    });
    await stage.kontor.ask(api.saveConstruction, {
      params: { projectId: id },
      body: [row(1, 'titel', 'Optional'), row(2, 'preis', 'Required')],
    });
    return id;
  }

  it('RUL-14 the impact on each export is shown next to Save, dangerous ones in words; saving does not wait for it', async () => {
    const { page, masterid, stored } = await openRules(stage, [bosch()]);
    await exportOf(masterid, 'idealo');
    await exportOf(masterid, 'eBay');
    await visit(page, page.url());
    await expect.poll(() => impact(page).count()).toBe(0);
    await operand(page).fill('Wolf');
    await impact(page).getByText('idealo: 2 Artikel fallen heraus').waitFor();
    await expect.poll(() => impact(page).getByRole('listitem').count()).toBe(2);
    await expect.poll(() => saving(page).getByText('Achtung,').count()).toBe(0);
    await operand(page).fill('o');
    await saving(page).getByText('4 von 4 Artikeln fallen heraus').waitFor();
    await page.route('**/api/rule/impact/**', () => undefined);
    await operand(page).fill('Wo');
    await impact(page).getByText('wird berechnet …').waitFor();
    await saveRules(page);
    expect((await stored())[0]?.querys[0]?.value).toBe('Wo');
  });

  it('RUL-14 a required field that becomes empty is flagged; details show fields, counts, examples and items', async () => {
    const empties = rule('Preis weg', {
      active: false,
      query: { field: 'marke', value: 'BOSCH' },
      action: { field: 'preis', select: 'set', value: [{ type: '_string', value: '' }] },
    });
    const { page, masterid } = await openRules(stage, [empties]);
    await exportOf(masterid, 'idealo');
    await visit(page, page.url());
    await page.getByRole('switch', { name: 'Aktiv' }).click();
    await impact(page).getByText('Pflichtfeld PREIS wird bei 2 leer').waitFor();
    await saving(page).getByText('Achtung, idealo: Pflichtfeld PREIS wird bei 2 Artikeln leer.').waitFor();
    await impact(page).getByRole('button', { name: 'Einzelheiten' }).click();
    const row = impact(page).getByRole('row').filter({ hasText: 'PREIS' });
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts())
      .toEqual(['PREIS (Pflicht)', '2', '2', expect.stringContaining('A-1')]);
    await expect.poll(() => row.getByRole('deletion').first().innerText()).toBe('12,50');
    await expectNoAxeFindings(page);
  });

  it('RUL-14 a save without impact says so; a failure is shown and can be retried', async () => {
    const { page, masterid } = await openRules(stage, [bosch()]);
    await exportOf(masterid, 'idealo');
    await visit(page, page.url());
    await page.route('**/api/rule/impact/**', (route) => route.abort());
    await page.getByRole('textbox', { name: 'Name' }).fill('Anders');
    await impact(page).getByText('Der Server ist nicht erreichbar').waitFor();
    await page.unroute('**/api/rule/impact/**');
    await impact(page).getByRole('button', { name: 'Erneut versuchen' }).click();
    await impact(page).getByText('Kein Export ändert sich dadurch.').waitFor();
  });

  it('RUL-08 the unsaved state of a rule is copied to several catalogues and exports, each with its outcome', async () => {
    const { page, masterid, stored } = await openRules(stage, [bosch()]);
    const id = await exportOf(masterid, 'Ziel-Export');
    const other = await stage.kontor.ask(api.createMaster, { body: { name: 'Ziel-Katalog' } });
    await operand(page).fill('ungespeichert');
    await page.getByRole('button', { name: 'In anderen Katalog oder Export kopieren' }).click();
    const dialog = page.getByRole('dialog', { name: 'In anderen Katalog oder Export kopieren' });
    await dialog.getByText('auch wenn es noch nicht gespeichert ist').waitFor();
    await dialog.getByRole('searchbox').fill('ziel-');
    await dialog.getByRole('checkbox', { name: 'Export Ziel-Export' }).check();
    await dialog.getByRole('checkbox', { name: 'Katalog Ziel-Katalog' }).check();
    await expectNoAxeFindings(page);
    await page.route(`**/api/rule/copy/${other.masterid}`, (route) => route.abort());
    await dialog.getByRole('button', { name: 'In 2 Ziele kopieren' }).click();
    await dialog.getByText('Der Server ist nicht erreichbar').waitFor();
    await dialog.getByText('kopiert', { exact: false }).and(dialog.getByRole('status')).first().waitFor();
    const [copied] = await stage.kontor.ask(api.rules, { params: { masterid: id } });
    expect(copied).toMatchObject({ name: 'Bosch', active: false, querys: [{ value: 'ungespeichert' }] });
    expect((await stored())[0]?.querys[0]?.value).toBe('Xylophon');
    await dialog.getByRole('searchbox').fill('');
    await expect.poll(() => dialog.getByRole('checkbox', { name: /diese Liste/ }).isDisabled()).toBe(true);
    await expect
      .poll(() => dialog.getByRole('link', { name: 'Regeln von Ziel-Export öffnen' }).getAttribute('href'))
      .toBe(`/exports/${id}/regeln`);
  });

  it.each([
    ['light', 320],
    ['dark', 1280],
  ] as const)('axe finds nothing in impact and copy dialog (%s, %i px wide)', async (scheme, width) => {
    const { page, masterid } = await openRules(stage, [bosch()], { scheme, width });
    await exportOf(masterid, 'idealo');
    await visit(page, page.url());
    await operand(page).fill('o');
    await saving(page).getByText('4 von 4 Artikeln fallen heraus').waitFor();
    await impact(page).getByRole('button', { name: 'Einzelheiten' }).click();
    // At its end the page is next to the bar, not under it.
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'In anderen Katalog oder Export kopieren' }).click();
    await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
  });
});
