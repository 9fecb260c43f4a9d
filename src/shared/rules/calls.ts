import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id, masterid, Saved } from '#shared/http/call-parts.ts';
import { EffectRequest, RuleCounts, RuleEffect, RuleFindings, RuleImpact, UnsavedRules } from './effect.ts';
import { Statistics, StatisticsRequest } from './statistics.ts';
import { Rule } from './schema.ts';

const ruleList = { body: z.array(Rule).max(500).meta({ id: 'Rules' }), bodyLimit: 4 * 1024 * 1024 } as const;

/** Rules (RUL); the id is that of a master or of an export. */
export const ruleCalls = {
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
    ifMatch: true,
    params: masterid,
    ...ruleList,
    response: Saved,
  },
  saveMasterRules: {
    method: 'POST',
    path: '/api/master_operators/{masterid}/save',
    summary: 'Alle Master-Regeln speichern',
    access: 'edit',
    ifMatch: true,
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
    body: StatisticsRequest,
    bodyLimit: ruleList.bodyLimit,
    response: Statistics,
  },
  ruleEffect: {
    method: 'POST',
    path: '/api/rule/effect/{masterid}',
    summary: 'Live-Wirkung der bearbeiteten Regel: Zahlen, Gründe und zehn Beispiele vorher/nachher',
    access: 'read',
    params: masterid,
    body: EffectRequest,
    bodyLimit: ruleList.bodyLimit,
    response: RuleEffect,
  },
  ruleCounts: {
    method: 'POST',
    path: '/api/rule/counts/{masterid}',
    summary: 'Zahlen jeder Regel an ihrer Stelle auf dem ungespeicherten Stand',
    access: 'read',
    params: masterid,
    body: UnsavedRules,
    bodyLimit: ruleList.bodyLimit,
    response: RuleCounts,
  },
  ruleImpact: {
    method: 'POST',
    path: '/api/rule/impact/{masterid}',
    summary: 'Was ein Speichern dieser Regeln in jedem Export ändern würde, auf allen Artikeln',
    access: 'read',
    params: masterid,
    body: UnsavedRules,
    bodyLimit: ruleList.bodyLimit,
    response: RuleImpact,
  },
  ruleFindings: {
    method: 'POST',
    path: '/api/rule/check/{masterid}',
    summary: 'Prüfung der Regeln auf dem Katalog: wirkungslos, verdeckt, überschrieben, widersprüchlich, Feld fehlt',
    access: 'read',
    params: masterid,
    body: UnsavedRules,
    bodyLimit: ruleList.bodyLimit,
    response: RuleFindings,
  },
  copyRules: {
    method: 'POST',
    path: '/api/rule/copy/{masterid}',
    summary: 'Regeln ans Ende eines anderen Katalogs oder Exports kopieren, pausiert und mit neuen Kennungen',
    access: 'edit',
    params: masterid,
    body: z.object({ rules: z.array(Rule).min(1).max(100) }),
    bodyLimit: ruleList.bodyLimit,
    response: Saved,
  },
} as const satisfies Record<string, Call>;
