import { z } from 'zod';
import type { Call } from './call.ts';
import { id, masterid, Saved } from './call-parts.ts';
import { DecideQuestion, Decision } from './repricer-decision.ts';
import { RepricerState, RepricerSwitches } from './repricer-state.ts';
import { RepricerRule, RepricerRuleMap } from './repricer.ts';

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
    params: z.object({ masterid: id, ruleid: id }),
    body: RepricerRule.extend({ id: z.string().max(40).default('') }),
    response: Saved.extend({ active: z.boolean(), complete: z.boolean() }),
  },
  deleteRepricerRule: {
    method: 'POST',
    path: '/apis/{masterid}/repricer/sub_operator/delete',
    summary: 'Eine Repricing-Regel löschen',
    access: 'prices',
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
    params: masterid,
    body: z.object({ ids: z.array(z.string().max(40)).max(1000) }),
    response: Saved,
  },
  repricerState: {
    method: 'GET',
    path: '/api/repricer/{masterid}/state',
    summary: 'Schalter des Repricers und Reihenfolge seiner Regeln',
    access: 'read',
    params: masterid,
    response: RepricerState,
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
  decidePrice: {
    method: 'POST',
    path: '/api/repricer/{masterid}/decide',
    summary:
      'Preis, den eine Regel für einen Artikel und Angebote ergäbe, mit der ganzen Rechnung; nichts wird gesendet',
    access: 'read',
    params: masterid,
    body: DecideQuestion,
    response: Decision,
  },
} as const satisfies Record<string, Call>;
