import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CategoryRow } from '#shared/assignments/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { errorsOf, openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { catalogue, openRules, pickField, rule, saveRules } from '../../stages/feed/rule-page.ts';

describe('operators, selectors and values', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  /** Returns what a form post would contain of the controls inside, by name. */
  const posted = async (place: Locator): Promise<Record<string, string>> => {
    const inputs = await place.locator('input[type=hidden][name]').all();
    return Object.fromEntries(
      await Promise.all(
        inputs.map(async (input): Promise<[string, string]> => [
          (await input.getAttribute('name')) ?? '',
          await input.inputValue(),
        ]),
      ),
    );
  };
  const condition = (page: Page) => page.getByRole('group', { name: 'Bedingung 1', exact: true });
  const action = (page: Page) => page.getByRole('group', { name: 'Aktion 1', exact: true });

  it("HDR-05 the operators of a new condition: 26 under 'Text', 'Mehrfach', 'Zahlen', 'Fortgeschritten', 'contains' chosen", async () => {
    const { page } = await openRules(stage, []);
    await page.getByRole('button', { name: 'Neue Regel' }).click();
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), 'titel');
    const operator = page.getByRole('combobox', { name: 'Bedingung 1: Operator' });
    const groups = await operator.locator('optgroup').all();
    await expect
      .poll(() => Promise.all(groups.map((group) => group.getAttribute('label'))))
      .toEqual(['Text', 'Mehrfach', 'Zahlen', 'Fortgeschritten']);
    await expect.poll(() => operator.locator('optgroup option').count()).toBe(26);
    await expect.poll(() => operator.inputValue()).toBe('contains');
  });

  it('HDR-05 a single field is chosen, a value typed as text; hidden inputs have type and value of both', async () => {
    const { page } = await openRules(stage, [rule('Eins')]);
    await condition(page).waitFor();
    await expect
      .poll(() => posted(condition(page)))
      .toEqual({
        'querys.0.field.type': '_intern',
        'querys.0.field.value': '@ALL@',
        'querys.0.value.type': '_string',
        'querys.0.value.value': '',
      });
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Feld' }), 'titel');
    await page.getByRole('textbox', { name: 'Bedingung 1: Wert', exact: true }).fill('Hammer & Söhne');
    await expect
      .poll(() => posted(condition(page)))
      .toEqual({
        'querys.0.field.type': '_field',
        'querys.0.field.value': 'titel',
        'querys.0.value.type': '_string',
        'querys.0.value.value': 'Hammer & Söhne',
      });
    await page.getByRole('combobox', { name: 'Bedingung 1: Wert: Quelle' }).selectOption({ label: 'Feld' });
    await pickField(page.getByRole('combobox', { name: 'Bedingung 1: Wert', exact: true }), 'marke');
    await expect
      .poll(() => posted(condition(page)))
      .toMatchObject({
        'querys.0.value.type': '_field',
        'querys.0.value.value': 'marke',
      });
  });

  it('HDR-05 the combine picker joins texts and fields; hidden inputs carry each part in its order', async () => {
    const { page, stored } = await openRules(stage, [
      rule('Zwei', {
        action: {
          field: 'titel',
          select: 'combine',
          selecttyp: 'combine',
          value: [
            { type: '_field', value: 'marke' },
            { type: '_string', value: ' – ' },
          ],
        },
      }),
    ]);
    await page.getByRole('button', { name: 'Teil hinzufügen' }).click();
    await page.getByRole('combobox', { name: 'Aktion 1: Teile, Teil 3: Quelle' }).selectOption({ label: 'Feld' });
    await pickField(page.getByRole('combobox', { name: 'Aktion 1: Teile, Teil 3', exact: true }), 'preis');
    const wanted = {
      'actions.0.field.type': '_field',
      'actions.0.field.value': 'titel',
      'actions.0.value.0.type': '_field',
      'actions.0.value.0.value': 'marke',
      'actions.0.value.1.type': '_string',
      'actions.0.value.1.value': ' – ',
      'actions.0.value.2.type': '_field',
      'actions.0.value.2.value': 'preis',
    };
    await expect.poll(() => posted(action(page))).toEqual(wanted);
    await saveRules(page);
    expect((await stored())[0]?.actions[0]?.value.map(({ value }) => value)).toEqual(['marke', ' – ', 'preis']);
  });

  it('HDR-05 hidden inputs take no space and are not read aloud', async () => {
    const { page } = await openRules(stage, [rule('Drei')]);
    const hidden = condition(page).locator('input[type=hidden]');
    for (const input of await hidden.all()) expect(await input.boundingBox()).toBeNull();
    const measured = async () => {
      const box = await condition(page).boundingBox();
      return [box?.width, box?.height];
    };
    await page.getByText('4 von 4 Artikeln').first().waitFor();
    const before = await measured();
    const tree = await condition(page).ariaSnapshot();
    await condition(page).evaluate((place: { querySelectorAll(css: string): Iterable<{ remove(): void }> }) => {
      for (const input of place.querySelectorAll('input[type=hidden]')) input.remove();
    });
    expect(await measured()).toEqual(before);
    expect(await condition(page).ariaSnapshot()).toBe(tree);
  });

  describe('the rows of categories', () => {
    const openCategories = async () => {
      const { kontor } = stage;
      const masterid = await masterWith(kontor, catalogue, { key: 'sku' });
      const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop' } });
      const row = CategoryRow.parse({
        id: '1',
        field: [{ input: { type: '_field', value: 'titel', caption: 'titel' }, value: 'Hammer' }],
      });
      await kontor.ask(api.saveCategories, { params: { id }, body: [row] });
      const form = new FormData();
      form.set('file', new Blob(['100 - Werkzeug\n200 - Garten\n']), 'liste.txt');
      await kontor.raw(pathOf(api.uploadTargets, { id, table: 'categories' }), { method: 'POST', body: form });
      const page = await stage.openPage();
      await signIn(page);
      await visit(page, `/exports/${id}/kategorien`);
      return page;
    };
    const fieldMenu = (page: Page) => page.getByRole('button', { name: /^Zeile 1: Feld/ });
    const targetMenu = (page: Page) => page.getByRole('button', { name: /^Zeile 1: Weise Kategorie zu, / });
    const focused = (page: Page) => page.evaluate('document.activeElement.getAttribute("aria-label")');

    it('HDR-05 the buttons of a row open and close its field menu and its target menu', async () => {
      const page = await openCategories();
      for (const [button, label] of [
        [fieldMenu(page), 'Zeile 1: Feld'],
        [targetMenu(page), 'Zeile 1: Weise Kategorie zu'],
      ] as const) {
        await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
        await expect.poll(() => button.getAttribute('aria-haspopup')).toBe('listbox');
        await button.focus();
        await page.keyboard.press('Enter');
        const menu = page.getByRole('combobox', { name: label, exact: true, expanded: true });
        await menu.waitFor();
        await page.getByRole('listbox', { name: label }).waitFor();
        await page.keyboard.press('Escape');
        await button.waitFor();
        await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
        // When closed by keyboard, the menu returns the focus.
        await expect.poll(() => focused(page)).toMatch(new RegExp(`^${label}, `));
        await button.click();
        await menu.waitFor();
        await page.getByRole('heading', { level: 1 }).click();
        await button.waitFor();
      }
      expect(errorsOf(page)).toEqual([]);
    });

    it('HDR-05 the hidden inputs of a row carry type and value of its field and of its target', async () => {
      const page = await openCategories();
      const row = page.getByRole('row').filter({ has: targetMenu(page) });
      await row.waitFor();
      await expect
        .poll(() => posted(row))
        .toEqual({
          'rows.1.field.0.type': '_field',
          'rows.1.field.0.value': 'titel',
          'rows.1.target.type': '_string',
          'rows.1.target.value': '',
        });
      await fieldMenu(page).click();
      await pickField(page.getByRole('combobox', { name: 'Zeile 1: Feld', exact: true }), 'marke');
      await targetMenu(page).click();
      await pickField(page.getByRole('combobox', { name: 'Zeile 1: Weise Kategorie zu', exact: true }), 'Garten');
      await expect
        .poll(() => posted(row))
        .toEqual({
          'rows.1.field.0.type': '_field',
          'rows.1.field.0.value': 'marke',
          'rows.1.target.type': '_string',
          'rows.1.target.value': '200',
        });
    });
  });
});
