import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../../../seed/catalogue.ts';
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
import { importFile, runExport } from '../../stages/kontor.ts';

/** Nearly as long as a name may be; its last word is wider than a telephone. */
const longName = 'Gesamtsortiment Baumarkt, Garten, Haushaltswaren – '.padEnd(
  180,
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
);
/** A screen, and a text that it shows before any script has run. */
type Screen = { path: string; holds: string };

describe('every screen', () => {
  let stage: Stage;
  let screens: Screen[];
  let finishedAt = '';
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    const { masterid } = await kontor.ask(api.createMaster, { body: { name: longName } });
    await importFile(kontor, masterid, { name: 'artikel.csv', bytes: [...catalogueCsv(300)].join('') });
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Marktplatz' } });
    finishedAt = (await runExport(kontor, id)).run.finishedAt ?? '';
    const seller = { masterid, marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR' };
    const account = await kontor.ask(api.createMarketplaceAccount, { body: { ...seller, name: longName.slice(-100) } });
    const waiting = (await kontor.ask(api.createMaster, { body: { name: 'Wartender Katalog' } })).masterid;
    // Not in the first catalogue: its repricer is tested without a rule.
    const repricing = { ruleid: 'Regel00001', masterid: waiting };
    await kontor.ask(api.saveRepricerRule, { params: repricing, body: { name: longName, description: '' } });
    await importFile(kontor, waiting, { name: 'a.csv', bytes: [...catalogueCsv(100)].join('') });
    await importFile(kontor, waiting, { name: 'b.csv', bytes: [...catalogueCsv(5)].join('') });
    const broken = (await kontor.ask(api.createMaster, { body: { name: 'Leerer Katalog' } })).masterid;
    await importFile(kontor, broken, { name: 'leer.csv', bytes: '' });
    const doomed = await kontor.ask(api.createMaster, { body: { name: `Weg damit ${longName}` } });
    await kontor.ask(api.trashMaster, { params: doomed, body: { name: `Weg damit ${longName}` } });
    screens = [
      { path: '/', holds: 'Braucht Ihre Aufmerksamkeit' },
      { path: `/master/${masterid}/import`, holds: 'Schlüsselfeld ist „Artikelnummer“' },
      { path: `/master/${waiting}/import`, holds: 'Dieser Stand wartet auf Ihre Freigabe' },
      { path: `/master/${broken}/import`, holds: 'Die Datei ist leer.' },
      { path: `/master/${masterid}/artikel?je=10`, holds: 'NK-100001' },
      { path: `/master/${broken}/artikel`, holds: 'Dieser Katalog hat noch keine Artikel.' },
      { path: `/master/${masterid}/artikel/NK-100001`, holds: 'Artikeldaten · NK-100001' },
      { path: `/exports/${id}`, holds: 'Feed-URL' },
      { path: `/exports/${id}/einstellungen`, holds: 'Zeichensatz' },
      { path: `/exports/${id}/feldaufbau`, holds: 'Noch keine Zuweisung angelegt.' },
      { path: `/exports/${id}/diagnose`, holds: 'Nichts zu prüfen' },
      { path: `/exports/${id}/uebertragung`, holds: 'Fehlgeschlagene erneut senden' },
      { path: `/master/${masterid}/mappings`, holds: 'Noch kein Mapping angelegt' },
      { path: `/master/${masterid}/shop-mappings`, holds: 'Shopsystem-Mappings' },
      { path: `/repricer/${masterid}`, holds: 'Repricer-AddOn is Aktiv' },
      { path: `/repricer/${masterid}/dashboard`, holds: 'BuyBox Anteil je Rang' },
      { path: `/repricer/${waiting}/aenderungen/1`, holds: 'Noch kein voller Tag seit der Änderung' },
      { path: `/marktplatz/repricer/${masterid}/delete`, holds: 'Repricer-AddOn wirklich deaktivieren?' },
      { path: `/exports/${id}/kategorien`, holds: 'Noch keine Kategorien geladen.' },
      { path: `/exports/${id}/marken`, holds: 'Noch keine Zuweisung angelegt.' },
      { path: `/exports/${id}/farben`, holds: 'Noch keine Zuweisung angelegt.' },
      { path: '/hallo', holds: 'Wie heißen Sie?' },
      { path: '/verlauf', holds: 'Export „Marktplatz“ angelegt.' },
      { path: '/papierkorb', holds: 'Weg damit' },
      { path: '/einstellungen/firmendaten', holds: 'Alle Daten herunterladen' },
      { path: '/betrieb', holds: 'Noch nie gesichert' },
      { path: '/einstellungen', holds: 'API-Zugänge' },
      { path: '/einstellungen/benachrichtigungen', holds: 'Letzte Zustellungen' },
      { path: '/einstellungen/sicherheitsprotokoll', holds: 'Unversehrtheit' },
      { path: '/einstellungen/kanaele', holds: 'Verkäufer A3WIR' },
      { path: `/kanaele/${account.id}/uebertragung`, holds: 'Das Konto ist pausiert' },
      { path: '/bestellungen', holds: 'Nichts zu tun' },
      { path: '/bestellungen/druck/pickliste', holds: 'Nichts zu packen' },
      { path: '/bestellungen/druck/lieferscheine', holds: 'Keine Bestellungen' },
      { path: '/bestellungen/auswertung', holds: 'Lade Daten...' },
      { path: '/konto', holds: 'inhaber@beispiel.de' },
    ];
  }, 180_000);
  afterAll(() => stage.close());

  /** The catalogue's pictures are on a host that does not exist; the tests do not need them. */
  const withPictures = async (page: Page) => {
    await page.route('**/api/pictures?*', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      }),
    );
    return page;
  };
  const settled = async (page: Page) => {
    // Elements that are still loading change colour while axe compares them.
    await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
    if (/^\/exports\/[^/]+$/.test(new URL(page.url()).pathname)) await page.getByText(/^Die ersten 20 von/).waitFor();
  };

  /** Checks the page in these widths, then restores the width. */
  const staysWithin = async (page: Page, widths: readonly number[]) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  const looksRight = async (page: Page) => {
    await expectNoAxeFindingsInBoth(page);
    await staysWithin(page, [768, 320]);
  };

  it('GEN-06 hydrates without an error, has no axe findings in light and dark and no sideways scroll, also at 320 px', async () => {
    const page = await withPictures(await stage.openPage());
    await visit(page, '/login');
    await looksRight(page);
    await signIn(page);
    for (const { path } of screens) {
      await visit(page, path);
      await settled(page);
      await looksRight(page);
      expect([path, ...errorsOf(page)]).toEqual([path]);
    }
  }, 600_000);

  it('long names of catalogue and export leave room for the name of the company in the header', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, screens.find(({ path }) => /^\/exports\/[^/]+$/.test(path))?.path ?? '');
    const company = page.getByRole('banner').getByRole('link').filter({ hasText: 'Meine Firma' });
    for (const width of [768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await company.boundingBox())?.width).toBeGreaterThan(60);
    }
  });

  it('GEN-06 hydrates without an error where the visitor prefers dark', async () => {
    const page = await stage.openPage({ scheme: 'dark' });
    await signIn(page);
    for (const { path } of screens.filter((_, index) => index % 8 === 0)) {
      await visit(page, path);
      expect([path, ...errorsOf(page)]).toEqual([path]);
    }
  });

  it('has no finding of axe with its dialogs and lists open', async () => {
    const page = await withPictures(await stage.openPage({ scheme: 'dark' }));
    await signIn(page);
    for (const { path, open } of [
      { path: '/', open: 'Katalog anlegen' },
      { path: '/einstellungen', open: 'Benutzer einladen' },
      { path: '/einstellungen', open: 'Zugang anlegen' },
      { path: screens[4]?.path ?? '', open: 'Artikelnummer filtern' },
    ]) {
      await visit(page, path);
      await page.getByRole('button', { name: open, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await expectNoAxeFindings(page);
    }
    await visit(page, '/konto');
    await page.getByRole('button', { name: /^Konto von/ }).click();
    await expectNoAxeFindings(page);
  });

  it("GEN-06 the server's HTML has the content when JavaScript is off", async () => {
    const page = await stage.openPage({ javaScript: false });
    await signIn(page);
    for (const { path, holds } of screens) {
      await page.goto(path);
      await expect.poll(() => page.locator('body').innerText()).toContain(holds);
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    }
  });

  it('on a narrow screen the navigation opens as a drawer, navigates and closes', async () => {
    const page = await stage.openPage({ width: 320 });
    await signIn(page);
    await visit(page, '/konto');
    await page.getByRole('button', { name: 'Navigation öffnen' }).click();
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await drawer.getByRole('link', { name: 'Übersicht' }).waitFor();
    await expectNoAxeFindings(page);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Navigation öffnen' }).click();
    await drawer.getByRole('link', { name: 'Übersicht' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
    await drawer.waitFor({ state: 'hidden' });
  });

  it("GEN-01 times are in Berlin time and numbers German, whatever the visitor's machine is set to", async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, '/');
    const time = new Intl.DateTimeFormat('de-DE', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Europe/Berlin',
    });
    await visit(page, screens.find(({ path }) => path.startsWith('/exports/'))?.path ?? '');
    await page
      .getByRole('region', { name: 'Datei', exact: true })
      .getByText(time.format(new Date(finishedAt)))
      .waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Datei', exact: true }).innerText())
      .toMatch(/\d,\d\sKB|\d+\sKB/);
  });

  it('unknown addresses get a German 404 page with a link back', async () => {
    const page = await stage.openPage();
    await signIn(page);
    for (const path of [
      '/gibt/es/nicht',
      '/exports/gibtesnicht',
      '/master/gibtesnicht/artikel',
      '/master/gibtesnicht/import',
    ]) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await page.getByRole('heading', { level: 1, name: 'Diese Seite gibt es nicht' }).waitFor();
    }
    await page.getByRole('link', { name: 'Zur Übersicht' }).click();
    await page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
  });
});
