import { z } from 'zod';

/** A company's progress towards its first file, derived from what exists. */
export const FirstSteps = z
  .object({
    /** The catalogue used for the first steps; null: none yet. */
    masterid: z.string().nullable(),
    /** It has items. */
    imported: z.boolean(),
    /** The export used for the first steps; null: none yet. */
    exportid: z.string().nullable(),
    /** A field of it has a source. */
    assigned: z.boolean(),
    /** Some export of the company has written its first file: the first steps are complete. */
    file: z.boolean(),
  })
  .meta({ id: 'FirstSteps' });
export type FirstSteps = z.infer<typeof FirstSteps>;
