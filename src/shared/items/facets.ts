import { z } from 'zod';

const integer = z.number().int();

/** Maximum number of values of a facet in one response. */
export const MOST_FACET_VALUES = 50;

/** A value and the number of items with it, ignoring case. `whole`: it is not cut, so that a filter can use it. */
export const FacetValue = z.object({ value: z.string(), whole: z.boolean(), items: integer });
export type FacetValue = z.infer<typeof FacetValue>;

/** Number of items with values from `from` to `to`, both of which occur; canonical decimal texts. */
export const FacetBar = z.object({ from: z.string(), to: z.string(), items: integer });
export type FacetBar = z.infer<typeof FacetBar>;

/** The values of one field of some items. Lengths are in characters (code points). */
export const Facet = z
  .object({
    items: integer,
    filled: integer,
    /** Number of different values, ignoring case. */
    distinct: integer,
    /** The most frequent values first. */
    values: z.array(FacetValue).max(MOST_FACET_VALUES),
    /** null if no item has a value. */
    lengths: z.object({ shortest: integer, longest: integer }).nullable(),
    /** Items whose value also occurs in other items of the whole catalogue. */
    duplicates: integer,
    /** Items longer than the 99th percentile and twice the median; null if there are none. */
    unusuallyLong: z.object({ over: integer, items: integer }).nullable(),
    /** Only for columns of numbers. */
    histogram: z.array(FacetBar).nullable(),
  })
  .meta({ id: 'Facet' });
export type Facet = z.infer<typeof Facet>;
