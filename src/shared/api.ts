import { z } from 'zod';
import * as account from './account.ts';
import type { Call } from './call.ts';
import { Construction, ConstructionRow, SourceField } from './construction.ts';
import { Export, ExportSettings, NewExport } from './exports.ts';
import { FieldsUpdate, ItemCard, ItemPage, ItemQuery } from './items.ts';
import { Master, NewMaster, Snapshot } from './masters.ts';
import { Statistics, StatisticsQuestion } from './rule-statistics.ts';
import { Rule } from './rules.ts';
import { RejectedRow, Run } from './runs.ts';

const id = z.string().min(1).max(40);
const masterid = z.object({ masterid: id });
const exportid = z.object({ id });
const runid = z.object({ runid: id });
const Ok = z.object({ ok: z.literal(true) });
/** A save tells the new revision; sending it back as If-Match detects a stale form (409). */
const Saved = z.object({ ok: z.literal(true), revision: z.number().int(), message: z.string() });
const ruleList = { body: z.array(Rule).max(500), bodyLimit: 4 * 1024 * 1024 } as const;

/** Every call, a line or a few each. Paths and property names of the specification's calls are the specification's. */
export const api = {
  // Accounts
  signIn: {
    method: 'POST',
    path: '/api/session',
    summary: 'Anmelden',
    access: 'public',
    body: account.Credentials,
    response: account.Session,
  },
  session: {
    method: 'GET',
    path: '/api/session',
    summary: 'Aktuelle Sitzung',
    access: 'read',
    response: account.Session,
  },
  signOut: { method: 'DELETE', path: '/api/session', summary: 'Abmelden', access: 'public', response: Ok },
  tokens: {
    method: 'GET',
    path: '/api/tokens',
    summary: 'API-Zugänge auflisten',
    access: 'admin',
    response: z.array(account.Token),
  },
  createToken: {
    method: 'POST',
    path: '/api/tokens',
    summary: 'API-Zugang anlegen; das Geheimnis wird nur hier gezeigt',
    access: 'admin',
    body: account.NewToken,
    response: account.Token.extend({ token: z.string() }),
  },
  deleteToken: {
    method: 'DELETE',
    path: '/api/tokens/{id}',
    summary: 'API-Zugang löschen',
    access: 'admin',
    params: exportid,
    response: Ok,
  },
  members: {
    method: 'GET',
    path: '/api/members',
    summary: 'Benutzer der Firma',
    access: 'admin',
    response: z.array(account.Member),
  },
  createMember: {
    method: 'POST',
    path: '/api/members',
    summary: 'Benutzer anlegen',
    access: 'admin',
    body: account.NewMember,
    response: account.Member,
  },
  deleteMember: {
    method: 'DELETE',
    path: '/api/members/{id}',
    summary: 'Benutzer aus der Firma entfernen',
    access: 'admin',
    params: exportid,
    response: Ok,
  },

  // Masters, imports, snapshots
  masters: {
    method: 'GET',
    path: '/api/masters',
    summary: 'Kataloge auflisten',
    access: 'read',
    response: z.array(Master),
  },
  createMaster: {
    method: 'POST',
    path: '/api/masters',
    summary: 'Katalog anlegen',
    access: 'edit',
    body: NewMaster,
    response: z.object({ masterid: id }),
  },
  master: {
    method: 'GET',
    path: '/api/masters/{masterid}',
    summary: 'Ein Katalog',
    access: 'read',
    params: masterid,
    response: Master,
  },
  /** Multipart (`file`, `options`) or JSON {url, options}; the route reads both itself. */
  import: {
    method: 'POST',
    path: '/api/masters/{masterid}/import',
    summary: 'Import starten: multipart mit file und options, oder JSON {url, options}',
    access: 'run',
    params: masterid,
    response: z.object({ runid: id }),
  },
  masterRuns: {
    method: 'GET',
    path: '/api/masters/{masterid}/runs',
    summary: 'Letzte Importe',
    access: 'read',
    params: masterid,
    response: z.array(Run),
  },
  snapshots: {
    method: 'GET',
    path: '/api/masters/{masterid}/snapshots',
    summary: 'Aufbewahrte Stände',
    access: 'read',
    params: masterid,
    response: z.array(Snapshot),
  },

  // Runs
  run: {
    method: 'GET',
    path: '/api/runs/{runid}',
    summary: 'Stand eines Laufs',
    access: 'read',
    params: runid,
    response: Run,
  },
  rejected: {
    method: 'GET',
    path: '/api/runs/{runid}/rejected',
    summary: 'Abgelehnte und doppelte Zeilen',
    access: 'read',
    params: runid,
    query: z.object({
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(1000).default(100),
    }),
    response: z.object({ rows: z.array(RejectedRow), total: z.number().int() }),
  },
  cancelRun: {
    method: 'POST',
    path: '/api/runs/{runid}/cancel',
    summary: 'Lauf abbrechen',
    access: 'run',
    params: runid,
    response: Run,
  },
  releaseRun: {
    method: 'POST',
    path: '/api/runs/{runid}/release',
    summary: 'Zurückgehaltenen Stand freigeben',
    access: 'run',
    params: runid,
    body: z.object({ reason: z.string().trim().min(1).max(1000) }),
    response: Run,
  },

  // Items (ITE)
  items: {
    method: 'GET',
    path: '/api/items/data',
    summary: 'Artikel seitenweise',
    access: 'read',
    query: ItemQuery,
    response: ItemPage,
  },
  item: {
    method: 'GET',
    path: '/api/items/data/id/{id}',
    summary: 'Ein Artikel',
    access: 'read',
    params: z.object({ id: z.string().min(1).max(2000) }),
    query: z.object({ masterid: id.optional() }),
    response: ItemCard,
  },
  updateFields: {
    method: 'POST',
    path: '/api/items/fields/update',
    summary: 'Sichtbare Spalten speichern',
    access: 'edit',
    body: FieldsUpdate,
    response: Ok,
  },
  itemsCsv: {
    method: 'GET',
    path: '/api/items/csv',
    summary: 'Artikel als CSV-Datei',
    access: 'read',
    query: ItemQuery.omit({ offset: true, limit: true }),
  },

  // Rules (RUL); the id is that of a master or of an export
  rules: {
    method: 'POST',
    path: '/api/rule/{masterid}',
    summary: 'Regeln laden',
    access: 'read',
    params: masterid,
    response: z.array(Rule),
  },
  masterRules: {
    method: 'POST',
    path: '/api/master_operators/rule/{id}',
    summary: 'Master-Regeln laden',
    access: 'read',
    params: exportid,
    response: z.array(Rule),
  },
  saveRules: {
    method: 'POST',
    path: '/api/operators/{masterid}/save',
    summary: 'Alle Regeln speichern',
    access: 'edit',
    params: masterid,
    ...ruleList,
    response: Saved,
  },
  saveMasterRules: {
    method: 'POST',
    path: '/api/master_operators/{masterid}/save',
    summary: 'Alle Master-Regeln speichern',
    access: 'edit',
    params: masterid,
    ...ruleList,
    response: Saved,
  },
  deleteRule: {
    method: 'POST',
    path: '/api/operators/{masterid}/{ruleid}/delete',
    summary: 'Regel löschen',
    access: 'edit',
    params: z.object({ masterid: id, ruleid: id }),
    response: Saved,
  },
  deleteMasterRule: {
    method: 'POST',
    path: '/api/master_operators/{masterid}/{ruleid}/delete',
    summary: 'Master-Regel löschen',
    access: 'edit',
    params: z.object({ masterid: id, ruleid: id }),
    response: Saved,
  },
  ruleStatistics: {
    method: 'POST',
    path: '/api/rule/statistic/data/{masterid}',
    summary: 'Wirkung einer Regel auf dem ungespeicherten Stand',
    access: 'read',
    params: masterid,
    body: StatisticsQuestion,
    bodyLimit: ruleList.bodyLimit,
    response: Statistics,
  },

  // Field pickers and construction (CON)
  fieldData: {
    method: 'POST',
    path: '/api/fielddata/',
    summary: 'Verfügbare Quellfelder (Gruppe _field)',
    access: 'read',
    query: z.object({ masterid: id.optional(), id: id.optional() }),
    response: z.array(SourceField),
  },
  construction: {
    method: 'GET',
    path: '/api/exports/{id}/construction',
    summary: 'Feldaufbau laden',
    access: 'read',
    params: exportid,
    response: Construction,
  },
  saveConstruction: {
    method: 'POST',
    path: '/exports/{projectId}/construction/saveajax',
    summary: 'Feldaufbau speichern',
    access: 'edit',
    params: z.object({ projectId: id }),
    body: z.array(ConstructionRow).max(1000),
    bodyLimit: 4 * 1024 * 1024,
    response: Saved.extend({ incomplete: z.array(z.string()) }),
  },
  previewExport: {
    method: 'POST',
    path: '/api/exports/{id}/preview',
    summary: 'Erste Artikel des Exports, auch mit ungespeichertem Feldaufbau',
    access: 'read',
    params: exportid,
    body: z.object({
      rows: z.array(ConstructionRow).max(1000).optional(),
      limit: z.number().int().min(1).max(100).default(20),
    }),
    bodyLimit: 4 * 1024 * 1024,
    response: z.object({
      columns: z.array(z.string()),
      data: z.array(z.array(z.string().nullable())),
      total: z.number().int(),
    }),
  },

  // Exports
  createExport: {
    method: 'POST',
    path: '/api/masters/{masterid}/exports',
    summary: 'Export anlegen',
    access: 'edit',
    params: masterid,
    body: NewExport,
    response: z.object({ id }),
  },
  export: {
    method: 'GET',
    path: '/api/exports/{id}',
    summary: 'Ein Export',
    access: 'read',
    params: exportid,
    response: Export,
  },
  saveExport: {
    method: 'POST',
    path: '/api/exports/{id}/settings',
    summary: 'Einstellungen eines Exports speichern',
    access: 'edit',
    params: exportid,
    body: ExportSettings,
    response: Saved,
  },
  runExport: {
    method: 'POST',
    path: '/api/exports/{id}/run',
    summary: 'Export starten',
    access: 'run',
    params: exportid,
    response: z.object({ runid: id }),
  },
  exportRuns: {
    method: 'GET',
    path: '/api/exports/{id}/runs',
    summary: 'Letzte Läufe eines Exports',
    access: 'read',
    params: exportid,
    response: z.array(Run),
  },
  exportFile: {
    method: 'GET',
    path: '/api/exports/{id}/file',
    summary: 'Zuletzt angenommene Datei',
    access: 'read',
    params: exportid,
  },
  feed: {
    method: 'GET',
    path: '/feeds/{token}/{name}',
    summary: 'Datei unter ihrer geheimen Adresse; name ist der Dateiname oder ein Feed-Typ',
    access: 'public',
    params: z.object({ token: z.string().min(20).max(100), name: z.string().min(1).max(200) }),
  },
} as const satisfies Record<string, Call>;
