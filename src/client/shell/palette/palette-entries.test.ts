import { expect, test } from 'vitest';
import type { Master } from '#shared/masters/schema.ts';
import { pages, type Page } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { foundEntry, matching, placeEntries, screenEntries } from './palette-entries.ts';

const master: Master = {
  masterid: 'm1',
  name: 'Hauptkatalog',
  items: 3,
  fields: 2,
  snapshot: 1,
  importedAt: null,
  key: null,
  lastRun: null,
  exports: [{ id: 'e1', name: 'idealo', channel: 'idealo' }],
  accounts: [{ id: 'k1', name: 'Mein Laden' }],
};

const nothing = { admin: false, orders: false, owner: false };

test('RUL-02 the palette offers every screen of the active catalogue and export', () => {
  const entries = screenEntries({ master, exportId: 'e1' }, nothing);
  const all: readonly Page[] = Object.values(pages);
  const menus = all.filter(({ menu }) => menu === 'master' || menu === 'export');
  const addresses = menus.map((page) => pathTo(page, page.menu === 'master' ? { masterid: 'm1' } : { id: 'e1' }));
  expect(addresses.length).toBeGreaterThan(10);
  expect(entries.map(({ to }) => to)).toEqual(expect.arrayContaining(addresses));
  expect(entries.map(({ to }) => to)).toContain('/master/m1/regeln');
  expect(entries.map(({ to }) => to)).toContain('/exports/e1/feldaufbau');
  expect(screenEntries({ master: null, exportId: null }, nothing).some(({ to }) => to.includes('/master/'))).toBe(
    false,
  );
});

test('HDR-07 each screen of the menu is found by its name, in small letters too', () => {
  const entries = screenEntries({ master, exportId: 'e1' }, { admin: true, orders: true, owner: true });
  const all: readonly Page[] = Object.values(pages);
  for (const page of all.filter(({ menu }) => menu !== undefined)) {
    const found = matching(entries, page.title.toLowerCase());
    expect(found.map(({ to }) => to)).toContain(pathTo(page, { masterid: 'm1', id: 'e1' }));
    expect(found[0]?.name.startsWith(page.title)).toBe(true);
  }
});

test('a marketplace account leads to its transfers; the account settings are offered only to administrators', () => {
  expect(matching(placeEntries([master]), 'laden')).toMatchObject([
    { to: '/kanaele/k1/uebertragung', group: 'Konten bei Marktplätzen', detail: 'Konto für Hauptkatalog' },
  ]);
  const channels = (admin: boolean) =>
    matching(screenEntries({ master, exportId: 'e1' }, { ...nothing, admin }), 'kanäle');
  expect([channels(true).length, channels(false).length]).toEqual([1, 0]);
});

test('HDR-07 the settings below others are found by the roles that see them', () => {
  const found = (title: string, may: object) =>
    matching(screenEntries({ master, exportId: 'e1' }, { ...nothing, ...may }), title).map(({ to }) => to);
  expect(found('shopsystem-mappings', {})).toEqual(['/master/m1/shop-mappings']);
  const byAdmins = ['Benachrichtigungen einstellen', 'Sicherheitsprotokoll'];
  expect(byAdmins.flatMap((title) => found(title, { admin: true }))).toEqual([
    '/einstellungen/benachrichtigungen',
    '/einstellungen/sicherheitsprotokoll',
  ]);
  const byOwners = ['Firmendaten', 'Betrieb'];
  expect(byOwners.flatMap((title) => found(title, { owner: true }))).toEqual([
    '/einstellungen/firmendaten',
    '/betrieb',
  ]);
  expect(byAdmins.flatMap((title) => found(title, { owner: true }))).toEqual([]);
  expect(byOwners.flatMap((title) => found(title, { admin: true }))).toEqual([]);
});

test('ORD-01 the order statistic is found only by users who may see orders', () => {
  const found = (orders: boolean) =>
    matching(screenEntries({ master, exportId: 'e1' }, { ...nothing, orders }), 'auswert');
  expect(found(true)).toMatchObject([{ to: '/bestellungen/auswertung', detail: 'Bestellungen' }]);
  expect(found(false)).toEqual([]);
});

test('RUL-02 a rule is found by name and address, and shown as paused or nameless if it is', () => {
  const entry = foundEntry({
    kind: 'rule',
    scope: { kind: 'export', id: 'e1' },
    ruleid: 'RuleBosch1',
    name: ' ',
    detail: 'idealo',
    active: false,
  });
  expect(entry).toMatchObject({ to: '/exports/e1/regeln/RuleBosch1', name: '...', detail: 'pausiert · idealo' });
});

test('an item number with characters special in URLs leads to its own page', () => {
  const { to } = foundEntry({ kind: 'item', masterid: 'm1', itemid: 'a/b?c#d', name: 'x', detail: '' });
  expect(to).toBe('/master/m1/artikel/a%2Fb%3Fc%23d');
});

test('every typed word must occur; names that begin with it come first', () => {
  const entries = [...placeEntries([master]), ...screenEntries({ master, exportId: 'e1' }, nothing)];
  expect(matching(entries, 'regeln idealo').map(({ to }) => to)).toEqual(['/exports/e1/regeln']);
  expect(matching(entries, 'ide')[0]?.name).toBe('idealo');
  expect(matching(entries, 'gibt es nicht')).toEqual([]);
  expect(matching(entries, '')).toHaveLength(entries.length);
});
