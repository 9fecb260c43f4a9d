import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { INCOMPLETE_TEXT, type RepricerRule } from '#shared/repricer/schema.ts';
import { alive, errorsOf, expectNoAxeFindings, openStage, type PageOptions, type Stage } from '../../stages/browser.ts';
import { nameField, openManager, rule, saved, saveRule } from '../../stages/repricer/manager-page.ts';
import { pickField } from '../../stages/feed/rule-page.ts';
import { rule as masterRule, set, when } from '../../stages/feed/rules.ts';

const field = (value: string) => ({ type: '_field' as const, value });

describe('the repricer manager', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const open = (rules: RepricerRule[], options?: PageOptions) => openManager(stage, rules, options);
  const list = (page: Page) => page.getByRole('navigation', { name: 'Repricing-Regeln, von oben nach unten' });
  const entries = async (page: Page) =>
    (await list(page).getByRole('link').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
  const names = (rules: readonly RepricerRule[]) => rules.map((one) => one.name);

  it('REP-02 without rules: the texts, the first rule, and the page that disables the add-on, by a plain navigation', async () => {
    const { page, masterid } = await open([]);
    await page.getByRole('heading', { name: 'Repricer-AddOn is Aktiv' }).waitFor();
    await page.getByText('Erstellen Sie Ihre erste Repricing-Regel', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Neue Regel' }).waitFor();
    const link = page.getByRole('link', { name: 'AddOn deaktivieren' });
    await expect.poll(() => link.getAttribute('href')).toMatch(new RegExp(`^/[^/]+/repricer/${masterid}/delete$`));
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.isNavigationRequest() && asked.url().endsWith('/delete')),
      link.click(),
    ]);
    expect(request.method()).toBe('GET');
    await page.getByRole('heading', { level: 1, name: 'Repricer-AddOn wirklich deaktivieren?' }).waitFor();
    await alive(page);
    await page.getByRole('link', { name: 'Abbrechen' }).click();
    await page.getByRole('link', { name: 'AddOn deaktivieren' }).click();
    await alive(page);
    await page.getByRole('button', { name: 'Deaktivieren' }).click();
    await page.getByRole('heading', { name: 'Das Repricer-AddOn ist ausgeschaltet' }).waitFor();
    expect(await stage.kontor.ask(api.repricerState, { params: { masterid } })).toMatchObject({ active: false });
    await page.getByRole('button', { name: 'Einschalten' }).click();
    await page.getByRole('heading', { name: 'Repricer-AddOn is Aktiv' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('REP-11 REP-14 REP-13 REP-15 a new rule is paused; without a name not sent; incomplete saved as paused with a 5 s notice; complete saved', async () => {
    const { page, stored } = await open([]);
    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await page.getByText('Diese Regel ist pausiert.').waitFor();
    await expect.poll(() => entries(page)).toEqual(['1 ... pausiert']);
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await expect
      .poll(async () => [await value('Strategie'), await value('Ohne Wettbewerb'), await value('Unter Mindestpreis')])
      .toEqual(['1', 'repricer_price.worker_price', '1']);
    await nameField(page).and(page.locator(':focus')).waitFor();
    await saveRule(page);
    await page.getByText('Bitte geben Sie der Regel einen Namen.').waitFor();
    expect(await stored()).toEqual([]);

    await nameField(page).fill('Bestseller');
    await page.getByRole('switch', { name: 'Aktiv' }).check();
    await page.keyboard.press('Control+s');
    await page.getByRole('status').getByText(INCOMPLETE_TEXT).waitFor();
    await saved(page).waitFor();
    expect(await stored()).toMatchObject([{ name: 'Bestseller', active: false, action: { strategy: 1 } }]);
    await expect.poll(() => entries(page)).toEqual(['1 Bestseller pausiert']);
    await page.getByText('Noch auszufüllen: Mindestpreis, Standardpreis, Maximalpreis, Preisdifferenz.').waitFor();
    const shown = performance.now();
    await saved(page).waitFor({ state: 'detached' });
    expect(performance.now() - shown).toBeLessThan(3500);
    await expect.poll(() => page.getByText(INCOMPLETE_TEXT).count()).toBe(1);
    await page.getByText(INCOMPLETE_TEXT).waitFor({ state: 'detached' });

    await pickField(page.getByRole('combobox', { name: 'Mindestpreis', exact: true }), 'von');
    await page.getByText('Beispiel: 10,00').waitFor();
    await pickField(page.getByRole('combobox', { name: 'Standardpreis', exact: true }), 'normal');
    await pickField(page.getByRole('combobox', { name: 'Maximalpreis', exact: true }), 'bis');
    await page.getByLabel('Preisdifferenz', { exact: true }).selectOption('0.29');
    await page.getByText('Noch auszufüllen').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Aktivieren', exact: true }).click();
    await saveRule(page);
    await saved(page).waitFor();
    const [kept] = await stored();
    expect(kept).toMatchObject({ active: true, action: { diff_price: '0.29', min_price: field('von') } });
    await expect.poll(() => page.getByText(INCOMPLETE_TEXT).count()).toBe(0);
    expect(errorsOf(page)).toEqual([]);
  });

  it('REP-01 REP-04 REP-05 REP-06 REP-07 REP-08 REP-09 list of 260 px, editor beside it, with every choice', async () => {
    const { page, params } = await open([rule('AAAAAAAAAA', 'Eins')]);
    const { kontor } = stage;
    await kontor.ask(api.saveMasterRules, {
      params,
      body: [masterRule('Mindest', [when('@ALL@')], [set('mindest', '11.70')])],
    });
    const row = {
      id: 'r1',
      field: [{ type: '_field' as const, value: 'titel', caption: '' }],
      value: 'Hammer',
      catname: '',
      target: '14.90',
    };
    await kontor.ask(api.saveMapping, {
      params: { ...params, mappingid: 'standard1' },
      body: { name: 'Standard', data: [row] },
    });
    await page.reload();
    await alive(page);
    // Prices come from imported fields, from fields that master rules create, and from mappings, each with an example value.
    const prices = page.getByRole('group', { name: 'Preise aus Feldern des Artikels' });
    const minimum = prices.getByRole('combobox', { name: 'Mindestpreis' });
    await minimum.click();
    await minimum.fill('mindest');
    await page.getByRole('option', { name: 'mindest aus einer Regel' }).click();
    await prices.getByText('Beispiel: 11,70 €, aus einer Regel').waitFor();
    await pickField(prices.getByRole('combobox', { name: 'Standardpreis' }), 'Standard');
    await prices.getByText('Beispiel: 14,90 €, aus einem Mapping').waitFor();
    const box = await page.getByRole('region', { name: 'Repricing-Regel bearbeiten' }).boundingBox();
    const side = await list(page).locator('xpath=..').boundingBox();
    expect(side?.width).toBe(260);
    expect((side?.x ?? 0) + 260).toBeLessThan(box?.x ?? 0);
    const options = async (label: string) =>
      page.getByLabel(label, { exact: true }).getByRole('option', { includeHidden: true }).allInnerTexts();
    await expect
      .poll(() => options('Strategie'))
      .toEqual(['Bitte wählen', 'Wettbewerber-Targeting', 'BuyBox-Targeting']);
    const differences = await options('Preisdifferenz');
    expect([differences.length, differences[1], differences.at(-1)]).toEqual([101, '0,00\u00a0€', '0,99\u00a0€']);
    await expect.poll(() => options('Ohne Wettbewerb')).toEqual(['Gehe auf Standardpreis', 'Gehe auf Maximalpreis']);
    await expect
      .poll(async () => (await options('Unter Mindestpreis'))[2])
      .toBe('Konkurriere mit dem nächstbesten Verkäufer');
    await page.getByText('Nach Bewertung ausschließen').click();
    const ranks = await options('Positive Bewertungen mindestens');
    expect([ranks.length, ranks[0], ranks[1], ranks.at(-1)]).toEqual([21, 'nicht beachten', '5\u00a0%', '100\u00a0%']);
    const reviews = await options('Zahl der Bewertungen mindestens');
    expect([reviews.length, reviews[1], reviews.at(-1)]).toEqual([50, '200', '9.800']);
    await page.getByText('Verkäufer ausschließen').click();
    await page.getByRole('button', { name: 'Beschreibung' }).click();
    await page.getByRole('textbox', { name: 'Beschreibung' }).fill('Wozu');
    await expectNoAxeFindings(page);
  });

  it('REP-10 REP-14 excluded sellers are added and removed; one without an id is not sent but focused', async () => {
    const { page, stored } = await open([rule('AAAAAAAAAA', 'Eins')]);
    await page.getByText('Verkäufer ausschließen').click();
    const add = page.getByRole('button', { name: 'Verkäufer hinzufügen' });
    await add.click();
    const first = page.getByRole('group', { name: 'Verkäufer 1' });
    await first.getByRole('textbox', { name: 'Bezeichnung' }).and(page.locator(':focus')).waitFor();
    await first.getByRole('textbox', { name: 'Bezeichnung' }).fill('Zweitkonto');
    await saveRule(page);
    await first.getByText('Bitte geben Sie die Verkäufer-ID an.').waitFor();
    expect((await stored())[0]?.action.exclude_sellers).toEqual([]);
    await page.getByText('Verkäufer ausschließen').click();
    await first.waitFor({ state: 'hidden' });
    await saveRule(page);
    await first.getByRole('textbox', { name: 'Verkäufer-ID' }).and(page.locator(':focus')).fill('A1B2');
    await add.click();
    await page.getByRole('button', { name: 'Verkäufer 2 entfernen' }).click();
    await saveRule(page);
    await saved(page).waitFor();
    expect((await stored())[0]?.action.exclude_sellers).toEqual([{ name: 'Zweitkonto', value: 'A1B2' }]);
    await page.keyboard.press('Control+z');
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByText('Keine ungespeicherten Änderungen').waitFor();
  });

  it('REP-03 REP-12 rules are reordered by drag, keyboard and menu, copied, and deleted, which selects the first remaining', async () => {
    const { page, stored } = await open([rule('AAAAAAAAAA', 'Eins'), rule('BBBBBBBBBB', 'Zwei', { active: false })]);
    await expect.poll(() => entries(page)).toEqual(['1 Eins aktiv', '2 Zwei pausiert']);
    const ordered = (wanted: string[]) => expect.poll(async () => names(await stored())).toEqual(wanted);
    await list(page).getByRole('button', { name: 'Regel 2 „Zwei“ verschieben' }).press('Alt+ArrowUp');
    await ordered(['Zwei', 'Eins']);
    await list(page).getByRole('button', { name: 'Regel 1 „Zwei“ verschieben' }).click();
    await page.getByRole('menuitem', { name: 'Ans Ende' }).click();
    await ordered(['Eins', 'Zwei']);
    const handle = list(page).getByRole('button', { name: 'Regel 1 „Eins“ verschieben' });
    const from = await handle.boundingBox();
    const to = await list(page).getByRole('link', { name: /Zwei/ }).boundingBox();
    await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 8, (to?.y ?? 0) + (to?.height ?? 0) - 4, { steps: 8 });
    await page.mouse.up();
    await ordered(['Zwei', 'Eins']);

    await list(page).getByRole('link', { name: /Zwei/ }).click();
    await page.getByRole('button', { name: 'Regel kopieren' }).click();
    await expect.poll(() => entries(page)).toEqual(['1 Zwei pausiert', '2 Eins aktiv', '3 ... pausiert']);
    await nameField(page).and(page.locator(':focus')).waitFor();
    await nameField(page).fill('Kopie');
    const sent = page.waitForRequest(/\/api\/repricer\/[^/]+\/[A-Za-z0-9]{10}\/save$/);
    await saveRule(page);
    await sent;
    await saved(page).waitFor();
    await ordered(['Zwei', 'Eins', 'Kopie']);
    const [original, , copy] = await stored();
    expect(copy).toEqual({ ...original, id: expect.stringMatching(/^[A-Za-z0-9]{10}$/), name: 'Kopie', active: false });

    await page.getByRole('button', { name: 'Regel löschen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ausgewählte Repricing-Regel wirklich löschen?' });
    await dialog.getByText('„Kopie“').waitFor();
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await page.getByRole('button', { name: 'Regel löschen' }).click();
    await dialog.getByRole('button', { name: 'Löschen' }).click();
    await ordered(['Zwei', 'Eins']);
    await expect.poll(() => nameField(page).inputValue()).toBe('Zwei');
    // A double click creates only one rule.
    await page.getByRole('button', { name: 'Neue Regel' }).dblclick();
    await expect.poll(() => entries(page)).toEqual(['1 Zwei pausiert', '2 Eins aktiv', '3 ... pausiert']);
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => nameField(page).inputValue()).toBe('Zwei');
    for (const left of ['Eins', undefined]) {
      await page.getByRole('button', { name: 'Regel löschen' }).click();
      await dialog.getByRole('button', { name: 'Löschen' }).click();
      await dialog.waitFor({ state: 'detached' });
      if (left !== undefined) {
        await expect.poll(() => nameField(page).inputValue()).toBe(left);
        await expect.poll(() => list(page).getByRole('button').count()).toBe(0);
      }
    }
    await page.getByRole('heading', { name: 'Repricer-AddOn is Aktiv' }).waitFor();
    // The editor appears under the pointer: the second click of a habit must not take the focus from the name.
    await page.getByRole('button', { name: 'Neue Regel' }).dblclick();
    await expect.poll(() => entries(page)).toEqual(['1 ... pausiert']);
    await page.keyboard.type('Erste');
    expect(await nameField(page).inputValue()).toBe('Erste');
    expect(errorsOf(page)).toEqual([]);
  });

  it('Strg+S in a dialog saves nothing of the form behind it', async () => {
    const { page, stored } = await open([rule('AAAAAAAAAA', 'Eins')]);
    await nameField(page).fill('Zwei');
    await page.getByRole('button', { name: 'Mehr' }).click();
    await page.getByRole('menuitem', { name: 'Sicherungen einstellen …' }).click();
    const figure = page.getByRole('textbox', { name: 'Artikeldaten höchstens so alt' });
    await figure.press('Control+s');
    await page.keyboard.press('Escape');
    await figure.waitFor({ state: 'detached' });
    await page.getByText('Ungespeicherte Änderungen (1)').waitFor();
    expect(names(await stored())).toEqual(['Eins']);
  });
});
