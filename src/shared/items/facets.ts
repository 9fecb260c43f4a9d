import { z } from 'zod';

const integer = z.number().int();

/** Values of a facet that one answer names. */
export const MOST_FACET_VALUES = 50;

/** One value and how many items have it, whatever its case. `whole`: it is not cut, so that a filter can name it. */
export const FacetValue = z.object({ value: z.string(), whole: z.boolean(), items: integer });
export type FacetValue = z.infer<typeof FacetValue>;

/** Items whose numbers lie from `from` to `to`, both of which occur; canonical decimal texts. */
export const FacetBar = z.object({ from: z.string(), to: z.string(), items: integer });
export type FacetBar = z.infer<typeof FacetBar>;

/** What stands in one field of some items. Lengths are counted in characters (code points). */
export const Facet = z
  .object({
    items: integer,
    filled: integer,
    /** Different values; those that differ in case alone are one. */
    distinct: integer,
    /** The most frequent values first. */
    values: z.array(FacetValue).max(MOST_FACET_VALUES),
    /** null where no item has a value. */
    lengths: z.object({ shortest: integer, longest: integer }).nullable(),
    /** Items whose value other items of the whole catalogue have too. */
    duplicates: integer,
    /** Items that are longer than the 99th percentile and twice the median; null where there are none. */
    unusuallyLong: z.object({ over: integer, items: integer }).nullable(),
    /** Of columns of numbers alone. */
    histogram: z.array(FacetBar).nullable(),
  })
  .meta({ id: 'Facet' });
export type Facet = z.infer<typeof Facet>;
