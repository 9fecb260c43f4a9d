import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { OPERATORS } from '#shared/rules/operators.ts';
import { expectNoAxeFindings, openStage, type Stage } from '../../stages/browser.ts';
import { openRules, pickField, rule, saveRules } from '../../stages/feed/rule-page.ts';

describe('rule editor', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const operator = (page: Page) => page.getByRole('combobox', { name: 'Bedingung 1: Operator' });
  const operand = (page: Page) => page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true });
  const kind = (page: Page) => page.getByRole('combobox', { name: 'Aktion 1: Art' });
  const setTitle = () =>
    rule('Titel', { action: { field: 'titel', select: 'set', value: [{ type: '_string', value: 'x' }] } });

  /** Returns the groups of a select with the labels in each. */
  const groupsOf = async (page: Page, name: string): Promise<[string, string[]][]> => {
    const groups = await page.getByRole('combobox', { name }).locator('optgroup').all();
    return Promise.all(
      groups.map(async (group): Promise<[string, string[]]> => [
        (await group.getAttribute('label')) ?? '',
        await group.locator('option').allTextContents(),
      ]),
    );
  };

  it('RUL-03 operators are listed in four groups under their German names', async () => {
    const { page } = await openRules(stage, [rule('Titel', { query: { field: 'titel', value: 'a' } })]);
    const groups = await groupsOf(page, 'Bedingung 1: Operator');
    expect(groups.map(([name]) => name)).toEqual(['Text', 'Mehrfach', 'Zahlen', 'Fortgeschritten']);
    expect(groups.map(([, labels]) => labels.length)).toEqual([14, 4, 6, 2]);
    expect(groups.flatMap(([, labels]) => labels)).toEqual(OPERATORS.map(({ label }) => label));
    await expect.poll(() => operator(page).inputValue()).toBe('contains');
  });

  it('RUL-04 changing the operator clears the value and shows its editor; all fields clear both', async () => {
    const { page, stored } = await openRules(stage, [rule('Titel', { query: { field: 'titel', value: 'Hammer' } })]);
    await expect.poll(() => operand(page).inputValue()).toBe('Hammer');
    await operator(page).selectOption('is_equal_any');
    await expect.poll(() => operand(page).inputValue()).toBe('');
    await expect.poll(() => operand(page).getAttribute('placeholder')).toBe('ein Wert je Zeile');
    await operand(page).fill('Hammer\nZange');
    await saveRules(page);
    expect((await stored())[0]?.querys[0]).toMatchObject({
      select: 'is_equal_any',
      selecttyp: 'multiple',
      value: 'Hammer\nZange',
    });
    await operator(page).selectOption('is_empty');
    await expect.poll(() => operand(page).count()).toBe(0);
    await operator(page).selectOption('is_equal');
    await page.getByRole('combobox', { name: 'Bedingung 1: Wert: Quelle' }).selectOption({ label: 'Feld' });
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Wert', exact: true }), 'marke');
    await saveRules(page);
    expect((await stored())[0]?.querys[0]).toMatchObject({ select: 'is_equal', valuetyp: '_field', value: 'marke' });
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), 'Alle Felder');
    await expect.poll(() => operator(page).inputValue()).toBe('contains');
    await saveRules(page);
    expect((await stored())[0]?.querys[0]).toMatchObject({ field: '@ALL@', value: '', valuetyp: '_string' });
    await operator(page).selectOption('is_empty');
    await expect.poll(() => operand(page).count()).toBe(0);
  });

  it('RUL-05 RUL-06 a field offers the action kinds in groups; a new kind starts empty; all fields can only be excluded', async () => {
    const { page, stored } = await openRules(stage, [setTitle()]);
    await expect
      .poll(() => groupsOf(page, 'Aktion 1: Art'))
      .toEqual([
        [
          'Text',
          ['setze auf', 'hänge an', 'kopiere aus', 'kombiniere', 'suche und ersetze', 'teile Text', 'kürze auf'],
        ],
        ['Berechnungen', ['berechne']],
        ['Items', ['gruppiere nach']],
        ['Fortgeschritten', ['suche und ersetze mit RegEx']],
      ]);
    await kind(page).selectOption('append');
    await expect.poll(() => page.getByRole('textbox', { name: 'Aktion 1: Wert', exact: true }).inputValue()).toBe('');
    await saveRules(page);
    expect((await stored())[0]?.actions[0]?.value).toEqual([{ type: '_string', value: '' }]);
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Feld' }), 'Alle Felder');
    await expect.poll(() => kind(page).getByRole('option').allInnerTexts()).toEqual(['schließe aus']);
    await saveRules(page);
    expect((await stored())[0]?.actions[0]).toMatchObject({ field: '@ALL@', select: 'unset', value: [] });
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Feld' }), 'marke');
    await expect.poll(() => kind(page).inputValue()).toBe('set');
  });

  it('RUL-06 every editor saves its values', async () => {
    const { page, stored } = await openRules(stage, [setTitle()]);
    const saved = async () => (await stored())[0]?.actions[0];
    const box = (name: string) => page.getByRole('textbox', { name: `Aktion 1: ${name}`, exact: true });

    await kind(page).selectOption('copy');
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Quelle' }), 'marke');
    await saveRules(page);
    expect(await saved()).toMatchObject({ selecttyp: 'copy', value: [{ type: '_field', value: 'marke' }] });

    await kind(page).selectOption('combine');
    await page.getByRole('textbox', { name: 'Aktion 1: Teile, Teil 1', exact: true }).fill('von ');
    await page.getByRole('button', { name: 'Teil hinzufügen' }).click();
    await page.getByRole('combobox', { name: 'Aktion 1: Teile, Teil 2: Quelle' }).selectOption({ label: 'Feld' });
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Teile, Teil 2', exact: true }), 'marke');
    await page.getByRole('button', { name: 'Teil 2 verschieben' }).click();
    await page.getByRole('menuitem', { name: 'Nach oben' }).click();
    await saveRules(page);
    expect((await saved())?.value).toEqual([
      { type: '_field', value: 'marke' },
      { type: '_string', value: 'von ' },
    ]);

    await kind(page).selectOption('replace');
    await box('Suche').fill('Hammer\nZange');
    await box('Ersetzung').fill('Werkzeug');
    await page.getByText('Die eine Zeile gilt für alle Suchwerte.').waitFor();
    await saveRules(page);
    expect(await saved()).toMatchObject({
      selecttyp: 'find',
      value: [{ value: 'Hammer\nZange' }, { value: 'Werkzeug' }],
      actionOperator: '',
    });
    // Conditions ignore case; a replacement does so only if the option is set, and its values keep their case.
    await page.getByText('Anders als in Bedingungen zählt hier Groß- und Kleinschreibung.').waitFor();
    await page.getByRole('checkbox', { name: 'Groß- und Kleinschreibung ignorieren' }).check();
    await saveRules(page);
    expect(await saved()).toMatchObject({
      value: [{ value: 'Hammer\nZange' }, { value: 'Werkzeug' }],
      actionOperator: '(?i)',
    });

    await kind(page).selectOption('textsplit');
    await box('Trennzeichen').fill('-');
    await box('Position').fill('2');
    await saveRules(page);
    expect((await saved())?.value).toEqual([
      { type: '_string', value: '-' },
      { type: '_number', value: '2' },
    ]);

    await kind(page).selectOption('maxlength');
    await expect.poll(() => page.getByText('Zeichen', { exact: true }).count()).toBe(1);
    await box('Länge').fill('70');
    await saveRules(page);
    expect((await saved())?.value).toEqual([{ type: '_number', value: '70' }]);
  });

  it('RUL-07 a calculation requires a point; a pasted comma is converted with a notice', async () => {
    const { page, stored } = await openRules(stage, [setTitle()]);
    await kind(page).selectOption('calculate');
    const number = page.getByRole('textbox', { name: 'Aktion 1: Zahl' });
    await number.fill('0,5');
    await page.getByText('Nur dezimal werte mit Punkt und 2 Nachkommastellen sind erlaubt').waitFor();
    await number.fill('');
    await page.evaluate('navigator.clipboard.writeText(" 1.19 ")');
    await number.press('Control+v');
    await expect.poll(() => number.inputValue()).toBe('1.19');
    await number.fill('');
    await page.evaluate('navigator.clipboard.writeText("0,55")');
    await number.press('Control+v');
    await page.getByText('„0,55“ wurde als 0.55 übernommen.').waitFor();
    await expect.poll(() => number.inputValue()).toBe('0.55');
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Ausgangsfeld' }), 'preis');
    await page.getByRole('combobox', { name: 'Aktion 1: Rechenart' }).selectOption({ label: 'addiere' });
    await saveRules(page);
    expect((await stored())[0]?.actions[0]).toMatchObject({
      actionOperator: 'add',
      value: [
        { type: '_field', value: 'preis' },
        { type: '_number', value: '0.55' },
      ],
    });
  });

  it('RUL-03 the first condition of its kind says whether upper and lower case matter', async () => {
    const { page } = await openRules(stage, [rule('Muster', { query: { field: 'titel', value: 'Hammer' } })]);
    const first = page.getByRole('group', { name: 'Bedingung 1', exact: true });
    const second = page.getByRole('group', { name: 'Bedingung 2', exact: true });
    await first.getByText('Groß- und Kleinschreibung spielt keine Rolle.').waitFor();
    await page.getByRole('button', { name: 'und: Bedingung hinzufügen' }).click();
    await pickField(second.getByRole('combobox', { name: 'Bedingung 2: Feld' }), 'titel');
    await expect.poll(() => page.getByText('Groß- und Kleinschreibung').count()).toBe(1);
    await second.getByRole('combobox', { name: 'Bedingung 2: Operator' }).selectOption('regex');
    await second.getByText('Groß- und Kleinschreibung zählt; mit (?i) am Anfang nicht.').waitFor();
    await first.getByRole('combobox', { name: 'Bedingung 1: Operator' }).selectOption('is_greater_than');
    await expect.poll(() => page.getByText('Groß- und Kleinschreibung').count()).toBe(1);
  });

  it('RUL-07 a pattern refused by the server is reported at its field, and its rule is selected', async () => {
    const pattern = { field: 'titel', select: 'regex', value: 'x' } as const;
    const { page, stored } = await openRules(stage, [rule('Muster', { query: pattern }), rule('Andere')]);
    // The browser accepts this name as a character class, the server does not know it.
    await operand(page).fill('\\p{Klingon}');
    await page.getByRole('link', { name: 'Andere' }).click();
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByRole('alert').getByText('Ihre Änderungen stehen noch im Formular.').waitFor();
    await expect.poll(() => operand(page).inputValue()).toBe('\\p{Klingon}');
    await page
      .getByRole('group', { name: 'Bedingung 1' })
      .getByText(/^Invalid Regex: ./)
      .waitFor();
    await expect.poll(() => operand(page).getAttribute('aria-invalid')).toBe('true');
    expect((await stored())[0]?.querys[0]?.value).toBe('x');
    await operand(page).fill('(?=a)');
    await page.getByText('Look-around').first().waitFor();
    await operand(page).fill('^Ham');
    await saveRules(page);
    expect((await stored())[0]?.querys[0]?.value).toBe('^Ham');
  });

  it('RUL-09 conditions and actions are added, copied below their source and removed while there is more than one', async () => {
    const { page, stored } = await openRules(stage, [setTitle()]);
    const remove = (name: string) => page.getByRole('button', { name: `${name} entfernen` });
    await expect.poll(() => remove('Bedingung 1').count()).toBe(0);
    await expect.poll(() => remove('Aktion 1').count()).toBe(0);
    await page.getByRole('button', { name: 'und: Bedingung hinzufügen' }).click();
    await pickField(page.getByRole('combobox', { name: 'Bedingung 2: Feld' }), 'preis');
    await page.getByRole('button', { name: 'Bedingung 1 kopieren' }).click();
    await expect.poll(() => page.getByRole('group', { name: /^Bedingung \d$/ }).count()).toBe(3);
    await expect.poll(() => page.getByRole('combobox', { name: 'Bedingung 3: Feld' }).inputValue()).toBe('preis');
    await expect.poll(() => page.getByText('und', { exact: true }).count()).toBe(4);
    await remove('Bedingung 2').click();
    await page.getByRole('button', { name: 'und: Aktion hinzufügen' }).click();
    await pickField(page.getByRole('combobox', { name: 'Aktion 2: Feld' }), 'marke');
    await page.getByRole('button', { name: 'Aktion 1 kopieren' }).click();
    await remove('Aktion 1').click();
    await page.getByRole('button', { name: 'Aktion 2 verschieben' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => page.getByRole('combobox', { name: 'Aktion 1: Feld' }).inputValue()).toBe('marke');
    await saveRules(page);
    const [saved] = await stored();
    expect(saved?.querys.map(({ field }) => field)).toEqual(['@ALL@', 'preis']);
    expect(saved?.actions.map(({ field }) => field)).toEqual(['marke', 'titel']);
  });

  it('GEN-07 GEN-08 a picker filters from two characters on and shows 50 entries at a time', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `Feld ${String(index).padStart(3, '0')}`);
    const csv = `sku;${names.join(';')}\nA-1;${names.join(';')}\n`;
    const { page } = await openRules(stage, [rule('Viele')], { csv });
    const picker = page.getByRole('combobox', { name: 'Bedingung 1: Feld' });
    const options = page.getByRole('listbox').getByRole('option');
    await picker.click();
    await page.getByText('Projektfelder').waitFor();
    await expect.poll(() => options.count()).toBe(50);
    await expectNoAxeFindings(page);
    await page.getByRole('listbox').hover();
    await page.mouse.wheel(0, 5000);
    await expect.poll(() => options.count()).toBe(100);
    await picker.fill('1');
    await expect.poll(() => options.count()).toBe(50);
    await page.mouse.wheel(0, 5000);
    await expect.poll(() => options.count()).toBe(100);
    await picker.fill('');
    await expect.poll(() => options.count()).toBe(50);
    await picker.fill('FELD 11');
    await expect
      .poll(() => options.allInnerTexts())
      .toEqual(Array.from({ length: 10 }, (_, index) => `Feld 11${index}`));
    await page.keyboard.press('Enter');
    await expect.poll(() => picker.inputValue()).toBe('Feld 110');
  });

  it('an action can write a new field, and says so', async () => {
    const { page, masterid } = await openRules(stage, [setTitle()]);
    const field = page.getByRole('combobox', { name: 'Aktion 1: Feld' });
    await field.click();
    await field.fill('zustand');
    await page.getByRole('option', { name: 'Neues Feld „zustand“ anlegen' }).click();
    await page.getByText('Das Feld „zustand“ wird neu angelegt.').waitFor();
    await saveRules(page);
    const [saved] = await stage.kontor.ask(api.masterRules, { params: { id: masterid } });
    expect(saved?.actions[0]?.field).toBe('zustand');
  });

  it('RUL-02 at a zoom of 400 % neither the header nor the save bar stays over the rule', async () => {
    const { page } = await openRules(stage, [rule('Titel', {})]);
    await page.setViewportSize({ width: 320, height: 256 });
    await page.getByRole('textbox', { name: 'Name' }).fill('Anders');
    const bar = page.getByRole('region', { name: 'Speichern', exact: true });
    await bar.getByText('Ungespeicherte Änderungen').waitFor();
    const top = async (one: Locator) => (await one.boundingBox())?.y ?? 0;
    await page.evaluate('scrollTo(0, 300)');
    await expect.poll(() => top(page.getByRole('banner'))).toBe(-300);
    await expect.poll(() => top(bar)).toBeGreaterThan(256);
  });
});
