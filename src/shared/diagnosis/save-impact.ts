import { z } from 'zod';
import { Readiness } from './readiness.ts';

const state = z.object({
  /** Number of columns of the file. */
  fields: z.number().int(),
  /** The export has no construction with sources: it sends every field of the catalogue. */
  passesThrough: z.boolean(),
  /** null: the channel has no requirements, so no item can be wrong. */
  readiness: Readiness.nullable(),
});

/** The state of an export's items now, and after a save of its construction or of an attribute. */
export const SaveImpact = z
  .object({
    before: state,
    after: state,
    /** Items with errors are left out of the file. */
    omitInvalid: z.boolean(),
  })
  .meta({ id: 'SaveImpact' });
export type SaveImpact = z.infer<typeof SaveImpact>;
