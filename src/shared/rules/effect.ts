import { z } from 'zod';
import { NamedFilters } from '#shared/items/schema.ts';
import { Rule } from './schema.ts';

/** Rules as in a form, saved or not: part of every request about their effect. */
export const UnsavedRules = z.object({ rules: z.array(Rule).max(500) }).meta({ id: 'UnsavedRules' });

/** `data` is the id of the edited rule, as in RUL-11. */
export const EffectRequest = UnsavedRules.extend({ data: z.string().max(40) });

/** `field` and the fields of the filters are field names. */
export const RuleFacetRequest = EffectRequest.extend({ field: z.string().min(1).max(500), filters: NamedFilters });
export type RuleFacetRequest = z.infer<typeof RuleFacetRequest>;

const integer = z.number().int();

/** A field of one item before and after a rule; null is a missing value. */
export const ValueChange = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });
export type ValueChange = z.infer<typeof ValueChange>;

/**
 * The effect of the edited rule on the whole catalogue. `count` as in RUL-11; `held`: items that meet all its conditions;
 * `unchanged`: calculations that failed. A paused rule is computed as if active.
 */
export const RuleEffect = z
  .object({
    count: z.object({ pre: integer, post: integer, diff: integer }),
    held: integer,
    unchanged: integer,
    /** In the order of the rule: how many of the `pre` items meet this condition alone, and together with all before it. */
    conditions: z.array(z.object({ alone: integer, together: integer })),
    /** Up to ten items that meet the rule, changed ones first. `fields`: those it read and wrote. */
    samples: z.array(
      z.object({ id: z.string(), title: z.string().nullable(), excluded: z.boolean(), fields: z.array(ValueChange) }),
    ),
    /** Why no item matches or nothing changes, in German; null if something does. */
    reason: z.string().nullable(),
  })
  .meta({ id: 'RuleEffect' });
export type RuleEffect = z.infer<typeof RuleEffect>;

/** The effect of every rule at its position, paused ones as absent (`pre` = `post`, `held` = 0). */
export const RuleCounts = z
  .object({
    total: integer,
    counts: z.array(z.object({ ruleId: z.string(), pre: integer, post: integer, diff: integer, held: integer })),
  })
  .meta({ id: 'RuleCounts' });
export type RuleCounts = z.infer<typeof RuleCounts>;

/** What saving would change in one export compared with the saved rules; computed on all items. */
export const ExportImpact = z.object({
  id: z.string(),
  name: z.string(),
  /** Items in the export now and with the unsaved rules. */
  before: integer,
  after: integer,
  removed: integer,
  added: integer,
  changedItems: integer,
  changedValues: integer,
  /** Only export fields with changes, the most first. `emptied`: filled now, empty then. */
  fields: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      changed: integer,
      emptied: integer,
      samples: z
        .array(z.object({ id: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
        .max(3),
    }),
  ),
  /** Up to ten item numbers each. */
  removedItems: z.array(z.string()),
  addedItems: z.array(z.string()),
});
export type ExportImpact = z.infer<typeof ExportImpact>;

export const RuleImpact = z.object({ exports: z.array(ExportImpact) }).meta({ id: 'RuleImpact' });
export type RuleImpact = z.infer<typeof RuleImpact>;

export const findingCodes = [
  /** No item that reaches the rule meets its conditions. */
  'never_holds',
  /** It matches, but every value it writes is there already. */
  'changes_nothing',
  /** Items would meet it, but a rule above excludes them or changes the fields it tests. */
  'shadowed',
  /** Everything it writes is overwritten by rules below before it is read. */
  'overwritten',
  /** It tests or reads a field that the last import does not have and no rule above writes. */
  'field_gone',
  /** Its own conditions exclude each other, or another rule sets the same field of the same items to another value. */
  'contradiction',
] as const;

/** A possible problem of a rule; `other` is the rule that causes it. */
export const RuleFinding = z.object({
  ruleId: z.string(),
  code: z.enum(findingCodes),
  /** Whole German sentences, with counts. */
  message: z.string(),
  /** `scope`: 'above' if it is a master's rule and the checked list is an export's. */
  other: z.object({ ruleId: z.string(), name: z.string(), scope: z.enum(['same', 'above']) }).nullable(),
});
export type RuleFinding = z.infer<typeof RuleFinding>;

export const RuleFindings = z.object({ findings: z.array(RuleFinding) }).meta({ id: 'RuleFindings' });
export type RuleFindings = z.infer<typeof RuleFindings>;
