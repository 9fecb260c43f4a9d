import type { Master } from '#shared/masters/schema.ts';
import { pages, type Page } from '#shared/pages.ts';
import type { Found } from '#shared/search/schema.ts';
import { pathTo } from '#client/address.ts';
import type { Active } from '#client/shell/active.ts';

/** An entry of the command palette: its target and texts. */
export type PaletteEntry = { key: string; group: string; name: string; detail: string; to: string };

const all: readonly Page[] = Object.values(pages);
const inMenu = (menu: Page['menu']) => all.filter((page) => page.menu === menu);

type May = { admin: boolean; orders: boolean; owner: boolean };

/**
 * Returns the screens that can be reached from here: general ones, those of the active catalogue and of the active export; some
 * only if `may` allows.
 */
export function screenEntries({ master, exportId }: Active, may: May): PaletteEntry[] {
  const entry = (page: Page, detail: string, params: Record<string, string> = {}): PaletteEntry => {
    const to = pathTo(page, params);
    return { key: `screen ${to}`, group: 'Seiten', name: page.title, detail, to };
  };
  const exported = master?.exports.find(({ id }) => id === exportId);
  return [
    ...inMenu('home').map((page) => entry(page, '')),
    ...(master === null
      ? []
      : [...inMenu('master'), pages.shopMappings].map((page) =>
          entry(page, master.name, { masterid: master.masterid }),
        )),
    ...(exported === undefined ? [] : inMenu('export').map((page) => entry(page, exported.name, { id: exported.id }))),
    ...(may.orders ? inMenu('orders').map((page) => entry(page, 'Bestellungen')) : []),
    ...inMenu('system').map((page) => entry(page, '')),
    ...(may.admin
      ? [
          entry(pages.marketplaceAccounts, 'Verkäuferkonten bei Marktplätzen einrichten'),
          entry(pages.notificationSettings, 'E-Mail und Webhooks'),
          entry(pages.securityLog, 'Anmeldungen, Zugänge, geholte Dateien, Freigaben'),
        ]
      : []),
    ...(may.owner
      ? [
          entry(pages.companyData, 'Alles herunterladen oder die Firma löschen'),
          entry(pages.operations, 'Sicherung und Wiederherstellung der Installation'),
        ]
      : []),
    entry(pages.account, ''),
  ];
}

/** Returns the catalogues, exports and accounts that the shell knows: offered before anything is typed. */
export function placeEntries(masters: readonly Master[]): PaletteEntry[] {
  return masters.flatMap(({ masterid, name, exports, accounts }) => [
    foundEntry({ kind: 'master', masterid, name, detail: 'Katalog' }),
    ...exports.map((one) => foundEntry({ kind: 'export', id: one.id, name: one.name, detail: `Export von ${name}` })),
    ...accounts.map((one) => foundEntry({ kind: 'account', id: one.id, name: one.name, detail: `Konto für ${name}` })),
  ]);
}

const groups = {
  master: 'Kataloge',
  export: 'Exporte',
  account: 'Konten bei Marktplätzen',
  rule: 'Regeln',
  item: 'Artikel',
} as const;

export function foundEntry(found: Found): PaletteEntry {
  const to = addressOf(found);
  const name = found.name.trim() === '' ? '...' : found.name;
  const detail = found.kind === 'rule' && !found.active ? `pausiert · ${found.detail}` : found.detail;
  return { key: `${found.kind} ${to}`, group: groups[found.kind], name, detail, to };
}

function addressOf(found: Found): string {
  switch (found.kind) {
    case 'master':
      return pathTo(pages.items, { masterid: found.masterid });
    case 'export':
      return pathTo(pages.export, { id: found.id });
    case 'account':
      return pathTo(pages.accountTransfer, { id: found.id });
    case 'item':
      return pathTo(pages.item, { masterid: found.masterid, itemid: found.itemid });
    case 'rule': {
      const { ruleid, scope } = found;
      return scope.kind === 'master'
        ? pathTo(pages.masterRules, { masterid: scope.id, ruleid })
        : pathTo(pages.exportRules, { id: scope.id, ruleid });
    }
  }
}

/** Returns the entries that contain every typed word; entries whose name begins with the typed text come first. */
export function matching(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = ({ name, detail }: PaletteEntry) => {
    const text = `${name} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const begins = ({ name }: PaletteEntry) => name.toLowerCase().startsWith(words[0] ?? '');
  const found = entries.filter(fits);
  return [...found.filter(begins), ...found.filter((entry) => !begins(entry))];
}
