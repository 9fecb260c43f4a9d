import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { normalSafety } from '#shared/repricer/safety.ts';
import { type RepricerRule } from '#shared/repricer/schema.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  type PageOptions,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { nameField, openManager, rule, saved, saveRule } from '../../stages/repricer/manager-page.ts';

describe('saving in the repricer manager', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const open = (rules: RepricerRule[], options?: PageOptions) => openManager(stage, rules, options);
  const names = (rules: readonly RepricerRule[]) => rules.map((one) => one.name);

  it('REP-17 a failed save keeps the input; a conflict and leaving ask first', async () => {
    const one = rule('AAAAAAAAAA', 'Eins');
    const { page, params, stored, masterid } = await open([one]);
    const path = `**/api/repricer/${masterid}/AAAAAAAAAA/save`;
    await page.route(path, (route) => route.abort());
    await nameField(page).fill('Meine');
    await saveRule(page);
    await page.getByRole('alert').getByText('Ihre Änderungen stehen noch im Formular.').waitFor();
    await expect.poll(() => nameField(page).inputValue()).toBe('Meine');
    await page.unroute(path);
    await stage.kontor.ask(api.saveRepricerRule, {
      params: { masterid, ruleid: one.id },
      body: { ...one, name: 'Fremde' },
    });
    await page.getByRole('alert').getByRole('button', { name: 'Erneut versuchen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Wie soll gespeichert werden?' });
    await dialog.getByText('Repricing-Regel „Fremde“: hieß vorher „Eins“.').waitFor();
    await page.evaluate('window.scrollTo(0, 0)');
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Meinen Stand speichern' }).click();
    await saved(page).waitFor();
    expect(names(await stored())).toEqual(['Meine']);

    await nameField(page).fill('Doch anders');
    await page.getByRole('main').getByRole('link', { name: 'Verlauf' }).click();
    const guard = page.getByRole('dialog', { name: 'Änderungen speichern?' });
    await guard.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Repricing-Regel „Doch anders“: hieß vorher „Meine“.').waitFor();
    await page.getByRole('link', { name: 'Zum heutigen Stand' }).click();
    await expect.poll(() => nameField(page).inputValue()).toBe('Doch anders');
    expect((await stage.kontor.ask(api.repricerState, { params })).order).toEqual([one.id]);
  });

  it('REP-17 input typed during a slow save stays unsaved in the form, and a double click sends once', async () => {
    const { page, stored, masterid } = await open([rule('AAAAAAAAAA', 'Eins')]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let sent = 0;
    await page.route(`**/api/repricer/${masterid}/AAAAAAAAAA/save`, async (route) => {
      sent += 1;
      if (sent === 1) await held;
      await route.continue();
    });
    await nameField(page).fill('Zwei');
    await page.getByRole('button', { name: 'Regel speichern' }).dblclick();
    await expect.poll(() => sent).toBe(1);
    await nameField(page).fill('Drei');
    release();
    await saved(page).waitFor();
    await expect.poll(() => nameField(page).inputValue()).toBe('Drei');
    expect(sent).toBe(1);
    expect(names(await stored())).toEqual(['Zwei']);
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
    await saveRule(page);
    await page.getByText('Keine ungespeicherten Änderungen').waitFor();
    expect(names(await stored())).toEqual(['Drei']);
  });

  it("REP-19 safety figures are limited to ranges; less safe ones need a reason; others' saves are named", async () => {
    const { page, params } = await open([rule('AAAAAAAAAA', 'Eins')], { scheme: 'dark' });
    await page.getByRole('button', { name: 'Mehr' }).click();
    await page.getByRole('menuitem', { name: 'Sicherungen einstellen …' }).click();
    const safety = page.getByRole('dialog', { name: 'Sicherungen einstellen' });
    await safety.getByRole('textbox', { name: 'Artikeldaten höchstens so alt' }).fill('2000');
    await safety.getByText('Bitte 1 bis 1080 Std. eingeben.').waitFor();
    await safety.getByRole('textbox', { name: 'Artikeldaten höchstens so alt' }).fill('16,8');
    await safety.getByText('Bitte eine ganze Zahl eingeben.').waitFor();
    await safety.getByRole('textbox', { name: 'Artikeldaten höchstens so alt' }).fill('168');
    await safety.getByText('weniger sicher als bisher').waitFor();
    await page.keyboard.press('Escape');
    await safety.getByRole('button', { name: 'Weiter bearbeiten' }).click();
    await safety.getByRole('button', { name: 'Speichern' }).click();
    await safety.getByText('Artikeldaten höchstens so alt: vorher 48 Std., jetzt 168 Std.').waitFor();
    await expectNoAxeFindings(page);
    await safety.getByRole('textbox', { name: 'Grund' }).fill('Import nur einmal in der Woche');
    expect(errorsOf(page)).toEqual([]);
    const other = { figures: { ...normalSafety, step: 25 }, confirmed: false, reason: '' };
    await stage.kontor.ask(api.savePriceSafety, { params, body: other });
    const again = safety.getByRole('button', { name: 'Trotzdem speichern' });
    await again.click();
    await safety.getByText('Größter Sprung je Versand: vorher 30 %, jetzt 25 %').waitFor();
    await again.click();
    await safety.waitFor({ state: 'detached' });
    await page.getByText('Gespeichert', { exact: true }).waitFor();
    const { figures } = await stage.kontor.ask(api.priceSafety, { params });
    expect(figures).toMatchObject({ snapshotAge: 168, step: 25 });
  });

  it('REP-04 a user without the right to prices sees the rules and cannot change them', async () => {
    const { masterid } = await open([rule('AAAAAAAAAA', 'Eins'), rule('BBBBBBBBBB', 'Zwei')]);
    const principal = { email: 'redaktion@beispiel.de', password: 'noch-ein-langes-wort' };
    await addMember(stage.kontor, { name: 'Redaktion', role: 'editor', ...principal });
    const page = await stage.openPage();
    await signIn(page, principal);
    await visit(page, `/repricer/${masterid}/BBBBBBBBBB`);
    await expect.poll(() => nameField(page).inputValue()).toBe('Zwei');
    await expect.poll(() => nameField(page).isDisabled()).toBe(true);
    for (const label of ['Neue Regel', 'Regel speichern', 'Notaus', 'Regel löschen'])
      await expect
        .poll(async () => [label, await page.getByRole('button', { name: label }).count()])
        .toEqual([label, 0]);
  });

  it('has no axe findings in light and dark, and fits 320 px', async () => {
    const { page } = await open([
      rule('AAAAAAAAAA', 'Ein ziemlich langer Name einer Regel'),
      rule('BBBBBBBBBB', 'Zwei', { active: false }),
    ]);
    await page.getByText('Verkäufer ausschließen').click();
    await page.getByRole('button', { name: 'Verkäufer hinzufügen' }).click();
    await expectNoAxeFindingsInBoth(page);
    await page.setViewportSize({ width: 320, height: 900 });
    await expectNoSidewaysScroll(page);
  });
});
