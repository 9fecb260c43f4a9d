import { z } from 'zod';
import type { Call } from './call.ts';
import { exportid, id, masterid, Saved } from './call-parts.ts';
import { Statistics, StatisticsQuestion } from './rule-statistics.ts';
import { Rule } from './rules.ts';

const ruleList = { body: z.array(Rule).max(500), bodyLimit: 4 * 1024 * 1024 } as const;

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
} as const satisfies Record<string, Call>;
