import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { errorsOf, openStage, signIn, type Stage, visit } from '../stages/browser.ts';
import { masterWith } from '../stages/kontor.ts';
import { undercutting } from '../stages/offer-message.ts';
import { orderChannel, takeOrders } from '../stages/order-samples.ts';

describe('leaving a page with something unsaved on it', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    const shop = await orderChannel(stage.kontor, 'Laden');
    await takeOrders(stage.kontor, shop, [{ orderid: 'B-1', lines: [{ sku: 'A-1' }] }]);
  }, 180_000);
  afterAll(() => stage.close());

  const open = async (path: string) => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, path);
    return page;
  };
  const pathOf = (page: Page) => new URL(page.url()).pathname;
  const link = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name, exact: true });
  const asksBeforeTheTabCloses = (page: Page) =>
    page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);

  it('REP-17 screens below the path of the rules are others: unsaved rules are asked about; another rule is the same form', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00', { key: 'sku' });
    for (const [ruleid, name] of [
      ['AAAAAAAAAA', 'Eins'],
      ['BBBBBBBBBB', 'Zwei'],
    ] as const)
      await kontor.ask(api.saveRepricerRule, {
        params: { masterid, ruleid },
        body: undercutting(ruleid, name, ['von', 'bis', 'normal']),
      });
    const page = await open(`/repricer/${masterid}`);
    const name = page.getByRole('textbox', { name: 'Name' });
    const question = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await name.fill('Neuer Name');
    await page
      .getByRole('navigation', { name: 'Repricing-Regeln, von oben nach unten' })
      .getByRole('link', { name: /Zwei/ })
      .click();
    await expect.poll(() => name.inputValue()).toBe('Zwei');
    await link(page, 'Repricer-Dashboard').click();
    await question.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await question.waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe(`/repricer/${masterid}/BBBBBBBBBB`);
    await link(page, 'Repricer-Dashboard').click();
    await question.getByRole('button', { name: 'Speichern' }).click();
    await page.waitForURL('**/dashboard');
    const stored = await kontor.ask(api.repricerRules, { params: { masterid } });
    expect(stored['AAAAAAAAAA']?.name).toBe('Neuer Name');
    expect(errorsOf(page)).toEqual([]);
  });
});
