import { z } from 'zod';
import { operatorDefinition, OPERATOR_NAMES, type Operator } from '#shared/rules/operators.ts';
import { type Condition, newCondition, type RandomId, RULE_LIMITS } from '#shared/rules/schema.ts';
import type { FilterMode, ItemFilter } from '#shared/items/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** URL parameter with the conditions that a new rule starts with. */
const PARAMETER = 'bedingungen';

const RequestedConditions = z
  .array(
    z.object({
      field: z.string().max(RULE_LIMITS.field),
      select: z.enum(OPERATOR_NAMES),
      value: z.string().max(10_000),
    }),
  )
  .max(RULE_LIMITS.parts);
/** Items of the grid selected by filters and search. */
type Selected = { readonly filters: readonly ItemFilter[]; readonly search: string };
type RequestedCondition = z.infer<typeof RequestedConditions>[number];

/** The operators equivalent to a filter; for a range, one per end in that order. Empty: rules have no equivalent. */
const operators: Readonly<Record<FilterMode, readonly Operator[]>> = {
  contains: ['contains'],
  is_equal: ['is_equal'],
  is_not_equal: ['is_not_equal'],
  is_equal_any: ['is_equal_any'],
  not_equal_any: ['not_equal_any'],
  is_empty: ['is_empty'],
  is_not_empty: ['is_not_empty'],
  is_greater: ['is_greater_than'],
  is_less: ['is_less_than'],
  between: ['is_greater_equal', 'is_less_equal'],
  length_exceeds: ['length_exceeds'],
  is_duplicate: [],
};

/** Tells whether rules have an equivalent of a filter. */
export const hasCondition = ({ mode }: ItemFilter): boolean => operators[mode].length > 0;

/** Returns conditions that match the selected items, as far as rules can express them. Rules refer to fields by name. */
function conditionsOf({ filters, search }: Selected, nameOf: (field: string) => string): RequestedCondition[] {
  const conditions = filters.flatMap(({ field, mode, value, to = '' }) =>
    operators[mode].map((select, at) => ({ field: nameOf(field), select, value: at === 0 ? value : to })),
  );
  return search === '' ? conditions : [...conditions, { field: ALL_FIELDS, select: 'contains', value: search }];
}

/** Returns the URL query that starts a new rule with this selection; '' if rules cannot express any of it. */
export function ruleSearch(selection: Selected, nameOf: (field: string) => string): string {
  const conditions = conditionsOf(selection, nameOf);
  return conditions.length === 0
    ? ''
    : `?${new URLSearchParams({ [PARAMETER]: JSON.stringify(conditions) }).toString()}`;
}

/** Parses the conditions in a URL; empty if there are none or they are invalid. */
export function readConditions(search: URLSearchParams, randomId: RandomId): Condition[] {
  let given: unknown;
  try {
    given = JSON.parse(search.get(PARAMETER) ?? '[]');
  } catch {
    return [];
  }
  return (RequestedConditions.safeParse(given).data ?? []).map((one) => conditionOf(one, randomId));
}

/** Returns the conditions of a new rule for a selection, as far as rules can express them. */
export function ruleConditions(
  selection: Selected,
  nameOf: (field: string) => string,
  randomId: RandomId,
): Condition[] {
  return conditionsOf(selection, nameOf).map((one) => conditionOf(one, randomId));
}

const conditionOf = ({ field, select, value }: RequestedCondition, randomId: RandomId): Condition => ({
  ...newCondition(randomId),
  field,
  select,
  selecttyp: operatorDefinition(select).selecttyp,
  value,
});
