import { z } from 'zod';
import { Column, Field, ItemRow } from '#shared/items/schema.ts';
import { Rule } from './schema.ts';

/** RUL-11: `data` is the id of the requested rule, `rules` the list as in the form, saved or not. */
export const StatisticsRequest = z.object({
  data: z.string().max(40),
  rules: z.array(Rule).max(500),
  offset: z.number().int().min(0).max(1_000_000_000).default(0),
  limit: z.number().int().min(1).max(1000).default(500),
});

/**
 * pre = items that reach the rule, post = items that leave it, diff = items it changed or excluded. `data` shows the items that
 * meet the rule's conditions, as they are after it; `total` is their number.
 */
export const Statistics = z
  .object({
    columns: z.array(Column),
    data: z.array(ItemRow),
    total: z.number().int(),
    fields: z.array(Field),
    count: z.object({ pre: z.number().int(), post: z.number().int(), diff: z.number().int() }),
    finished: z.boolean(),
    message: z.string(),
  })
  .meta({ id: 'RuleStatistics' });
export type Statistics = z.infer<typeof Statistics>;
