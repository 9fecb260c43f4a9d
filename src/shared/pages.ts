import type { Permission } from '#shared/http/call.ts';

/** One screen: its path (React Router notation), German title and the folder under client/screens that shows it. */
export type Page = {
  readonly path: string;
  readonly title: string;
  /** File under client/screens, without extension. */
  readonly screen: string;
  /** 'none': without header and navigation, for users who are not, or not fully, signed in. */
  readonly frame?: 'none';
  /** Its section in the navigation; absent: reached from other screens. */
  readonly menu?: 'home' | 'master' | 'export' | 'orders' | 'system';
  /** Without this permission a user only reads what the screen edits. */
  readonly edits?: Permission;
  /** Without this permission a user cannot start what the screen starts. */
  readonly starts?: Permission;
};

/**
 * The registry of all screens (HDR-07), one per line: a screen is found here by name, and its code is loaded when it is opened.
 * The active master and export are part of the path, so that a URL can be shared.
 */
export const pages = {
  overview: { path: '/', title: 'Übersicht', screen: 'overview/overview', menu: 'home', edits: 'edit', starts: 'run' },
  import: {
    path: '/master/:masterid/import',
    title: 'Import',
    screen: 'import/import',
    menu: 'master',
    edits: 'edit',
    starts: 'run',
  },
  items: { path: '/master/:masterid/artikel', title: 'Artikel', screen: 'items/items', menu: 'master' },
  item: { path: '/master/:masterid/artikel/:itemid', title: 'Artikeldaten', screen: 'items/item' },
  explain: { path: '/master/:masterid/artikel/:itemid/erklaerung', title: 'Erklären', screen: 'explain/explain' },
  masterRules: {
    path: '/master/:masterid/regeln/:ruleid?',
    title: 'Regeln',
    screen: 'rules/master-rules',
    menu: 'master',
    edits: 'edit',
  },
  mappings: {
    path: '/master/:masterid/mappings/:mappingid?',
    title: 'Mappings',
    screen: 'mappings/mappings',
    menu: 'master',
    edits: 'edit',
  },
  shopMappings: {
    path: '/master/:masterid/shop-mappings/:mappingid?',
    title: 'Shopsystem-Mappings',
    screen: 'mappings/shop-mappings',
    edits: 'edit',
  },
  repricer: {
    path: '/repricer/:masterid/:ruleid?',
    title: 'Repricer',
    screen: 'repricer/repricer',
    menu: 'master',
    edits: 'prices',
  },
  repricerDashboard: {
    path: '/repricer/:masterid/dashboard',
    title: 'Repricer-Dashboard',
    screen: 'repricer/dashboard/dashboard',
    menu: 'master',
    edits: 'edit',
  },
  ruleChange: {
    path: '/repricer/:masterid/aenderungen/:number',
    title: 'Wirkung einer Regeländerung',
    screen: 'repricer/changes/change',
  },
  repricerDelete: {
    path: '/:marketplace/repricer/:masterid/delete',
    title: 'Repricer deaktivieren',
    screen: 'repricer/deactivate',
  },
  export: { path: '/exports/:id', title: 'Export', screen: 'export/export', menu: 'export', starts: 'run' },
  exportRules: {
    path: '/exports/:id/regeln/:ruleid?',
    title: 'Regeln',
    screen: 'rules/export-rules',
    menu: 'export',
    edits: 'edit',
  },
  categories: {
    path: '/exports/:id/kategorien',
    title: 'Kategorien',
    screen: 'categories/categories',
    menu: 'export',
    edits: 'edit',
  },
  brands: { path: '/exports/:id/marken', title: 'Marken', screen: 'brands/brands', menu: 'export', edits: 'edit' },
  colors: { path: '/exports/:id/farben', title: 'Farben', screen: 'colors/colors', menu: 'export', edits: 'edit' },
  construction: {
    path: '/exports/:id/feldaufbau',
    title: 'Feldaufbau',
    screen: 'construction/construction',
    menu: 'export',
    edits: 'edit',
  },
  attributes: {
    path: '/exports/:id/attribute',
    title: 'Attribute',
    screen: 'attributes/attributes',
    menu: 'export',
    edits: 'edit',
  },
  diagnosis: { path: '/exports/:id/diagnose', title: 'Diagnose', screen: 'diagnosis/diagnosis', menu: 'export' },
  transfer: {
    path: '/exports/:id/uebertragung',
    title: 'Übertragung',
    screen: 'transfer/transfer',
    menu: 'export',
    starts: 'run',
  },
  accountTransfer: {
    path: '/kanaele/:id/uebertragung',
    title: 'Übertragung der Preise',
    screen: 'transfer/account-transfer',
    starts: 'run',
  },
  exportSettings: {
    path: '/exports/:id/einstellungen',
    title: 'Einstellungen',
    screen: 'export-settings/export-settings',
    menu: 'export',
    edits: 'edit',
    starts: 'run',
  },
  orders: { path: '/bestellungen', title: 'Bestellungen', screen: 'orders/orders', menu: 'orders' },
  orderStatistic: {
    path: '/bestellungen/auswertung',
    title: 'Auswertung',
    screen: 'orders/statistic',
    menu: 'orders',
  },
  stock: { path: '/bestand', title: 'Bestand', screen: 'stock/stock', menu: 'orders' },
  pickList: { path: '/bestellungen/druck/pickliste', title: 'Pickliste', screen: 'orders/pick-list' },
  packingSlips: {
    path: '/bestellungen/druck/lieferscheine',
    title: 'Lieferscheine',
    screen: 'orders/packing-slips',
  },
  order: { path: '/bestellungen/:channel/:orderid', title: 'Bestellung', screen: 'orders/order' },
  activity: { path: '/verlauf', title: 'Verlauf', screen: 'history/activity', menu: 'system' },
  history: { path: '/verlauf/:subject/:scope', title: 'Verlauf', screen: 'history/history' },
  notifications: {
    path: '/benachrichtigungen',
    title: 'Benachrichtigungen',
    screen: 'notifications/notifications',
    menu: 'system',
  },
  trash: { path: '/papierkorb', title: 'Papierkorb', screen: 'trash/trash', menu: 'system', edits: 'edit' },
  settings: { path: '/einstellungen', title: 'Einstellungen', screen: 'settings/settings', menu: 'system' },
  companyData: { path: '/einstellungen/firmendaten', title: 'Firmendaten', screen: 'company-data/company-data' },
  operations: { path: '/betrieb', title: 'Betrieb', screen: 'operations/operations' },
  notificationSettings: {
    path: '/einstellungen/benachrichtigungen',
    title: 'Benachrichtigungen einstellen',
    screen: 'notification-settings/notification-settings',
  },
  securityLog: {
    path: '/einstellungen/sicherheitsprotokoll',
    title: 'Sicherheitsprotokoll',
    screen: 'security-log/security-log',
  },
  marketplaceAccounts: {
    path: '/einstellungen/kanaele',
    title: 'Kanäle',
    screen: 'marketplace-accounts/marketplace-accounts',
  },
  account: { path: '/konto', title: 'Konto', screen: 'account/account' },
  hello: { path: '/hallo', title: 'Hallo', screen: 'hello/hello' },
  login: { path: '/login', title: 'Anmelden', screen: 'login/login', frame: 'none' },
  forgotPassword: {
    path: '/passwort-vergessen',
    title: 'Passwort vergessen',
    screen: 'login/forgot-password',
    frame: 'none',
  },
  newPassword: { path: '/passwort-neu', title: 'Neues Passwort', screen: 'login/new-password', frame: 'none' },
  invitation: { path: '/einladung', title: 'Einladung', screen: 'login/invitation', frame: 'none' },
  secondFactor: {
    path: '/zweiter-faktor',
    title: 'Zweiten Faktor einrichten',
    screen: 'account/set-up-factor',
    frame: 'none',
  },
} as const satisfies Record<string, Page>;
export type PageName = keyof typeof pages;
