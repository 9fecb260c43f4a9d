import { z } from 'zod';

/** A currency by its code of ISO 4217, euro aside. */
export const ForeignCurrency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => code !== 'EUR');

/** How much of a currency one euro is: up to six decimals. */
export const EuroRate = z.number().gt(0).max(1_000_000_000).multipleOf(0.000_001);

/** What is known about rates: whether they are fetched and how that goes, and what somebody typed in. */
export const ExchangeRates = z
  .object({
    /** Whether the operator of this installation lets reference rates be fetched. */
    fetching: z.boolean(),
    /** The day of the newest reference rate; null: there is none. */
    newest: z.string().nullable(),
    /** Since when fetching fails; null: it does not. */
    failed_since: z.string().nullable(),
    failure: z.string(),
    own: z.array(z.object({ currency: z.string(), rate: EuroRate, set_at: z.string() })),
  })
  .meta({ id: 'ExchangeRates' });
export type ExchangeRates = z.infer<typeof ExchangeRates>;

/** An amount in euro, and whose rate of which day made it so. */
export const EuroAmount = z.object({ cents: z.number().int(), by: z.enum(['reference', 'own']), day: z.string() });
export type EuroAmount = z.infer<typeof EuroAmount>;
