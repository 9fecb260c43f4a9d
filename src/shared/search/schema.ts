import { z } from 'zod';

/** A search hit by name or number; `detail` says what it belongs to or its other name. */
export const Found = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('master'), masterid: z.string(), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('account'), id: z.string(), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('export'), id: z.string(), name: z.string(), detail: z.string() }),
  z.object({
    kind: z.literal('rule'),
    /** The owner of the rule: a catalogue or an export. */
    scope: z.object({ kind: z.enum(['master', 'export']), id: z.string() }),
    ruleid: z.string(),
    name: z.string(),
    detail: z.string(),
    active: z.boolean(),
  }),
  z.object({ kind: z.literal('item'), masterid: z.string(), itemid: z.string(), name: z.string(), detail: z.string() }),
]);
export type Found = z.infer<typeof Found>;

export const SearchAnswer = z.object({ found: z.array(Found) }).meta({ id: 'SearchAnswer' });
