import { z } from 'zod';
import { DayRange } from '#shared/values/day-range.ts';

/** Days that are compared on either side of a change, if so many have passed. */
export const changeSpans = [3, 7, 14, 28] as const;
export const usualChangeSpan = 7;

const both = <T extends z.ZodType>(side: T) => z.object({ before: side, after: side });
const count = z.number().int();

/**
 * How it was before a save of the repricing rules and after it: equally many whole days in Berlin, without the day of the save itself.
 * A comparison and no proof: others changed their prices meanwhile, too.
 */
export const RuleChange = z
  .object({
    revision: count,
    at: z.string(),
    author: z.string(),
    /** What the save changed, a sentence each. */
    changes: z.array(z.string()),
    /** The days that are compared; null while no whole day has passed since. */
    spans: both(DayRange).nullable(),
    /** Other saves of the rules in these days: what they did is in the figures, too. */
    others: z.array(z.object({ revision: count, at: z.string() })),
    /** Looks at offers of the whole catalogue, one an hour, and how many found ours in the box. */
    box: both(z.object({ observed: count, box: count })),
    /** Messages of the whole catalogue, and prices that were held. */
    messages: both(z.object({ decided: count, held: count })),
    /** Whether the articles below are those that the changed rules decided; else all, since only the order was changed. */
    narrowed: z.boolean(),
    /** Mean decided price of the articles that have one on both sides, each article counting once. */
    prices: z.array(z.object({ currency: z.string(), articles: count, before_cents: count, after_cents: count })),
    /** By the newest decision of each article in the span. */
    minimum: both(z.object({ articles: count, at_minimum: count })),
  })
  .meta({ id: 'RuleChange' });
export type RuleChange = z.infer<typeof RuleChange>;
