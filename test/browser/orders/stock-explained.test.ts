import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { errorsOf, expectNoAxeFindings, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { pickField, rule } from '../../stages/feed/rule-page.ts';

const row = (exportfield: string, type: string, value: string) =>
  ConstructionRow.parse({ id: exportfield, exportfield, field: [{ type, value, caption: '' }] });

describe('the stock of a channel in the explanation of an export', () => {
  let stage: Stage;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    masterid = await masterWith(kontor, 'sku;titel;bestand\nA-1;Hammer;9\n', { key: 'sku' });
    id = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Laden' } })).id;
    const rows = [row('id', '_field', 'sku'), row('quantity', '_intern', 'stock_offered')];
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await kontor.ask(api.saveStockSettings, {
      params: { masterid },
      body: StockSettings.parse({
        field: 'bestand',
        channels: [{ id, active: true, floor: 0, cap: 4, share: 100 }],
      }),
    });
  }, 180_000);
  afterAll(() => stage.close());

  it('is a step of the explanation and links to the origin of the number', async () => {
    const { kontor } = stage;
    const offered = async () => (await kontor.ask(api.stock, { params: { masterid } })).rows[0]?.offers[0]?.offered;
    await expect.poll(offered).toBe(4);
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, explainPath(masterid, 'A-1', { exportId: id, field: 'quantity' }));
    const stock = page.locator('#stufe-bestand');
    await stock.getByText('Bestand für diesen Kanal').waitFor();
    expect(await stock.locator('dd').innerText()).toContain('4');
    await expectNoAxeFindings(page);
    await stock.getByRole('link', { name: 'Bestand' }).click();
    await page.waitForURL((url) => url.pathname === '/bestand' && url.searchParams.get('suche') === 'A-1');
    await page.getByRole('button', { name: /Warum/ }).first().click();
    await page.getByRole('dialog').getByText('Höchstens werden dort 4 Stück angeboten.').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('can be picked in the rules of the export', async () => {
    const asked = rule('Leer', { query: { field: 'titel', select: 'is_equal', value: '0' } });
    await stage.kontor.ask(api.saveRules, { params: { masterid: id }, body: [asked] });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/exports/${id}/regeln`);
    const field = page.getByRole('combobox', { name: 'Bedingung 1: Feld' });
    await pickField(field, 'Bestand für diesen Kanal');
    await expect.poll(() => field.inputValue()).toContain('Bestand für diesen Kanal');
    expect(errorsOf(page)).toEqual([]);
  });
});
