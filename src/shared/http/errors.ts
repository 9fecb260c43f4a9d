import { z } from 'zod';

/** The body of every response that is not 2xx. `message` is German and can be shown to users. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
      requestId: z.string(),
      /** For `limits_confirm`: the mark to send again, and the number of offers concerned (null: unknown). */
      confirm: z.object({ mark: z.string(), offers: z.number().int().nullable() }).optional(),
    }),
  })
  .meta({ id: 'ErrorBody' });
export type ErrorBody = z.infer<typeof ErrorBody>;
