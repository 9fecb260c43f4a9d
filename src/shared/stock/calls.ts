import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, offset, Ok, Saved } from '#shared/http/call-parts.ts';
import { StockChannelName, StockEffect, stockFilters, StockReason, StockRow, StockState } from './schema.ts';
import { StockSettings } from './settings.ts';

const master = z.object({ masterid: id });

/** Calls for stock: what may be sold, and what each channel offers. */
export const stockCalls = {
  stock: {
    method: 'GET',
    path: '/api/stock/{masterid}',
    summary: 'Bestände eines Katalogs: vorhanden, reserviert, verfügbar und je Kanal angeboten',
    access: 'orders',
    params: master,
    query: z.object({
      filter: z.enum(stockFilters).default('alle'),
      search: z.string().trim().max(200).default(''),
      offset,
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    response: z.object({
      state: StockState,
      channels: z.array(StockChannelName),
      rows: z.array(StockRow),
      total: z.number().int(),
      as_of: z.string(),
    }),
    question: 'records',
  },
  stockCsv: {
    security: 'download',
    method: 'GET',
    path: '/api/stock/{masterid}/csv',
    summary: 'Alle Bestände eines Katalogs als CSV',
    access: 'orders',
    params: master,
    mediaType: 'text/csv',
    question: 'file',
  },
  stockReason: {
    method: 'GET',
    path: '/api/stock/{masterid}/items/{itemid}',
    summary: 'Warum ein Artikel diesen Bestand hat, mit den Bestellungen, die ihn reservieren',
    access: 'orders',
    params: z.object({ masterid: id, itemid: z.string().min(1).max(1000) }),
    response: StockReason,
  },
  stockSettings: {
    method: 'GET',
    path: '/api/stock/{masterid}/settings',
    summary: 'Wie der Bestand eines Katalogs berechnet wird',
    access: 'orders',
    params: master,
    response: z.object({
      settings: StockSettings,
      revision: z.number().int(),
      /** Names of the catalogue's fields, and every channel that it sells through. */
      fields: z.array(z.string()),
      channels: z.array(StockChannelName),
    }),
  },
  saveStockSettings: {
    security: 'settings',
    method: 'POST',
    path: '/api/stock/{masterid}/settings',
    summary: 'Festlegen, wie der Bestand eines Katalogs berechnet wird',
    access: 'edit',
    ifMatch: true,
    params: master,
    body: StockSettings,
    response: Saved,
  },
  stockEffect: {
    method: 'POST',
    path: '/api/stock/{masterid}/effect',
    summary: 'Was Einstellungen des Bestands ändern würden, ohne sie zu speichern',
    access: 'orders',
    params: master,
    body: StockSettings,
    response: StockEffect,
    question: 'catalogue',
  },
  releaseStock: {
    security: 'release',
    method: 'POST',
    path: '/api/stock/{masterid}/release',
    summary: 'Angehaltene Bestände trotzdem senden, mit Begründung',
    access: 'edit',
    params: master,
    body: z.object({ reason: z.string().trim().min(3, 'Bitte begründen Sie die Freigabe.').max(500) }),
    response: Ok,
  },
} as const satisfies Record<string, Call>;
