import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import {
  alive,
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
import { importFile, masterWith, runExport } from '../../stages/kontor.ts';
import { rule } from '../../stages/feed/rule-page.ts';

const csv = [
  'sku;titel;marke;preis;bild',
  'A-1;Bohrer mit Koffer;BOSCH;10,92;https://x.invalid/1.jpg',
  'A-2;Säge;Wolf;9,90;',
  'A 3/ü;Hammer;Wolf;5,00;https://x.invalid/3.jpg',
  '',
].join('\n');
const text = (value: string) => [{ type: '_string' as const, value }];
const times = (factor: string) => ({
  field: 'preis',
  select: 'calculate' as const,
  selecttyp: 'calculate' as const,
  actionOperator: 'multiply' as const,
  value: [
    { type: '_field' as const, value: '' },
    { type: '_number' as const, value: factor },
  ],
});
const brand = rule('Marke', {
  query: { field: 'marke', select: 'is_equal', value: 'bosch' },
  action: { field: 'marke', select: 'set', value: text('Bosch') },
});
const noPicture = rule('ohne Bild raus', { query: { field: 'bild', select: 'is_empty' } });
const markUp = rule('Aufschlag', { action: times('1.19') });
const rebate = rule('Rabatt', {
  query: { field: 'titel', select: 'contains', value: 'Ausverkauf' },
  action: times('0.5'),
});
const field = (value: string) => ({ type: '_field' as const, value });
const rows = [
  { exportfield: 'id', valuetype: 'field', field: [{ type: '_intern', value: '_id' }] },
  { exportfield: 'title', valuetype: 'combine', field: [field('marke'), ...text(' '), field('titel')] },
  { exportfield: 'price', valuetype: 'field', field: [field('preis')], mp_state: 'Required' },
  { exportfield: 'ean', valuetype: 'field', field: [field('ean')], mp_state: 'Required' },
].map((row, index) => ConstructionRow.parse({ id: `c${index}`, ...row }));

describe('explaining where a value comes from', () => {
  let stage: Stage;
  let masterid: string;
  let exportid: string;
  let runid: string;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    masterid = await masterWith(kontor, csv, { key: 'sku' });
    const body = { name: 'idealo', format: 'csv' as const, decimal: 'comma' as const };
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body })).id;
    await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Zweiter' } });
    const save = (rules: (typeof brand)[]) => kontor.ask(api.saveMasterRules, { params: { masterid }, body: rules });
    await save([brand, noPicture, markUp, rebate]);
    await kontor.ask(api.saveConstruction, { params: { projectId: exportid }, body: rows });
    runid = (await runExport(kontor, exportid)).run.runid;
    await importFile(kontor, masterid, {
      name: 'b.csv',
      bytes: csv.replace('10,92', '20,01').replace('A 3/ü;', 'A-4;'),
    });
  }, 180_000);
  afterAll(() => stage.close());

  const at = (itemid: string, search = '') =>
    `/master/${masterid}/artikel/${encodeURIComponent(itemid)}/erklaerung${search}`;
  const open = async (path: string, options: PageOptions = {}): Promise<Page> => {
    const page = await stage.openPage(options);
    await signIn(page);
    if (options.javaScript === false) await page.goto(path);
    else await visit(page, path);
    return page;
  };
  const answer = (page: Page) => page.getByRole('region', { name: 'Antwort' });

  it('states in one sentence how a value came about, its steps, and the value in the file', async () => {
    const page = await open(at('A-1', `?export=${exportid}&feld=price`));
    await answer(page)
      .getByText(
        'price im Export „idealo“ ist „23,81“: Rohwert von preis „20,01“ → Master-Regel 3 „Aufschlag“: preis „23.81“ → Feldaufbau price.',
      )
      .waitFor();
    const way = page.getByRole('list', { name: 'Weg des Werts' });
    await expect
      .poll(async () => (await way.getByRole('listitem').allInnerTexts()).map((words) => words.split(/\s*\n\s*/)))
      .toEqual([
        ['Rohwert', '20,01', 'preis'],
        ['Aufschlag', '23.81', 'preis'],
        ['Feldaufbau', '23,81', 'price'],
      ]);
    await answer(page).getByRole('row', { name: 'price 12,99 23,81 Import' }).waitFor();
    // The rules without effect are collapsed; one of them would write this field.
    await page.getByText('1 Regel ohne Wirkung (4), davon 1 für dieses Feld').click();
    const idle = page.getByRole('article', { name: 'Regel 4' });
    await idle.getByText('trifft nicht zu', { exact: true }).waitFor();
    await idle.getByText('titel ist Bohrer mit Koffer').waitFor();
    await expect
      .poll(() => page.getByRole('article', { name: 'Regel 3' }).innerText())
      .toContain('berechne preis = preis × 1.19');
    await way.getByRole('link', { name: /Aufschlag/ }).click();
    expect(new URL(page.url()).hash).toBe('#master-regel-3');
    await page.getByRole('article', { name: 'Regel 3' }).getByRole('link', { name: 'Aufschlag' }).click();
    await page.waitForURL(`**/master/${masterid}/regeln/${markUp.id}`);
    expect(errorsOf(page)).toEqual([]);
  });

  it('„Warum ist dieser Artikel nicht im Export?“: shows the rule, its condition and the value', async () => {
    const page = await open(at('A-2', `?export=${exportid}`));
    await answer(page)
      .getByText(
        'Artikel A-2 ist nicht im Export „idealo“: Master-Regel 2 „ohne Bild raus“ schließt ihn aus, denn bild ist leer.',
      )
      .waitFor();
    const excluding = page.getByRole('article', { name: 'Regel 2' });
    await excluding.getByText('schließt aus').waitFor();
    await page.getByText('2 Regeln nicht mehr erreicht (3 bis 4)').waitFor();
    await page.getByText('Hier kommt der Artikel nicht an.').waitFor();
    await expect
      .poll(() => page.getByRole('listitem').getByText('Der Artikel ist vorher ausgeschlossen.').count())
      .toBe(1);
  });

  it('a past run is explained with the state of its time', async () => {
    const page = await open(at('A-1', `?export=${exportid}&feld=price`));
    await page.getByRole('link', { name: 'Diesen Lauf erklären' }).click();
    await answer(page)
      .getByText(/^price im Export „idealo“ ist „12,99“: Rohwert von preis „10,92“/)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('lauf')).toBe(runid);
    await page.getByText(/Stand 1 vom .*, nicht mehr der aktuelle/).waitFor();
    await page.getByLabel('Stand').selectOption({ label: 'Aktueller Stand' });
    await answer(page)
      .getByText(/ist „23,81“/)
      .waitFor();
    await page.getByLabel('Feld').selectOption({ label: 'Alle Felder' });
    await answer(page).getByText('Artikel A-1 ist im Export „idealo“.').waitFor();
  });

  it('lists all fields from raw to final with their origin; a field narrows the page; keyboard suffices', async () => {
    const page = await open(at('A-1', `?export=${exportid}`));
    const fields = page.getByRole('region', { name: 'Alle Felder' });
    const rowOf = (name: string) => fields.getByRole('row', { name: new RegExp(`^${name} `) });
    await expect
      .poll(async () => (await rowOf('price').innerText()).split(/\s*\t\s*/))
      .toEqual(['price', 'preis: 20,01', '23,81', 'Master-Regel 3 „Aufschlag“']);
    await rowOf('ean').getByText('Pflichtfeld ohne Wert').waitFor();
    await page.getByText('Ein Pflichtfeld ist leer:').waitFor();
    await fields.getByRole('checkbox', { name: /Nur veränderte/ }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => rowOf('id').count()).toBe(0);
    await rowOf('title').getByRole('link', { name: 'title' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Weg von title' }).waitFor();
    // The combination with its parts.
    await page.getByText('fester Text').waitFor();
    await page.getByRole('textbox', { name: 'Artikelnummer' }).fill('A-2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Erklären · A-2' }).waitFor();
    await page.getByLabel('Export').selectOption({ label: 'Katalog (nach Master-Regeln)' });
    await answer(page)
      .getByText(/^Artikel A-2 fällt in allen Exporten weg/)
      .waitFor();
    await answer(page).getByText('nicht im Export', { exact: true }).nth(1).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('the focus stays in the field that chose something else, and a number typed there stays', async () => {
    const page = await open(at('A-1', `?export=${exportid}`));
    const number = page.getByRole('textbox', { name: 'Artikelnummer' });
    await number.fill('A-2');
    const fields = page.getByLabel('Feld', { exact: true });
    await fields.focus();
    await fields.selectOption('price');
    await page.getByRole('heading', { name: 'Weg von price' }).waitFor();
    expect(await fields.and(page.locator(':focus')).count()).toBe(1);
    expect(await number.inputValue()).toBe('A-2');
    await number.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Erklären · A-2' }).waitFor();
    expect(await number.and(page.locator(':focus')).count()).toBe(1);
    await page.goBack();
    await expect.poll(() => number.inputValue()).toBe('A-1');
  });

  it('a removed or unknown item is reported with a way to continue', async () => {
    const page = await open(at('A 3/ü', `?export=${exportid}`));
    await answer(page)
      .getByText(/er fehlt seit dem Import vom .* Zuletzt war er im Stand 1/)
      .waitFor();
    await answer(page)
      .getByText(/steht er noch\. .*Der nächste Lauf nimmt ihn heraus\./)
      .waitFor();
    const unknown = await page.goto(at('gibt/es nicht'));
    expect(unknown?.status()).toBe(404);
    await alive(page);
    await page.getByRole('alert').getByText('Diesen Artikel gibt es nicht (mehr).').waitFor();
    await page.getByRole('textbox', { name: 'Artikelnummer' }).fill('A-1');
    await page.getByRole('button', { name: 'Diesen Artikel erklären' }).click();
    await page.getByRole('heading', { level: 1, name: 'Erklären · A-1' }).waitFor();
    expect((await page.goto(at('A-1', `?export=${exportid}&lauf=Zzzzzzzzzzz1`)))?.status()).toBe(404);
    await alive(page);
    await page.getByRole('link', { name: 'Aktuellen Stand erklären' }).click();
    await answer(page).getByText('Artikel A-1 ist im Export „idealo“.').waitFor();
  });

  it('the item card and the previews link to the explanation', async () => {
    const page = await open(`/master/${masterid}/artikel?artikel=A-2`);
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    await card.getByText('Warum nicht im Export?').click();
    await card.getByText(/Artikel A-2 ist nicht im Export „idealo“: Master-Regel 2/).waitFor();
    await expectNoAxeFindings(page);
    await card.getByRole('link', { name: 'Woher kommt preis?' }).click();
    await page.getByRole('heading', { name: 'Weg von preis' }).waitFor();

    await visit(page, `/exports/${exportid}`);
    const preview = page.getByRole('region', { name: 'Vorschau', exact: true });
    await preview.getByRole('cell', { name: '23,81' }).getByRole('link').click();
    await answer(page)
      .getByText(/^price im Export „idealo“ ist „23,81“/)
      .waitFor();
    await visit(page, `/exports/${exportid}/feldaufbau`);
    await page.getByRole('link', { name: 'Artikel A-1 erklären' }).click();
    await answer(page).getByText('Artikel A-1 ist im Export „idealo“.').waitFor();
    await page.getByRole('link', { name: 'Feldaufbau', exact: true }).last().click();
    await page.waitForURL(`**/exports/${exportid}/feldaufbau`);
  });

  it('GEN-06 the answer is rendered without JavaScript', async () => {
    const page = await open(at('A-1', `?export=${exportid}&feld=price`), { javaScript: false });
    await expect.poll(() => page.locator('main').innerText()).toContain('ist „23,81“: Rohwert von preis „20,01“');
  });

  const views = () => [
    at('A-1'),
    at('A-1', `?export=${exportid}`),
    at('A-1', `?export=${exportid}&feld=title`),
    at('A-2', `?export=${exportid}`),
    at('A 3/ü', `?export=${exportid}`),
    at('gibt es nicht'),
  ];

  it('has no axe findings in light and dark, with folded rules open or closed', async () => {
    const page = await open('/konto');
    for (const path of views()) {
      await visit(page, path);
      await page.getByLabel('lade Daten').waitFor({ state: 'detached' });
      await expectNoAxeFindingsInBoth(page);
      for (const fold of await page.locator('details > summary').all()) await fold.click();
      await expectNoAxeFindingsInBoth(page);
    }
  });

  it('fits a window of 320 px', async () => {
    const page = await open('/konto', { width: 320 });
    for (const path of views()) {
      await visit(page, path);
      await expectNoSidewaysScroll(page);
    }
  });
});
