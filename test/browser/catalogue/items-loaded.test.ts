import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { SavedView } from '#shared/saved-views/schema.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { importFile, masterWith } from '../../stages/kontor.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Returns the chunks that the page requests after this call. */
function chunksOf(page: Page): string[] {
  const chunks: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/items/data') chunks.push(`${searchParams.get('offset')}+${searchParams.get('limit')}`);
  });
  return chunks;
}

it('ITE-01 ITE-02 loaded items survive a visit to another page, and are reloaded after a change of columns', async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  const chunks = chunksOf(page);
  await visit(page, `/master/${masterid}/artikel`);
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  await expect.poll(() => chunks).toEqual(['0+5000']);
  await page.getByRole('link', { name: 'Regeln', exact: true }).first().click();
  await page.waitForURL('**/regeln*');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: '2 Datensätze' }).waitFor();
  await page.getByRole('button', { name: 'Übernehmen' }).click();
  await expect.poll(() => chunks).toEqual(['0+5000', '0+5000']);
});

it('ITE-07 going back after a search of loaded items does not load the page of items again', async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel`);
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  await page.getByLabel('In allen Feldern suchen').fill('hammer');
  await page.getByRole('heading', { level: 1, name: '1 Datensatz' }).waitFor();
  const loaded: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    // The frame around the grid refreshes itself.
    if (pathname.endsWith('/artikel.data')) loaded.push(...(searchParams.get('_routes') ?? 'items').split(','));
  });
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: '2 Datensätze' }).waitFor();
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: '1 Datensatz' }).waitFor();
  expect(loaded).not.toContain('items');
});

it('ITE-02 applied columns are shown also while a search is in the URL', async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel;marke\nA-1;Hammer;Nord\nA-2;Zange;Süd\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel?suche=hammer`);
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  const header = page.getByRole('columnheader', { name: /^marke/ });
  await header.waitFor();
  await page.getByRole('combobox', { name: 'Spalten' }).fill('marke');
  await page.getByRole('option', { name: 'marke' }).click();
  await page.getByRole('button', { name: 'Übernehmen' }).click();
  await header.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: '2 Datensätze' }).waitFor();
});

/** Holds the requests for the page of items, and of the frame around it, from now on. */
async function holdPages(page: Page) {
  const requests: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/artikel.data*', async (route) => {
    requests.push(route.request().url());
    await released;
    // The browser may have cancelled it.
    await route.continue().catch(() => {});
  });
  return { requests, release };
}

it.each(['back', 'sort', 'card', 'back before the end'] as const)(
  'items of an ended import are shown although the user navigates during the reload: %s',
  async (step) => {
    const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/master/${masterid}/artikel`);
    await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
    await page.getByLabel('In allen Feldern suchen').fill('zange');
    await page.getByRole('heading', { level: 1, name: '1 Datensatz' }).waitFor();
    const { requests, release } = await holdPages(page);
    const navigate = async () => {
      const grid = page.getByRole('region', { name: 'Datensätze' });
      if (step === 'sort') await grid.getByRole('button', { name: 'titel', exact: true }).click();
      else if (step === 'card') await grid.locator('tbody tr').first().getByRole('button').first().click();
      else await page.goBack({ waitUntil: 'commit' });
    };
    if (step === 'back before the end') {
      await navigate();
      await expect.poll(() => requests.length).toBe(1);
    }
    const bytes = 'sku;titel\nA-1;Hammer\nA-2;Zange\nA-3;Beißzange\n';
    await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes }, { key: 'sku' });
    await expect.poll(() => requests.length).toBeGreaterThan(step === 'back before the end' ? 1 : 0);
    if (step !== 'back before the end') await navigate();
    release();
    await page.getByText('Beißzange', { exact: true }).waitFor();
  },
);

it('going back to a page that an import has removed shows the last page', async () => {
  const csv = (count: number) => ['sku;titel', ...Array.from({ length: count }, (_, at) => `A-${at};Hammer ${at}`)];
  const masterid = await masterWith(stage.kontor, csv(21).join('\n'), { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel?seite=3&je=10`);
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  const rows = page.getByRole('region', { name: 'Datensätze' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Erste Seite' }).click();
  await expect.poll(() => rows.count()).toBe(10);
  await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes: csv(20).join('\n') }, { key: 'sku' });
  await page.getByRole('heading', { level: 1, name: '20 Datensätze' }).waitFor();
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByText('Seite 2 von 2').waitFor();
  await page.getByText('Hammer 19', { exact: true }).waitFor();
  await expect.poll(() => rows.count()).toBe(10);
});

/** A page, and a catalogue of which the user has chosen to see the titles alone. */
async function openWithStandardView() {
  const masterid = await masterWith(stage.kontor, 'sku;titel;marke\nA-1;Hammer;Nord\nA-2;Zange;Süd\n', { key: 'sku' });
  const fields = [{ id: 'f0002', name: 'titel' }];
  const body = { table: 'items' as const, masterid, name: 'Nur Titel', query: 'spalten=f0002', fields, shared: false };
  const page = await stage.openPage();
  await signIn(page);
  const send = { headers: { 'x-kontor': '1' } };
  const added = await page.request.post(api.createView.path, { ...send, data: body });
  const { id } = SavedView.parse(await added.json());
  await page.request.post(pathOf(api.setStandardView, { view: id }), { ...send, data: { standard: true } });
  return { page, masterid };
}

it('a standard view with columns of its own is loaded once', async () => {
  const { page, masterid } = await openWithStandardView();
  const chunks = chunksOf(page);
  await visit(page, `/master/${masterid}/artikel`);
  await page.getByRole('button', { name: 'Ansichten: Nur Titel' }).waitFor();
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  await expect.poll(() => chunks).toEqual(['0+5000']);
  await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).not.toContain('marke');
});

it('a standard view does not replace a search whose items are still loading', async () => {
  const { page, masterid } = await openWithStandardView();
  const views = Promise.withResolvers<void>();
  await page.route(`**${api.savedViews.path}?*`, async (route) => {
    await views.promise;
    await route.continue();
  });
  await visit(page, `/master/${masterid}/artikel`);
  const { requests, release } = await holdPages(page);
  await page.getByLabel('In allen Feldern suchen').fill('zange');
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  const answered = page.waitForResponse(`**${api.savedViews.path}?*`);
  views.resolve();
  await answered;
  await page.getByRole('button', { name: 'Ansichten', exact: true }).waitFor();
  release();
  await page.getByRole('heading', { level: 1, name: '1 Datensatz' }).waitFor();
  expect(new URL(page.url()).searchParams.get('suche')).toBe('zange');
});

it("ITE-06 closing a failed load shows the server's page, and the next search does not load again", async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  const chunks = chunksOf(page);
  await page.route('**/api/items/data?*', (route) => route.fulfill({ status: 502, body: '<html>Bad Gateway</html>' }));
  await visit(page, `/master/${masterid}/artikel`);
  const alert = page.getByRole('alert').filter({ hasText: 'Network response was not ok' });
  await alert.waitFor();
  const rows = page.getByRole('region', { name: 'Datensätze' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(0);
  await alert.getByRole('button', { name: 'Schließen' }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('searchbox', { name: 'In allen Feldern suchen' }).fill('Zange');
  await page.getByRole('heading', { level: 1, name: '1 Datensatz' }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  expect(chunks).toEqual(['0+5000']);
});

it('ITE-01 an import replaces the items loaded before', async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel`);
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  const bytes = 'sku;titel\nA-1;Hammer\nA-2;Zange\nA-3;Säge\n';
  await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes }, { key: 'sku' });
  await page.getByRole('heading', { level: 1, name: '3 Datensätze' }).waitFor();
  await page.getByText('Säge', { exact: true }).waitFor();
});

it('ITE-04 an open card shows the values of an import that ended meanwhile', async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel?artikel=A-1`);
  const card = page.getByRole('dialog', { name: 'Artikeldaten' });
  await card.getByRole('row', { name: 'titel Hammer' }).waitFor();
  await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes: 'sku;titel\nA-1;Beil\n' }, { key: 'sku' });
  await card.getByRole('row', { name: 'titel Beil' }).waitFor();
});

it('ITE-07 cancelling the load keeps server paging until all items are loaded again', async () => {
  const masterid = await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
  const page = await stage.openPage();
  await signIn(page);
  const chunks = chunksOf(page);
  await page.route('**/api/items/data?*', () => {});
  await visit(page, `/master/${masterid}/artikel`);
  await expect.poll(() => chunks).toEqual(['0+5000']);
  await page.getByRole('button', { name: 'Laden abbrechen' }).click();
  await page.unrouteAll();
  const again = page.getByRole('button', { name: 'Alle laden' });
  await again.waitFor();
  await visit(page, `/master/${masterid}/artikel`);
  await again.waitFor();
  expect(chunks).toEqual(['0+5000']);
  await again.click();
  await again.waitFor({ state: 'detached' });
  await visit(page, `/master/${masterid}/artikel`);
  await expect.poll(() => chunks).toEqual(['0+5000', '0+5000', '0+5000']);
});

it('ITE-01 ITE-07 a search of loaded items also covers hidden fields, as on the server', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `A-${at};Hammer ${at};${at % 3 === 0 ? 'karmin' : 'blau'}`);
  const masterid = await masterWith(stage.kontor, ['sku;titel;farbe', ...rows].join('\n'), { key: 'sku' });
  const { fields } = await stage.kontor.ask(api.items, { query: { masterid, limit: 1 } });
  const updatedColumns = fields.map(({ id, name }) => ({ id, show: name === 'farbe' ? (0 as const) : (1 as const) }));
  await stage.kontor.ask(api.updateFields, { body: { masterid, updatedColumns } });
  const page = await stage.openPage();
  await signIn(page);
  await visit(page, `/master/${masterid}/artikel`);
  await page.getByRole('button', { name: 'Laden abbrechen' }).waitFor({ state: 'detached' });
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });
  const searched = page.getByRole('searchbox', { name: 'In allen Feldern suchen' });
  await searched.fill('karmin');
  await heading('20 Datensätze').waitFor();
  // What is known of the loaded items is still shown.
  await searched.fill('');
  await heading('60 Datensätze').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('region', { name: 'Datensätze' }).getByRole('button', { name: 'titel', exact: true }).click();
  await page.locator('th[aria-sort="ascending"]').waitFor();
  expect(asked.filter((url) => url.includes('sortierung'))).toEqual([]);
});
