import { z } from 'zod';

/**
 * Answers of the Selling Partner API, as far as we read them (facts of the official models). Tolerant: whatever is missing or of
 * another kind is missing, what is more is dropped; only what nothing can be concluded without is required.
 */

const text = z.string().catch('');

export const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(3600),
});

export const ErrorAnswer = z.object({
  errors: z.array(z.object({ code: text, message: text, details: text })).catch([]),
});

export const SubmissionAnswer = z.object({
  status: z.string(),
  submissionId: text,
  issues: z
    .array(
      z.object({
        code: text,
        message: text,
        severity: text,
        attributeNames: z.array(z.string()).catch([]),
        categories: z.array(z.string()).catch([]),
      }),
    )
    .catch([]),
});

export const ListingAnswer = z.object({
  offers: z
    .array(
      z.object({
        marketplaceId: text,
        offerType: text,
        audience: z.object({ value: text }).catch({ value: '' }),
        price: z.object({ currencyCode: text, amount: z.union([z.string(), z.number()]).catch('') }),
      }),
    )
    .catch([]),
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
