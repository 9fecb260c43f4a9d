import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { importFile, masterWith } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

describe('the overview', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 120_000);
  afterAll(() => stage.close());

  it('leads from an empty company to a catalogue, an import and an export', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.getByRole('heading', { name: 'Willkommen bei Kontor' }).waitFor();
    await page.getByRole('button', { name: 'Ersten Katalog anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Katalog anlegen' });
    await expect.poll(() => dialog.getByRole('button', { name: 'Anlegen' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Hauptkatalog');
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import · Hauptkatalog' }).waitFor();

    await page.getByRole('link', { name: 'Übersicht' }).click();
    const card = page.getByRole('article', { name: 'Hauptkatalog' });
    await card.getByText('Noch nie importiert').waitFor();
    await page.getByText('„Hauptkatalog“ hat noch keine Artikel').waitFor();
    await card.getByRole('button', { name: 'Export anlegen' }).click();
    const exportDialog = page.getByRole('dialog', { name: 'Export anlegen' });
    await exportDialog.getByText('Gibt die Artikel des Katalogs Hauptkatalog aus.').waitFor();
    await expect.poll(() => exportDialog.getByRole('radio').first().getAttribute('value')).toBe('frei');
    await exportDialog.getByRole('textbox', { name: 'Kanal suchen' }).fill('merchant center');
    await exportDialog.getByRole('radio', { name: 'Google Shopping' }).check();
    // The template fills in the other settings.
    await expect.poll(() => exportDialog.getByRole('combobox', { name: 'Format' }).inputValue()).toBe('xml');
    await expect.poll(() => exportDialog.getByRole('textbox', { name: 'Dateiname' }).inputValue()).toBe('google.xml');
    await exportDialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Google Shopping');
    await expectNoAxeFindings(page);
    await exportDialog.getByRole('button', { name: 'Anlegen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Feldaufbau · Google Shopping' }).waitFor();
    await page.getByText('Die Vorschau zeigt Artikel, sobald der Katalog welche hat.').waitFor();
    expect(new URL(page.url()).searchParams.get('vorschlaege')).toBe('1');
    const [master] = await stage.kontor.ask(api.masters);
    const id = master?.exports[0]?.id ?? '';
    const { settings } = await stage.kontor.ask(api.export, { params: { id } });
    expect(settings).toMatchObject({ channel: 'google', format: { kind: 'xml', style: 'google' } });
    expect(errorsOf(page)).toEqual([]);
  });

  it('GEN-05 a catalogue that could not be created keeps the dialog and what was typed', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.getByRole('button', { name: 'Katalog anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Katalog anlegen' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Zweitkatalog');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Zweitkatalog');
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Anlegen'))).toBe(true);
  });

  it('GEN-05 Escape does not discard a typed name for a catalogue, an export, a member or an account', async () => {
    await masterWith(stage.kontor, 'sku;titel\nA-1;Hammer\n');
    const page = await stage.openPage();
    await signIn(page);
    for (const [path, button, title, field] of [
      ['/', 'Katalog anlegen', 'Katalog anlegen', 'Name'],
      ['/', 'Export anlegen', 'Export anlegen', 'Name'],
      ['/einstellungen', 'Benutzer einladen', 'Benutzer einladen', 'E-Mail-Adresse'],
      ['/einstellungen/kanaele', 'Konto anlegen', 'Verkäuferkonto anlegen', 'Verkäufer-ID'],
    ] as const) {
      await visit(page, path);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: title });
      const typed = dialog.getByRole('textbox', { name: field, exact: true });
      await typed.fill('Drittes');
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Weiter bearbeiten' }).click();
      await expect.poll(() => typed.inputValue()).toBe('Drittes');
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Verwerfen' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    expect(errorsOf(page)).toEqual([]);
  });

  it('F18 a catalogue whose answer was lost is created once, even after a second click', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.getByRole('button', { name: 'Katalog anlegen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Katalog anlegen' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Funkloch');
    await page.route(
      (url) => url.pathname === api.createMaster.path,
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await dialog.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    await dialog.getByRole('button', { name: 'Anlegen' }).click();
    await page.getByRole('heading', { level: 1, name: /^Import/ }).waitFor();
    const masters = (await stage.kontor.ask(api.masters)).filter(({ name }) => name === 'Funkloch');
    expect(masters).toHaveLength(1);
    expect(page.url()).toContain(masters[0]?.masterid);
  });

  it('lists failures first and says what stays in force', async () => {
    const { kontor } = stage;
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Kaputter Katalog' } });
    await importFile(kontor, masterid, { name: 'leer.csv', bytes: '' });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    const first = page.getByRole('region', { name: 'Braucht Ihre Aufmerksamkeit' }).getByRole('listitem').first();
    await first.getByText('Import von „Kaputter Katalog“ fehlgeschlagen').waitFor();
    await expect.poll(() => first.innerText()).toContain('der bisherige Stand bleibt');
    await first.getByRole('link', { name: 'Import ansehen' }).click();
    await page.getByRole('alert').getByText('Die Datei ist leer.').waitFor();
  });

  it('shows revenue, orders and due orders, each a link to its source; overdue ones come first', async () => {
    const channel = await orderChannel(stage.kontor, 'Hofladen');
    await takeOrders(stage.kontor, channel, [
      { orderid: 'H-1', lines: [{ sku: 'A-1' }], placedHoursAgo: 30, shipInHours: -2 },
      { orderid: 'H-2', lines: [{ sku: 'A-1', ordered: 2 }] },
    ]);
    const page = await stage.openPage({ width: 320 });
    await signIn(page);
    await visit(page, '/');
    const figures = page.getByRole('region', { name: 'Kennzahlen' });
    await figures.getByRole('link', { name: /^Umsatz, 30 Tage\s*59,97/ }).waitFor();
    await figures.getByRole('link', { name: /^Bestellungen, 30 Tage\s*2/ }).waitFor();
    const first = page.getByRole('region', { name: 'Braucht Ihre Aufmerksamkeit' }).getByRole('listitem').first();
    expect(await first.innerText()).toContain('1\u00a0Bestellung ist überfällig');
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindingsInBoth(page);
    await figures.getByRole('link', { name: /^Heute zu versenden/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Bestellungen' }).waitFor();
    await page.getByText('H-1').first().waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('faellig');
  });

  it('LVC-01 best-sellers load when scrolled into view, and link to the item', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, 'sku;titel\nNK-1;Hammer', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Marktstand' } });
    await takeOrders(kontor, id, [{ orderid: 'M-1', lines: [{ sku: 'NK-1', title: 'Hammer', ordered: 900 }] }]);
    const page = await stage.openPage({ width: 320 });
    await signIn(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/live-components/best-sellers')) asked.push(request.method());
    });
    await visit(page, '/');
    const best = page.getByRole('region', { name: 'Meistverkauft, 30 Tage' });
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    await best.scrollIntoViewIfNeeded();
    await best.getByText('900 Stück').waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindingsInBoth(page);
    await best.getByRole('link', { name: 'Hammer' }).click();
    await page.waitForURL(`**/master/${masterid}/artikel/NK-1`);
    expect(errorsOf(page)).toEqual([]);
  });

  it('the examples, and all that was added to them, go only after the name of the company is typed', async () => {
    const { kontor } = stage;
    const { company } = await kontor.ask(api.session);
    // As a first start leaves it.
    await kontor.database.company(company.id, (trx) =>
      pg`insert into jobs (company, id, kind, subject, state, payload)
        values (${company.id}, 'demostory1', 'demo-story', 'demo', 'done', '{"account":"none"}')`.execute(trx),
    );
    await masterWith(kontor, 'sku;titel\nE-1;Eigenes', { key: 'sku' });
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    await page.getByRole('button', { name: 'Beispiele entfernen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alles in dieser Firma löschen, auch das Eigene?' });
    await dialog.getByText('Das lässt sich nicht rückgängig machen.').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Alles löschen' });
    expect(await confirm.isDisabled()).toBe(true);
    await expectNoAxeFindings(page);
    await dialog.getByRole('textbox').fill(company.name);
    await confirm.click();
    await page.getByRole('heading', { name: 'Willkommen bei Kontor' }).waitFor();
    expect(await kontor.ask(api.masters)).toEqual([]);
    expect(errorsOf(page)).toEqual([]);
  });
});
