import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id } from '#shared/http/call-parts.ts';
import { Explanation, ItemExportValues, ItemInExport } from './schema.ts';

const item = z.object({ masterid: id, itemid: z.string().min(1).max(2000) });

export const explainCalls = {
  explain: {
    method: 'GET',
    path: '/api/masters/{masterid}/items/{itemid}/explain',
    summary: 'Woher die Werte eines Artikels kommen und warum er nicht im Export ist, Stufe um Stufe',
    question: 'catalogue',
    large: true,
    access: 'read',
    params: item,
    query: z.object({
      /** Id of an export of the master; absent: the explanation ends after the master's rules. */
      export: id.optional(),
      /** Name of a field of the export or the catalogue. */
      field: z.string().min(1).max(500).optional(),
      /** A finished run of the export: explains the state of that run. */
      run: id.optional(),
    }),
    response: Explanation,
  },
  itemExports: {
    method: 'GET',
    path: '/api/masters/{masterid}/items/{itemid}/exports',
    summary: 'In welchen Exporten ein Artikel ist, und warum nicht',
    question: 'catalogue',
    access: 'read',
    params: item,
    response: z.array(ItemInExport),
  },
  itemExportValues: {
    method: 'GET',
    path: '/api/masters/{masterid}/items/{itemid}/exports/values',
    summary: 'Was jeder Export von einem Artikel hinausgibt, geprüft gegen die Vorgaben seines Kanals',
    question: 'catalogue',
    large: true,
    access: 'read',
    params: item,
    response: z.array(ItemExportValues),
  },
} as const satisfies Record<string, Call>;
