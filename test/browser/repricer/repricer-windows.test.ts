import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';

describe('repricing rules in two windows', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('REP-12 REP-17 a save neither brings back rules that were deleted elsewhere nor undoes another order', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00', { key: 'sku' });
    const params = { masterid };
    for (const name of ['Eins', 'Zwei', 'Drei']) {
      const body = undercutting(`${name}000000`, name, ['von', 'bis', 'normal']);
      await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: body.id }, body });
    }
    const order = async () => (await kontor.ask(api.repricerState, { params })).order;
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/repricer/${masterid}`);
    const name = page.getByRole('textbox', { name: 'Name' });
    const dialog = page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
    const save = () => page.getByRole('button', { name: 'Regel speichern', exact: true }).click();
    const takeBoth = () => dialog.getByRole('button', { name: 'Beide übernehmen' }).click();
    await name.fill('Meine');
    const query = { queryselector: 'Zwei000000' };
    await kontor.ask(api.deleteRepricerRule, { params, query, body: undefined });
    await save();
    await dialog.getByText('Repricing-Regel „Zwei“ gelöscht.').waitFor();
    await takeBoth();
    await expect.poll(order).toEqual(['Eins000000', 'Drei000000']);
    await expect.poll(async () => (await kontor.ask(api.repricerRules, { params }))['Eins000000']?.name).toBe('Meine');

    await name.fill('Meine neue');
    await kontor.ask(api.orderRepricerRules, { params, body: { ids: ['Drei000000', 'Eins000000'] } });
    await save();
    await dialog.getByText('Reihenfolge der Repricing-Regeln geändert.').waitFor();
    await takeBoth();
    await expect
      .poll(async () => (await kontor.ask(api.repricerRules, { params }))['Eins000000']?.name)
      .toBe('Meine neue');
    expect(await order()).toEqual(['Drei000000', 'Eins000000']);
  });

  it('REP-17 another visible window of the browser shows a switch at once, and one from elsewhere when it gets the focus', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00', { key: 'sku' });
    const params = { masterid };
    const rule = undercutting('Regel00001', 'Eins', ['von', 'bis', 'normal']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
    await kontor.ask(api.setRepricerState, { params, body: { active: true } });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/repricer/${masterid}`);
    const other = await page.context().newPage();
    await visit(other, `/repricer/${masterid}`);
    const says = other.getByRole('region', { name: 'Senden' }).getByText('Probelauf: es wird nichts gesendet');
    await page.getByRole('switch', { name: 'Probelauf' }).click();
    await says.waitFor({ timeout: 8000 });
    await other.waitForTimeout(5000);
    await kontor.ask(api.setRepricerState, { params, body: { dry_run: false } });
    await other.evaluate('window.dispatchEvent(new Event("focus"))');
    await says.waitFor({ state: 'detached', timeout: 8000 });
  });

  it('REP-02 an emergency stop of the company is shown at once in a window with another catalogue', async () => {
    const { kontor } = stage;
    const masterids: string[] = [];
    for (const ruleid of ['Regel00002', 'Regel00003']) {
      const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00', { key: 'sku' });
      const body = undercutting(ruleid, 'Eins', ['von', 'bis', 'normal']);
      await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid }, body });
      await kontor.ask(api.setRepricerState, { params: { masterid }, body: { active: true } });
      masterids.push(masterid);
    }
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/repricer/${masterids[0]}`);
    const other = await page.context().newPage();
    await visit(other, `/repricer/${masterids[1]}`);
    await page.getByRole('button', { name: 'Mehr' }).click();
    await page.getByRole('menuitem', { name: 'Notaus für die ganze Firma …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alle Preise der ganzen Firma anhalten?' });
    await dialog.getByRole('textbox', { name: 'Grund' }).fill('Falsche Einkaufspreise');
    await dialog.getByRole('button', { name: 'Anhalten' }).click();
    const sending = other.getByRole('region', { name: 'Senden' });
    await sending.getByText('Notaus der Firma: es wird nichts gesendet').waitFor({ timeout: 8000 });
  });
});
