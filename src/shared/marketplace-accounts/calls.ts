import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, Ok } from '#shared/http/call-parts.ts';
import {
  MarketplaceAccount,
  MarketplaceAccountNew,
  MarketplaceAccountSave,
  MarketplaceChannel,
  MarketplaceConnector,
} from './schema.ts';
import { Trial } from '#shared/notifications/schema.ts';

const accountid = z.object({ id });

export const marketplaceAccountCalls = {
  marketplaceConnectors: {
    method: 'GET',
    path: '/api/marketplace-connectors',
    summary: 'Marktplätze, die das Programm kennt, und welche Angaben ihre Konten brauchen',
    access: 'enter',
    response: z.object({ connectors: z.array(MarketplaceConnector) }),
  },
  marketplaceAccounts: {
    method: 'GET',
    path: '/api/marketplace-accounts',
    summary: 'Konten bei Marktplätzen, ohne ihre Geheimnisse',
    access: 'admin',
    response: z.object({ accounts: z.array(MarketplaceAccount) }),
  },
  marketplaceChannels: {
    method: 'GET',
    path: '/api/marketplace-channels',
    summary:
      'Konten bei Marktplätzen als Kanäle: wie viele Artikel sie verkaufen und wie sie zuletzt aktualisiert wurden',
    access: 'read',
    response: z.object({ channels: z.array(MarketplaceChannel) }),
  },
  marketplaceChannel: {
    method: 'GET',
    path: '/api/marketplace-channels/{id}',
    summary: 'Ein Konto bei einem Marktplatz als Kanal',
    access: 'read',
    params: accountid,
    response: MarketplaceChannel,
  },
  createMarketplaceAccount: {
    security: 'secret',
    method: 'POST',
    path: '/api/marketplace-accounts',
    summary: 'Konto bei einem Marktplatz anlegen',
    access: 'admin',
    stepUp: true,
    body: MarketplaceAccountNew,
    response: z.object({ id }),
  },
  saveMarketplaceAccount: {
    security: 'secret',
    method: 'POST',
    path: '/api/marketplace-accounts/{id}',
    summary: 'Konto ändern; leere Geheimnisse lassen die gespeicherten gelten',
    access: 'admin',
    stepUp: true,
    params: accountid,
    body: MarketplaceAccountSave,
    response: Ok,
  },
  deleteMarketplaceAccount: {
    security: 'secret',
    method: 'DELETE',
    path: '/api/marketplace-accounts/{id}',
    summary:
      'Konto mit seinen Zugangsdaten und den Zuordnungen eigener Angebote löschen; Entscheidungen bleiben erhalten',
    access: 'admin',
    stepUp: true,
    params: accountid,
    response: Ok,
  },
  testMarketplaceAccount: {
    method: 'POST',
    path: '/api/marketplace-accounts/{id}/test',
    summary: 'Verbindung eines gespeicherten Kontos prüfen',
    access: 'admin',
    params: accountid,
    response: Trial,
  },
  subscribeMarketplaceAccount: {
    method: 'POST',
    path: '/api/marketplace-accounts/{id}/subscribe',
    summary: 'Mitteilungen über Angebote und Bestellungen beim Marktplatz in die Warteschlange des Kontos bestellen',
    access: 'admin',
    params: accountid,
    response: Trial,
  },
} as const satisfies Record<string, Call>;
