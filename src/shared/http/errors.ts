import { z } from 'zod';

/** The body of every answer that is not 2xx. `message` is German and safe to show as it stands. */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
      requestId: z.string(),
      /** Of `limits_confirm`: the mark to send again, and how many offers it is about (null: that was not to be found out). */
      confirm: z.object({ mark: z.string(), offers: z.number().int().nullable() }).optional(),
    }),
  })
  .meta({ id: 'ErrorBody' });
export type ErrorBody = z.infer<typeof ErrorBody>;
