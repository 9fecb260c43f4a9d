import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, masterid, Saved } from '#shared/http/call-parts.ts';
import { LimitChange, LimitsQuestion, SimulatedContent } from './before-save.ts';
import { SafetyState, SaveSafety } from './safety.ts';
import { DecideRequest, Decision } from './decision.ts';
import {
  OwnListing,
  PriceDecision,
  PriceRuler,
  RepricerField,
  Simulation,
  SimulationRequest,
  TakenOffers,
} from './history.ts';
import { RepricerState, RepricerSwitches, RestorePreview } from './state.ts';
import { RepricerRule, RepricerRuleMap } from './schema.ts';
import { moment } from '#shared/values/schema.ts';

/** Repricing rules (REP) and the switches of the add-on. */
export const repricerCalls = {
  repricerRules: {
    method: 'POST',
    path: '/api/repricer/{masterid}',
    summary: 'Repricing-Regeln laden, nach Kennung',
    access: 'read',
    params: masterid,
    response: RepricerRuleMap,
  },
  saveRepricerRule: {
    method: 'POST',
    path: '/api/repricer/{masterid}/{ruleid}/save',
    summary: 'Eine Repricing-Regel speichern; eine unvollständige wird pausiert gespeichert',
    access: 'prices',
    ifMatch: true,
    params: z.object({ masterid: id, ruleid: id }),
    body: RepricerRule.extend({ id: z.string().max(40).default('') }),
    response: Saved.extend({ active: z.boolean(), complete: z.boolean() }),
  },
  deleteRepricerRule: {
    method: 'POST',
    path: '/apis/{masterid}/repricer/sub_operator/delete',
    summary: 'Eine Repricing-Regel löschen',
    access: 'prices',
    ifMatch: true,
    params: masterid,
    query: z.object({ queryselector: z.string().max(40).default('') }),
    response: Saved,
  },
  orderRepricerRules: {
    method: 'POST',
    path: '/api/repricer/{masterid}/order',
    summary:
      'Reihenfolge der Repricing-Regeln: die erste aktive, vollständige, die für einen Artikel gilt, bestimmt seinen Preis',
    access: 'prices',
    ifMatch: true,
    params: masterid,
    body: z.object({ ids: z.array(z.string().max(40)).max(1000) }),
    response: Saved,
  },
  repricerState: {
    method: 'GET',
    path: '/api/repricer/{masterid}/state',
    summary:
      'Schalter des Repricers, Reihenfolge seiner Regeln, Stand der Preisfelder und Angebote mit stark geänderten Preisgrenzen',
    access: 'read',
    params: masterid,
    response: RepricerState,
  },
  repricerFields: {
    method: 'GET',
    path: '/api/repricer/{masterid}/fields',
    summary: 'Felder, aus denen eine Regel Preise lesen kann, mit einem Beispiel nach Master-Regeln und Mappings',
    access: 'read',
    params: masterid,
    response: z.array(RepricerField),
  },
  setRepricerState: {
    method: 'POST',
    path: '/api/repricer/{masterid}/state',
    summary: 'Repricer ein- und ausschalten, Probelauf, Notaus',
    access: 'prices',
    params: masterid,
    body: RepricerSwitches.partial(),
    response: RepricerState,
  },
  priceSafety: {
    method: 'GET',
    path: '/api/repricer/{masterid}/safety',
    summary: 'Werte der Sicherungen, die einzelne und viele Preise zugleich anhalten',
    access: 'read',
    params: masterid,
    response: SafetyState,
  },
  savePriceSafety: {
    method: 'POST',
    path: '/api/repricer/{masterid}/safety',
    summary:
      'Werte der Sicherungen speichern; was weniger sicher wird, verlangt eine Bestätigung mit Grund (sonst 409)',
    access: 'prices',
    stepUp: true,
    ifMatch: true,
    params: masterid,
    body: SaveSafety,
    response: SafetyState,
  },
  decidePrice: {
    method: 'POST',
    path: '/api/repricer/{masterid}/decide',
    summary:
      'Preis, den eine Regel für einen Artikel und Angebote ergäbe, mit der ganzen Rechnung; nichts wird gesendet',
    access: 'read',
    params: masterid,
    body: DecideRequest,
    response: Decision,
  },
  simulatePrices: {
    method: 'POST',
    path: '/api/repricer/{masterid}/simulate',
    summary:
      'Eine ungespeicherte Regel auf den heutigen oder den Angeboten der letzten Tage ausprobieren; nichts wird gesendet',
    question: true,
    access: 'read',
    params: masterid,
    body: SimulationRequest,
    response: Simulation,
  },
  simulatedRules: {
    method: 'GET',
    path: '/api/repricer/{masterid}/simulated',
    summary: 'Welche Fassungen der Repricing-Regeln simuliert wurden, von wem und wann, neueste zuerst',
    access: 'read',
    params: masterid,
    response: z.array(SimulatedContent),
  },
  limitChange: {
    method: 'POST',
    path: '/api/repricer/{masterid}/limits',
    summary:
      'Bei wie vielen eigenen Angeboten sich Preisgrenzen ändern, wenn diese Regeln gespeichert, alle sortiert oder einige gelöscht werden',
    question: true,
    access: 'read',
    params: masterid,
    body: LimitsQuestion,
    bodyLimit: 4 * 1024 * 1024,
    response: LimitChange,
  },
  priceDecisions: {
    method: 'GET',
    path: '/api/repricer/{masterid}/items/{itemid}/decisions',
    summary:
      'Warum dieser Preis: die Entscheidungen eines Artikels, neueste zuerst, mit allem, woraus sie gemacht sind',
    access: 'read',
    params: z.object({ masterid: id, itemid: z.string().min(1).max(500) }),
    query: z.object({
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.array(PriceDecision),
  },
  priceRuler: {
    method: 'GET',
    path: '/api/repricer/{masterid}/items/{itemid}/ruler',
    summary:
      'Preise eines Artikels nebeneinander, je Marktplatz: Grenzen, eigener, günstigster Wettbewerber, BuyBox, in Cent',
    access: 'read',
    params: z.object({ masterid: id, itemid: z.string().min(1).max(500) }),
    query: z.object({ marketplace: z.string().max(100).optional() }),
    response: z.array(PriceRuler),
  },
  saveListings: {
    method: 'POST',
    path: '/api/repricer/{masterid}/listings',
    summary: 'Eigene Angebote melden: welcher Artikel auf dem Marktplatz welcher ist',
    access: 'prices',
    params: masterid,
    body: z.array(OwnListing).max(5000),
    bodyLimit: 4 * 1024 * 1024,
    response: z.object({ ok: z.literal(true), saved: z.number().int() }),
  },
  takeOffers: {
    method: 'POST',
    path: '/api/repricer/{masterid}/offers',
    summary: 'Nachrichten über geänderte Angebote (ANY_OFFER_CHANGED) und Bestellungen (ORDER_CHANGE) entgegennehmen',
    access: 'prices',
    params: masterid,
    body: z.array(z.unknown()).max(500),
    bodyLimit: 8 * 1024 * 1024,
    response: TakenOffers,
  },
  releasePrices: {
    method: 'POST',
    path: '/api/repricer/{masterid}/release',
    summary: 'Ausgelöste Sicherungen freigeben, oder stark geänderte Preisgrenzen des heutigen Standes bestätigen',
    access: 'prices',
    params: masterid,
    body: z.object({
      what: z.enum(['breakers', 'limits']),
      reason: z.string().trim().min(1).max(500),
      /** What somebody has looked at: these safeguards, or limits of this version (409 if they are others by now). Without it: all there is. */
      ids: z.array(z.string().max(100)).min(1).max(100).optional(),
      version: z.string().max(200).optional(),
    }),
    response: RepricerState,
  },
  releaseItems: {
    method: 'POST',
    path: '/api/repricer/{masterid}/alarms/release',
    summary: 'Artikel freigeben, die ein Verkaufsalarm anhält; über ihren Preis wird neu entschieden',
    access: 'prices',
    params: masterid,
    body: z.object({ ids: z.array(z.string().max(64)).min(1).max(500), reason: z.string().trim().min(1).max(500) }),
    response: RepricerState,
  },
  previewRestore: {
    method: 'POST',
    path: '/api/repricer/{masterid}/restore/preview',
    summary:
      'Letzte gute Preise: wie viele Artikel sich ändern würden, stellte man die Preise von vor einem Zeitpunkt wieder her',
    access: 'read',
    params: masterid,
    body: z.object({ moment }),
    response: RestorePreview,
  },
  startRestore: {
    method: 'POST',
    path: '/api/repricer/{masterid}/restore',
    summary:
      'Letzte gute Preise wiederherstellen und halten, bis es beendet wird; offene Sicherungen werden dabei freigegeben',
    access: 'prices',
    params: masterid,
    body: z.object({ moment, reason: z.string().trim().min(1).max(500) }),
    response: RepricerState,
  },
  endRestore: {
    method: 'POST',
    path: '/api/repricer/{masterid}/restore/end',
    summary: 'Die wiederhergestellten Preise nicht länger halten: die Regeln entscheiden wieder',
    access: 'prices',
    params: masterid,
    response: RepricerState,
  },
  stopPrices: {
    method: 'POST',
    path: '/api/repricer-stop',
    summary: 'Notaus für alle Preise der Firma setzen oder aufheben',
    access: 'prices',
    body: z.object({ stopped: z.boolean(), reason: z.string().trim().max(500).default('') }),
    response: z.object({ ok: z.literal(true), stopped: z.boolean() }),
  },
} as const satisfies Record<string, Call>;
