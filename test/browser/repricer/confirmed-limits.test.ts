import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { openArticleStage } from '../../stages/repricer/article-stage.ts';
import { expectNoAxeFindingsInBoth, signIn, visit } from '../../stages/browser.ts';
import type { TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { pickField } from '../../stages/feed/rule-page.ts';
import { rule, set, when } from '../../stages/feed/rules.ts';

describe('T26 repricing rules that move limits of many offers together', () => {
  let opened: Awaited<ReturnType<typeof openArticleStage>>;
  beforeAll(async () => {
    opened = await openArticleStage(101);
  }, 180_000);
  afterAll(() => opened.stage.close());

  it('are confirmed once, and saved all or none', async () => {
    const { stage, masterid } = opened;
    const { kontor } = stage;
    const second = undercutting('Regel00002', 'Tiefer', ['von', 'bis', 'bis']);
    await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: second.id }, body: second });
    const before = await revisions(kontor, masterid);
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/repricer/${masterid}`);
    await page.getByRole('switch', { name: 'Aktiv' }).uncheck({ force: true });
    await page.getByRole('link', { name: /Tiefer/ }).click();
    await pickField(page.getByRole('combobox', { name: 'Mindestpreis', exact: true }), 'bis');
    await page.getByRole('button', { name: '2 Regeln speichern' }).click();
    const dialogs = page.getByRole('dialog');
    await dialogs.getByText('Mindestpreis steigt bei 101').waitFor();
    await dialogs.getByRole('button', { name: 'Trotzdem speichern' }).click();
    await page.getByRole('status').getByText('Daten erfolgreich gespeichert!').or(dialogs).last().waitFor();
    expect(await dialogs.filter({ visible: true }).allInnerTexts()).toEqual([]);
    const rules = await kontor.ask(api.repricerRules, { params: { masterid } });
    expect([rules['Regel00001']?.active, rules['Regel00002']?.action.min_price.value]).toEqual([false, 'bis']);
    expect(await revisions(kontor, masterid)).toBe(before + 1);
  });
});

const revisions = async (kontor: TestKontor, masterid: string) =>
  (await kontor.ask(api.revisions, { params: { subject: 'repricer', scope: `master:${masterid}` } })).length;

describe('T26 a rule of the catalogue that moves limits of many offers', () => {
  let opened: Awaited<ReturnType<typeof openArticleStage>>;
  beforeAll(async () => {
    opened = await openArticleStage(101);
  }, 180_000);
  afterAll(() => opened.stage.close());

  it('is confirmed before it is saved; typed input stays', async () => {
    const { stage, masterid } = opened;
    const lower = { ...rule('Halbe', [when('von', 'is_not_empty')], [set('von', '5,00')]), active: false };
    await stage.kontor.ask(api.saveMasterRules, { params: { masterid }, body: [lower] });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/regeln`);
    const active = page.getByRole('switch', { name: 'Aktiv' });
    await active.click({ force: true });
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Preisgrenzen vieler Angebote ändern?' });
    await dialog.getByText('Damit ändern sich bei 101 Ihrer Angebote Preisgrenzen').waitFor();
    await expectNoAxeFindingsInBoth(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Die Preisgrenzen bleiben, wie sie sind; es wurde nichts gespeichert.').waitFor();
    expect(await active.isChecked()).toBe(true);
    const [stored] = await stage.kontor.ask(api.masterRules, { params: { id: masterid } });
    expect(stored?.active).toBe(false);
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await dialog.getByRole('button', { name: 'Grenzen ändern' }).click();
    await page.getByRole('status').getByText('Gespeichert', { exact: true }).last().waitFor();
    const [now] = await stage.kontor.ask(api.masterRules, { params: { id: masterid } });
    expect(now?.active).toBe(true);
  });
});
