import { z } from 'zod';

/**
 * Schemas of the Selling Partner API's answers, as far as we read them (after the official models). They are tolerant: a value
 * that is missing or of the wrong type becomes empty, unknown ones are dropped. Only values that nothing can be concluded without
 * are required.
 */

const text = z.string().catch('');
/** A list whose unreadable entries are left out. */
export const list = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry.optional().catch(undefined))
    .catch([])
    .transform((found) => found.filter((one) => one !== undefined));

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3600),
});

export const ErrorAnswer = z.object({
  errors: list(z.object({ code: text, message: text, details: text })),
});

export const SubmissionAnswer = z.object({
  status: z.string(),
  submissionId: text,
  issues: list(
    z.object({
      code: text,
      message: text,
      severity: text,
      attributeNames: z.array(z.string()).catch([]),
      categories: z.array(z.string()).catch([]),
    }),
  ),
});

export const ListingAnswer = z.object({
  offers: list(
    z.object({
      marketplaceId: text,
      offerType: text,
      audience: z.object({ value: text }).catch({ value: '' }),
      price: z.object({ currencyCode: text, amount: z.union([z.string(), z.number()]).catch('') }),
    }),
  ),
});

export const BatchAnswer = z.object({ responses: z.array(z.unknown()) });

export const ParticipationsAnswer = z.object({
  payload: z.array(
    z.object({
      marketplace: z.object({ id: z.string() }),
      participation: z.object({ isParticipating: z.boolean() }),
    }),
  ),
});
