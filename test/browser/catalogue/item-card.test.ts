import { rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { alive, errorsOf, expectNoAxeFindings, openStage, type Stage, visit, openPage } from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { pictureShop } from '../../stages/feed/picture-shop.ts';

describe('pictures, cards and empty grids', () => {
  let stage: Stage;
  let shop: Awaited<ReturnType<typeof pictureShop>>;
  beforeAll(async () => {
    stage = await openStage();
    shop = await pictureShop();
  }, 120_000);
  afterAll(async () => {
    await stage.close();
    shop.close();
  });

  const open = (path: string) => openPage(stage, path);
  const rows = (page: Page) => page.getByRole('region', { name: 'Datensätze' }).locator('tbody tr');
  const withPictures = () =>
    masterWith(
      stage.kontor,
      [
        'sku;titel;bild',
        ...[1, 2, 3, 4, 5, 6].map((n) => `A-${n};Artikel ${n};${shop.url}/${n % 3 === 0 ? 'fehlt' : 'bild'}-${n}.jpg`),
      ].join('\n'),
    );

  it('ITE-03 ITE-05 pictures are thumbnails of 100 px in rows of 80 px, missing ones a text; Compact hides them', async () => {
    const page = await open(`/master/${await withPictures()}/artikel`);
    const good = page.getByRole('img', { name: 'Bild zu A-1' });
    await good.waitFor();
    await page.getByText('Bild nicht gefunden').nth(1).waitFor();
    await expect.poll(() => page.getByText('Bild nicht gefunden').count()).toBe(2);
    await expect.poll(async () => (await good.boundingBox())?.width).toBe(100);
    // T1: it comes from our server, and the page may not load from anywhere else.
    const shownAs = `(({ naturalWidth, currentSrc }) => [naturalWidth, new URL(currentSrc).origin === location.origin])(
      document.querySelector('img[alt="Bild zu A-1"]'))`;
    expect(await page.evaluate(shownAs)).toEqual([240, true]);
    const policy = (await page.request.get(page.url())).headers()['content-security-policy'] ?? '';
    expect(policy).toContain("img-src 'self' data:;");
    expect(policy).not.toMatch(/\*|https?:/);
    await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(80);
    await page.getByText('Compact', { exact: true }).click();
    await good.waitFor({ state: 'detached' });
    await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(30);
    // ITE-02: the choice is stored.
    await visit(page, page.url());
    await expect.poll(async () => (await rows(page).first().boundingBox())?.height).toBe(30);
    await page.getByText('Normal', { exact: true }).click();
    await good.waitFor();
    await expectNoAxeFindings(page);
    await rows(page).first().click();
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    const shown = card.getByRole('list', { name: 'Bilder' }).getByRole('img', { name: 'Bild 1 zu A-1' });
    await shown.waitFor();
  });

  it('ITE-05 the picture filter leaves only items whose picture can be loaded', async () => {
    const page = await open(`/master/${await withPictures()}/artikel`);
    await expect.poll(() => rows(page).count()).toBe(6);
    await page.getByRole('button', { name: 'bild filtern' }).click();
    const filter = page.getByRole('group', { name: 'Filter nach Bildstatus' });
    await filter.getByRole('checkbox', { name: 'Nur gültige Bilder anzeigen' }).check();
    await filter.getByRole('button', { name: 'Anwenden' }).click();
    await rows(page).filter({ hasText: 'A-3' }).waitFor({ state: 'detached' });
    await expect.poll(() => rows(page).locator('td:first-child').allInnerTexts()).toEqual(['A-1', 'A-2', 'A-4', 'A-5']);
    // Only existing items are counted, and the card continues with the next existing one.
    await page.getByRole('heading', { level: 1, name: '4 Datensätze' }).waitFor();
    await page.getByText('1–4 von 4 Datensätzen').waitFor();
    await rows(page).filter({ hasText: 'A-2' }).click();
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    await card.getByRole('row', { name: 'titel Artikel 2' }).waitFor();
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByRole('row', { name: 'titel Artikel 4' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'bild: Filter ändern' }).click();
    await filter.getByRole('checkbox', { name: 'Nur gültige Bilder anzeigen' }).uncheck();
    await filter.getByRole('button', { name: 'Anwenden' }).click();
    await rows(page).filter({ hasText: 'A-3' }).waitFor();
  });

  it('ITE-05 ITE-06 a page without any picture says so and shows all items again on request', async () => {
    const csv = ['sku;titel;bild', ...[1, 2].map((n) => `A-${n};Artikel ${n};${shop.url}/fehlt-${n}.jpg`)].join('\n');
    const page = await open(`/master/${await masterWith(stage.kontor, csv)}/artikel`);
    const filterPictures = async () => {
      await page.getByRole('button', { name: 'bild filtern' }).click();
      const filter = page.getByRole('group', { name: 'Filter nach Bildstatus' });
      await filter.getByRole('checkbox', { name: 'Nur gültige Bilder anzeigen' }).check();
      await filter.getByRole('button', { name: 'Anwenden' }).click();
      await page.getByText('Kein Artikel dieser Seite hat ein gültiges Bild.').waitFor();
    };
    await filterPictures();
    await page.getByRole('button', { name: 'Alle Bilder zeigen' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await filterPictures();
    await page.getByRole('button', { name: 'Filter entfernen: bild: nur gültige Bilder' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  it('ITE-05 ITE-02 the picture filter ends when its column is no longer shown, where nothing could remove it', async () => {
    const page = await open(`/master/${await withPictures()}/artikel`);
    await page.getByRole('button', { name: 'bild filtern' }).click();
    const filter = page.getByRole('group', { name: 'Filter nach Bildstatus' });
    await filter.getByRole('checkbox', { name: 'Nur gültige Bilder anzeigen' }).check();
    await filter.getByRole('button', { name: 'Anwenden' }).click();
    await page.getByRole('heading', { level: 1, name: '4 Datensätze' }).waitFor();
    await page.getByRole('combobox', { name: 'Spalten' }).fill('bild');
    await page.getByRole('option', { name: 'bild' }).click();
    await page.getByRole('button', { name: 'Nur hier' }).click();
    await page.getByRole('columnheader', { name: /^bild/ }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: '6 Datensätze' }).waitFor();
  });

  it('ITE-02 all columns or none are chosen at once', async () => {
    const page = await open(`/master/${await withPictures()}/artikel`);
    const here = page.getByRole('button', { name: 'Nur hier' });
    await page.getByRole('combobox', { name: 'Spalten' }).click();
    await page.getByRole('option', { name: 'Keine auswählen' }).click();
    await expect.poll(() => here.isDisabled()).toBe(true);
    await page.getByRole('option', { name: 'Alle auswählen' }).click();
    await expect.poll(() => here.isDisabled()).toBe(false);
    for (const name of ['sku', 'titel', 'bild'])
      await expect
        .poll(() => page.getByRole('option', { name, exact: true }).getAttribute('data-combobox-active'))
        .toBe('true');
  });

  it('ITE-04 a click on a row opens the card with every field, nested ones as a table, and buttons to close it', async () => {
    const masterid = await masterWith(
      stage.kontor,
      'sku;titel;maße\nA-1;Hammer;"{""länge"": {""wert"": 30, ""einheit"": ""cm""}}"\nA-2;Säge;\n',
    );
    const page = await open(`/master/${masterid}/artikel`);
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    const asked = page.waitForRequest('**/api/items/data/id/A-1?*');
    await rows(page).first().getByText('Hammer').click();
    await asked;
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    const nested = card.getByRole('row', { name: /^maße/ }).getByRole('table').first();
    await expect
      .poll(async () => (await nested.innerText()).split(/\s+/))
      .toEqual(['länge', 'wert', '30', 'einheit', 'cm']);
    expect(new URL(page.url()).searchParams.get('artikel')).toBe('A-1');
    await expectNoAxeFindings(page);
    await card.getByRole('checkbox', { name: 'nur gefüllte' }).check();
    await card.getByRole('searchbox', { name: 'Felder filtern' }).fill('maß');
    await card.getByText('1 von 4 Feldern').waitFor();
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByText('0 von 4 Feldern').waitFor();
    await card.getByRole('searchbox', { name: 'Felder filtern' }).fill('');
    await card.getByRole('row', { name: 'titel Säge' }).waitFor();
    // The choice is stored, like the density of the grid.
    await page.reload();
    await alive(page);
    await expect.poll(() => card.getByRole('checkbox', { name: 'nur gefüllte' }).isChecked()).toBe(true);
    await expect.poll(() => card.getByRole('button', { name: 'Schließen' }).count()).toBe(3);
    await card.getByRole('button', { name: 'Schließen' }).nth(1).click();
    await card.waitFor({ state: 'hidden' });

    // By keyboard: the first cell is a button; Escape closes the card and returns the focus.
    const opener = rows(page).first().getByRole('button', { name: 'A-1' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    await opener.and(page.locator(':focus')).waitFor();
    expect(errorsOf(page)).toEqual([]);

    // In the grid's descending order, A-1 comes after A-2.
    await visit(page, `/master/${masterid}/artikel?artikel=A-2&sortierung=_id&richtung=ab`);
    await card.getByRole('row', { name: 'titel Säge' }).waitFor();
    await expect.poll(() => card.getByRole('button', { name: 'Voriger' }).first().isDisabled()).toBe(true);
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    await visit(page, `/master/${masterid}/artikel/A-2`);
    await page.getByRole('heading', { level: 1, name: 'Artikeldaten · A-2' }).waitFor();
  });

  it('ITE-04 an item whose number is a dot or two opens like any other', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\n.;Hammer\n..;Säge\n~.;Zange\n', { key: 'sku' });
    const page = await open(`/master/${masterid}/artikel`);
    const card = page.getByRole('dialog', { name: 'Artikeldaten' });
    await rows(page).first().getByText('Hammer').click();
    await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
    await card.getByRole('button', { name: 'Nächster' }).first().click();
    await card.getByRole('row', { name: 'titel Säge' }).waitFor();
    await card.getByRole('link', { name: 'Woher kommt titel?' }).click();
    await page.getByRole('heading', { level: 1, name: 'Erklären · ..' }).waitFor();
    await page.getByRole('link', { name: 'Artikeldaten' }).click();
    await page.getByRole('heading', { level: 1, name: 'Artikeldaten · ..' }).waitFor();
    await page.getByRole('row', { name: 'titel Säge' }).waitFor();
    await page.getByRole('button', { name: 'Nächster' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Artikeldaten · ~.' }).waitFor();
    await page.getByRole('row', { name: 'titel Zange' }).waitFor();
    await page.goBack();
    await page.reload();
    await alive(page);
    await page.getByRole('row', { name: 'titel Säge' }).waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  /** Creates an item in two exports, with stock and an order. */
  it("ITE-06 a catalogue without items shows the server's text and a link to the import", async () => {
    const { masterid } = await stage.kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    const page = await open(`/master/${masterid}/artikel`);
    await page.getByRole('heading', { level: 1, name: '0 Datensätze' }).waitFor();
    await page
      .getByRole('heading', { name: 'Dieser Katalog hat noch keine Artikel. Importieren Sie zuerst eine Datei.' })
      .waitFor();
    await page.getByRole('link', { name: 'Zum Import' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import · Leer' }).waitFor();
  });

  it('ITE-06 a failure of the server to read items shows a red alert, is logged, and leaves no row', async () => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n');
    for (const file of globSync(`**/${masterid}/**/*.parquet`, { cwd: stage.kontor.dataFolder })) {
      await rm(join(stage.kontor.dataFolder, file));
    }
    const page = await open(`/master/${masterid}/artikel`);
    await page.getByRole('alert').getByText('Fehler beim Laden').waitFor();
    await expect.poll(() => rows(page).count()).toBe(0);
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Laden'))).toBe(true);
  });

  it('300 columns: only the visible ones are drawn, and each is reached by scrolling', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `spalte_${index}`);
    const masterid = await masterWith(
      stage.kontor,
      [
        ['sku', ...names].join(';'),
        ...Array.from({ length: 60 }, (_, row) => [`A-${row}`, ...names.map((name) => `${row}/${name}`)].join(';')),
      ].join('\n'),
    );
    const page = await open(`/master/${masterid}/artikel?je=10`);
    const grid = page.getByRole('region', { name: 'Datensätze' });
    await expect.poll(() => grid.getByRole('columnheader').count()).toBeLessThan(60);
    await page.evaluate(`document.querySelector('section[aria-label="Datensätze"]').scrollTo({ left: 1e6 })`);
    await grid.getByText('0/spalte_299', { exact: true }).waitFor();
    await expect.poll(() => grid.getByRole('cell').count()).toBeLessThan(10 * 60);
    await expectNoAxeFindings(page);
  });
});
