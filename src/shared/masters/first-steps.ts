import { z } from 'zod';

/** How far a company is on its way to the first file; told by what exists. */
export const FirstSteps = z
  .object({
    /** The catalogue that the way goes on with; null: none yet. */
    masterid: z.string().nullable(),
    /** It has items. */
    imported: z.boolean(),
    /** The export that the way goes on with; null: none yet. */
    exportid: z.string().nullable(),
    /** A field of it has a source. */
    assigned: z.boolean(),
    /** Some export of the company has written its first file: the way is over. */
    file: z.boolean(),
  })
  .meta({ id: 'FirstSteps' });
export type FirstSteps = z.infer<typeof FirstSteps>;
