import { z } from 'zod';

/** Something that was found by its name or number; `detail` says where it belongs or what else it is called. */
export const Found = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('master'), masterid: z.string(), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('account'), id: z.string(), name: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('export'), id: z.string(), name: z.string(), detail: z.string() }),
  z.object({
    kind: z.literal('rule'),
    /** Whose rules: those of a catalogue or of an export. */
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
