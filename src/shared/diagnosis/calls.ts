import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { exportid, id } from '#shared/http/call-parts.ts';
import { AttributeValue } from '#shared/attributes/schema.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { SaveImpact } from './save-impact.ts';
import { Diagnosis, ItemProblem, ProblemItem } from './schema.ts';

const rows = z.array(ConstructionRow).max(1000).optional();
const bodyLimit = 4 * 1024 * 1024;

export const diagnosisCalls = {
  diagnosis: {
    method: 'GET',
    path: '/api/exports/{id}/diagnosis',
    summary:
      'Prüfung der Artikel gegen die Vorgaben des Kanals, wie sie beim letzten Lauf (oder dem genannten) ausfiel',
    access: 'read',
    params: exportid,
    query: z.object({ run: id.optional() }),
    response: Diagnosis,
    question: 'catalogue',
  },
  diagnoseNow: {
    method: 'POST',
    path: '/api/exports/{id}/diagnosis/now',
    summary: 'Dieselbe Prüfung mit dem jetzigen Stand, auch mit ungespeichertem Feldaufbau; es wird nichts geschrieben',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: z.object({ rows }),
    bodyLimit,
    response: Diagnosis,
  },
  saveImpact: {
    method: 'POST',
    path: '/api/exports/{id}/impact',
    summary: 'Was ein Speichern dieses Feldaufbaus oder dieses Attributs an den Artikeln des Exports ändern würde',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: z.object({ rows, attribute: AttributeValue.optional() }),
    bodyLimit,
    response: SaveImpact,
  },
  problemItems: {
    method: 'POST',
    path: '/api/exports/{id}/diagnosis/items',
    summary: 'Artikel mit einem Problem, mit den Werten, die es zeigen',
    question: 'catalogue',
    access: 'read',
    params: exportid,
    body: z.object({
      problem: z.string().min(1).max(1000),
      /** A finished run; the last one if absent. */
      run: id.optional(),
      /** The present state instead of a run. */
      now: z.boolean().default(false),
      rows,
      offset: z.number().int().min(0).max(100_000_000).default(0),
      limit: z.number().int().min(1).max(200).default(20),
    }),
    bodyLimit,
    response: z.object({ items: z.array(ProblemItem) }),
  },
  checkImages: {
    method: 'POST',
    path: '/api/exports/{id}/images/check',
    summary: 'Bilder des letzten Laufs ansehen: erreichbar, groß genug, im richtigen Format',
    access: 'run',
    params: exportid,
    response: z.object({ runid: id }),
  },
  itemProblems: {
    method: 'GET',
    path: '/api/exports/{id}/diagnosis/items/{itemid}',
    summary: 'Alle Probleme eines Artikels beim letzten Lauf (oder dem genannten)',
    access: 'read',
    params: exportid.extend({ itemid: z.string().min(1).max(2000) }),
    query: z.object({ run: id.optional() }),
    response: z.object({
      /** null: the item was not in the run. */
      problems: z.array(ItemProblem.extend({ values: ProblemItem.shape.values })).nullable(),
    }),
    question: 'catalogue',
  },
} as const satisfies Record<string, Call>;
