import { z } from 'zod';

/** A currency code of ISO 4217 other than EUR. */
export const ForeignCurrency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine((code) => code !== 'EUR');

/** Units of a currency for one euro: up to six decimals. */
export const EuroRate = z.number().gt(0).max(1_000_000_000).multipleOf(0.000_001);

/** State of exchange rates: whether they are fetched, with what result, and those a user entered. */
export const ExchangeRates = z
  .object({
    /** Whether the operator of this installation allows fetching reference rates. */
    fetching: z.boolean(),
    /** The day of the latest reference rate; null: there is none. */
    newest: z.string().nullable(),
    /** Since when fetching fails; null: it does not fail. */
    failed_since: z.string().nullable(),
    failure: z.string(),
    own: z.array(z.object({ currency: z.string(), rate: EuroRate, set_at: z.string() })),
  })
  .meta({ id: 'ExchangeRates' });
export type ExchangeRates = z.infer<typeof ExchangeRates>;

/** An amount in euro, with the source and day of its rate. */
export const EuroAmount = z.object({ cents: z.number().int(), by: z.enum(['reference', 'own']), day: z.string() });
export type EuroAmount = z.infer<typeof EuroAmount>;
