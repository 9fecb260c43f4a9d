import type { Page, Request } from 'playwright-core';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { categorised, loadList, mapped } from '../../stages/feed/assignment-page.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { catalogue, field, row } from '../../stages/feed/construction-page.ts';
import { masterWith, runExport } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { rule } from '../../stages/feed/rule-page.ts';

type Fault = 'broken' | 'refused' | 'lost';
const faults: readonly Fault[] = ['broken', 'refused', 'lost'];
/** A text that nothing else on a page contains. */
const cause = 'Der Prüfstand hat das abgelehnt.';
const causeOf = (fault: Fault) => (fault === 'lost' ? 'Der Server ist nicht erreichbar.' : cause);
/** A document that was saved elsewhere says so, and shows both versions. */
const staleText = 'Hier wurde inzwischen an anderer Stelle gespeichert.';

/** Makes a call fail: by a server error, a refusal, or a lost connection. */
const fail = (page: Page, wanted: (path: string) => boolean, fault: Fault) =>
  page.route(
    (url) => wanted(url.pathname),
    async (route) => {
      if (route.request().resourceType() === 'document') return route.fallback();
      if (fault === 'lost') return route.abort();
      const error = { code: 'test_stand', message: cause, requestId: 'x' };
      const status = fault === 'broken' ? 500 : 409;
      return route.fulfill({ status, contentType: 'application/json', body: JSON.stringify({ error }) });
    },
  );

/** Expects exactly one notice with these words, also a moment later. */
async function expectOneNotice(page: Page, words: string, what: string): Promise<void> {
  const said = page.getByText(words).filter({ visible: true });
  await expect.poll(() => said.count(), { message: what }).toBeGreaterThan(0);
  // A duplicate would appear at the same moment, or with the answer of a second call.
  await wait(300);
  expect(await said.count(), what).toBe(1);
  const alerts = page.getByRole('alert').filter({ visible: true, hasText: /Fehler|nicht|abgelehnt|gespeichert/ });
  expect((await alerts.allInnerTexts()).length, what).toBeLessThanOrEqual(1);
}

const matches = ({ path }: Call, asked: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked);

/** An action on a screen, and the call that it makes. */
type Deed = { what: string; path: string; call: Call; act: (page: Page) => Promise<void> };

const fill = async (page: Page, name: string, text: string) =>
  page.getByRole('textbox', { name, exact: true }).fill(text);
const press = async (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const deeds: readonly Deed[] = [
  {
    what: 'rules are saved',
    path: '/master/{master}/regeln',
    call: api.saveMasterRules,
    act: async (page) => {
      await fill(page, 'Name', 'Anders');
      await press(page, 'Speichern');
    },
  },
  {
    what: 'the effect of a rule is computed',
    path: '/master/{master}/regeln',
    call: api.ruleStatistics,
    act: (page) => press(page, 'Berechne Regel'),
  },
  {
    what: 'a mapping is saved',
    path: '/master/{master}/mappings',
    call: api.saveMapping,
    act: async (page) => {
      await fill(page, 'Zeile 1: Weise Wert zu', 'Anders');
      await press(page, 'Mapping speichern');
    },
  },
  {
    what: 'categories are saved',
    path: '/exports/{export}/kategorien',
    call: api.saveCategories,
    act: async (page) => {
      await fill(page, 'Zeile 1: Wert', 'Anders');
      await press(page, 'Speichern');
    },
  },
  {
    what: 'values are fetched for categories',
    path: '/exports/{export}/kategorien',
    call: api.missingRows,
    act: async (page) => {
      await press(page, 'Fehlende Kategorie hinzufügen');
      await page.getByRole('dialog').getByRole('combobox', { name: 'Feld' }).fill('titel');
      await page.getByRole('option', { name: 'titel' }).click();
      await press(page, 'Werte holen');
    },
  },
  {
    what: 'the construction is saved',
    path: '/exports/{export}/feldaufbau',
    call: api.saveConstructionTabs,
    act: async (page) => {
      await press(page, 'Neues Ausgabefeld anlegen');
      await page
        .getByRole('textbox', { name: /: Feldbezeichnung im Export$/ })
        .last()
        .fill('eigenes');
      await press(page, 'Sichern');
    },
  },
  {
    what: 'an export is renamed',
    path: '/exports/{export}/einstellungen',
    call: api.saveExport,
    act: async (page) => {
      await fill(page, 'Name', 'Anders');
      await page.getByRole('region', { name: 'Speichern' }).getByRole('button', { name: 'Speichern' }).click();
    },
  },
  {
    what: 'difference settings are saved',
    path: '/exports/{export}/einstellungen',
    call: api.saveExportDifference,
    act: async (page) => {
      const form = page.getByRole('form', { name: 'Prüfung neuer Stände' });
      await form.getByRole('combobox', { name: 'Aktion bei Differenz' }).selectOption('block_send');
      await form.getByRole('combobox', { name: 'Aktion bei negativer Differenz' }).selectOption('10');
      await form.getByRole('button', { name: 'Speichern' }).click();
    },
  },
  {
    what: 'an export is started',
    path: '/exports/{export}',
    call: api.runExport,
    act: (page) => press(page, 'Export starten'),
  },
  {
    what: 'an import is scheduled',
    path: '/master/{master}/import',
    call: api.saveImportSchedule,
    act: async (page) => {
      const card = page.getByRole('region', { name: 'Zeitplan' });
      await card.getByRole('switch', { name: 'Nach Zeitplan ausführen' }).check();
      await card.getByLabel('Uhrzeiten', { exact: true }).fill('6:00');
      await card.getByRole('button', { name: 'Zeitplan speichern' }).click();
    },
  },
  {
    what: 'a repricing rule is saved',
    path: '/repricer/{master}',
    call: api.saveRepricerRule,
    act: async (page) => {
      await fill(page, 'Name', 'Anders');
      await press(page, 'Regel speichern');
    },
  },
  {
    what: 'a catalogue is created',
    path: '/',
    call: api.createMaster,
    act: async (page) => {
      await press(page, 'Katalog anlegen');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Neu');
      await page.getByRole('dialog').getByRole('button', { name: 'Anlegen' }).click();
    },
  },
  {
    what: 'a channel is updated from the overview',
    path: '/',
    call: api.updateChannel,
    act: (page) => press(page, 'Shop: update'),
  },
  {
    what: 'an API token is created',
    path: '/einstellungen',
    call: api.createToken,
    act: async (page) => {
      await press(page, 'Zugang anlegen');
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Neu');
      await press(page, 'Anlegen');
    },
  },
  {
    what: 'e-mail settings are saved',
    path: '/einstellungen/benachrichtigungen',
    call: api.saveMailSettings,
    act: async (page) => {
      await page.getByLabel('Benachrichtigungen auch per E-Mail senden').check({ force: true });
      await press(page, 'Speichern');
    },
  },
  {
    what: 'columns are hidden',
    path: '/master/{master}/artikel',
    call: api.updateFields,
    act: async (page) => {
      await press(page, 'Übernehmen');
    },
  },
  {
    what: 'a user signs out',
    path: '/konto',
    call: api.signOut,
    act: async (page) => {
      await page.getByRole('region', { name: 'Anmeldung' }).getByRole('button', { name: 'Abmelden' }).click();
    },
  },
];

/** Screens that make further calls once they are displayed. */
const screens: readonly string[] = [
  '/master/{master}/regeln',
  '/master/{master}/artikel/A-1/erklaerung',
  '/exports/{export}',
  '/exports/{export}/kategorien',
  '/exports/{export}/marken',
  '/exports/{export}/farben',
  '/exports/{export}/feldaufbau',
  '/exports/{export}/uebertragung',
];

describe('GEN-05 one notice for one failure', () => {
  let stage: Stage;
  let page: Page;
  let [master, id] = ['', ''];
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    master = await masterWith(kontor, catalogue, { key: 'sku' });
    const params = { masterid: master };
    const bosch = rule('Eins', { query: { field: 'marke', value: 'Bosch' } });
    await kontor.ask(api.saveMasterRules, { params, body: [bosch] });
    const mapping = { name: 'Farben', data: [mapped('1', 'marke', 'Bosch', 'BOSCH')], active: true };
    await kontor.ask(api.saveMapping, { params: { ...params, mappingid: 'MapEins001' }, body: mapping });
    const body = undercutting('Regel00001', 'Unterbieten', ['preis', 'preis', 'preis']);
    await kontor.ask(api.saveRepricerRule, { params: { ...params, ruleid: body.id }, body });
    ({ id } = await kontor.ask(api.createExport, { params, body: { name: 'Shop', channel: 'google' } }));
    const rows = [
      row('id', { exportfield: 'id', field: field('sku') }),
      row('title', { exportfield: 'title', field: field('titel') }),
    ];
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    for (const table of ['categories', 'brands', 'colors'] as const)
      await loadList(kontor, id, table, 'id;name\n1;Werkzeug\n2;Garten\n');
    await kontor.ask(api.saveCategories, { params: { id }, body: [categorised('1', 'marke', 'Bosch')] });
    await runExport(kontor, id);
    page = await stage.openPage();
    await signIn(page);
  }, 180_000);
  afterEach(() => page.unrouteAll());
  afterAll(() => stage.close());

  const filled = (path: string) => path.replace('{master}', master).replace('{export}', id);

  it.each(deeds.map((deed, index) => ({ ...deed, fault: index % 2 === 0 ? ('broken' as const) : ('lost' as const) })))(
    '$what',
    async ({ path, call, act, fault: usual }) => {
      // A refusal means something else if another user may have saved meanwhile.
      for (const fault of call.ifMatch === true ? [usual, 'refused' as const] : [usual]) {
        await visit(page, filled(path));
        await fail(page, (asked) => matches(call, asked), fault);
        await act(page);
        const stale = fault === 'refused' && call.ifMatch === true;
        await expectOneNotice(page, stale ? staleText : causeOf(fault), fault);
        await page.unrouteAll();
      }
    },
  );

  it.each(screens)('%s and every request that it loads', async (path) => {
    const asked = new Set<string>();
    const note = (request: Request) => {
      const { pathname } = new URL(request.url());
      // TRA-01: the counters of a transfer show their failure themselves, in a specified word. Parts of the page have a test of
      // their own (later-parts.test.ts).
      const silent =
        pathname === '/__manifest' || pathname.startsWith('/assets/') || matches(api.transferSum, pathname);
      if (request.resourceType() === 'fetch' && !silent) asked.add(pathname);
    };
    page.on('request', note);
    await visit(page, filled(path));
    await wait(1000);
    page.off('request', note);
    for (const [index, wanted] of [...asked].entries()) {
      const fault = faults[index % faults.length] ?? 'lost';
      await fail(page, (one) => one === wanted, fault);
      await visit(page, filled(path));
      await expectOneNotice(page, causeOf(fault), `${wanted} ${fault}`);
      await page.unrouteAll();
    }
    expect(asked.size).toBeGreaterThan(0);
  });
});
