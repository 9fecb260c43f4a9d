import { z } from 'zod';
import { DayRange } from '#shared/values/day-range.ts';

/** Choices of days to compare on either side of a change, if as many have passed. */
export const changeSpans = [3, 7, 14, 28] as const;
export const usualChangeSpan = 7;

const both = <T extends z.ZodType>(side: T) => z.object({ before: side, after: side });
const count = z.number().int();

/**
 * The state before and after a save of the repricing rules: the same number of whole days in Berlin, without the day of the save
 * itself. A comparison, no proof: competitors changed their prices meanwhile, too.
 */
export const RuleChange = z
  .object({
    revision: count,
    at: z.string(),
    author: z.string(),
    /** The changes of the save, one sentence each. */
    changes: z.array(z.string()),
    /** The compared days; null while no whole day has passed since. */
    spans: both(DayRange).nullable(),
    /** Other saves of the rules in these days: their effect is in the figures, too. */
    others: z.array(z.object({ revision: count, at: z.string() })),
    /** Hourly observations of the whole catalogue's offers, and those with ours in the box. */
    box: both(z.object({ observed: count, box: count })),
    /** Number of decisions in the whole catalogue, and of held prices. */
    messages: both(z.object({ decided: count, held: count })),
    /** Whether the articles below are those that the changed rules decided; false: all, since only the order changed. */
    narrowed: z.boolean(),
    /** Mean decided price of the articles with one on both sides, each article counted once. */
    prices: z.array(z.object({ currency: z.string(), articles: count, before_cents: count, after_cents: count })),
    /** By the latest decision of each article in the span. */
    minimum: both(z.object({ articles: count, at_minimum: count })),
  })
  .meta({ id: 'RuleChange' });
export type RuleChange = z.infer<typeof RuleChange>;
