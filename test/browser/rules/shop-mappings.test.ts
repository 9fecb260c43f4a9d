import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, countRequests, opened, pickIn, save, valuesOf } from '../../stages/feed/assignment-page.ts';
import { openStage, type Stage } from '../../stages/browser.ts';

const pausedText =
  'Dieses Mapping ist pausiert, Sie können diese ändern, sie wird jedoch von der Ausführung ausgeschlossen.';

describe('shop-system mappings', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('SWM-01 SWM-02 SWM-03 has a note and targets of its own; a copy keeps the rows and clears name and note', async () => {
    const { masterid } = await catalogue(stage.kontor);
    const page = await opened(stage, `/master/${masterid}/shop-mappings`);
    await page.getByRole('button', { name: 'Neue' }).click();
    await page.getByText(pausedText).waitFor();
    const sent = countRequests(page, '/save');
    await page.getByRole('button', { name: 'Mapping speichern' }).click();
    await page.getByText('Bitte geben Sie einen Namen ein.').waitFor();
    expect(sent()).toBe(0);
    await page.getByRole('textbox', { name: 'Name' }).fill('Versand');
    await page.getByRole('textbox', { name: 'Interne Notiz' }).fill('nur für uns');
    await page.getByRole('button', { name: /^Zielwerte bearbeiten/ }).click();
    const lines = Array.from({ length: 600 }, (_, index) => `${index};Klasse ${index}`).join('\n');
    await page.getByRole('dialog').getByRole('textbox').fill(lines);
    await page.getByRole('button', { name: '600 Zielwerte übernehmen' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Neue Zeile anlegen' }).click();
    await pickIn(page, 'Zeile 1: Feld', 'titel');
    await page.getByRole('textbox', { name: 'Zeile 1: Wert' }).fill('Bohrer');
    await page.getByRole('button', { name: /^Zeile 1: Weise Wert zu, / }).click();
    const picker = page.getByRole('combobox', { name: 'Zeile 1: Weise Wert zu' });
    // GEN-07: 50 at a time, at most 500; from two typed characters on it filters.
    const options = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => options.count()).toBe(50);
    await picker.fill('5');
    await expect.poll(() => options.count()).toBe(50);
    await page.getByRole('listbox').hover();
    const scrolled = async () => {
      await page.mouse.wheel(0, 4000);
      return options.count();
    };
    await expect.poll(scrolled).toBe(500);
    await scrolled();
    expect(await scrolled()).toBe(500);
    await picker.fill('KLASSE 599');
    await page.getByRole('option', { name: 'Klasse 599' }).click();
    await save(page);
    const shop = Object.values(await stage.kontor.ask(api.shopMappings, { params: { id: masterid } }));
    expect(shop[0]).toMatchObject({ name: 'Versand', active: false, intern: 'nur für uns', kind: 'shop' });
    expect(shop[0]?.data[0]).toMatchObject({ target: '599', catname: 'Klasse 599', value: 'Bohrer' });
    await page.getByRole('button', { name: 'Kopieren' }).click();
    await page.getByRole('link', { name: /^\.\.\./ }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
    await expect.poll(() => page.getByRole('textbox', { name: 'Interne Notiz' }).inputValue()).toBe('');
    await expect.poll(() => valuesOf(page)).toEqual(['Bohrer']);
  });
});
