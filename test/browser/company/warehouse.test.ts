import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { Person } from '#shared/orders/persons.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const packer = { name: 'Packtisch', email: 'lager@beispiel.de', password: 'packen-darf-er-hier' };
const delivery = Person.parse({ name: 'Kanari Vogel', lines: ['Kanariweg 1'], postalCode: '53111', city: 'Bonn' });

describe('the warehouse role', () => {
  let stage: Stage;
  let channel: string;
  beforeAll(async () => {
    stage = await openStage();
    channel = await orderChannel(stage.kontor, 'Laden');
    await takeOrders(stage.kontor, channel, [
      { orderid: 'L-1', persons: { delivery }, shipInHours: 5, lines: [{ sku: 'A-1', ordered: 2 }] },
    ]);
    await addMember(stage.kontor, { ...packer, role: 'warehouse' });
  }, 180_000);
  afterAll(() => stage.close());

  it('starts at the orders, sees no amount and no other page, prints the slip with its address, and ships', async () => {
    const page = await stage.openPage();
    await signIn(page, packer);
    await visit(page, '/');
    await page.waitForURL('**/bestellungen');
    await page.getByRole('link', { name: 'L-1' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Hauptnavigation' }).first();
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(['Bestellungen']);
    expect(await page.locator('main').innerText()).not.toContain('€');
    expect(await page.getByRole('button', { name: 'Bestellungen einlesen' }).count()).toBe(0);
    await expectNoAxeFindings(page);
    await page.getByRole('link', { name: 'L-1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bestellung L-1' }).waitFor();
    const text = await page.locator('main').innerText();
    for (const hidden of ['€', 'Betrag', 'erstatten', 'Kundendaten anzeigen', 'Verlauf'])
      expect(text).not.toContain(hidden);
    await expectNoAxeFindings(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'Lieferschein' }).click();
    await page.getByRole('article', { name: 'Lieferschein L-1' }).getByText('Kanariweg 1').waitFor();
    await visit(page, '/bestellungen');
    await page.getByRole('button', { name: /^Versenden: / }).click();
    await page.getByRole('dialog').getByLabel('Versanddienst').selectOption('DHL');
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Sendungsnummer', exact: true })
      .fill('00340434161094042557');
    await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click();
    await expect
      .poll(async () => (await stage.kontor.ask(api.order, { params: { orderid: 'L-1' } })).order.open_pieces)
      .toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });
});
