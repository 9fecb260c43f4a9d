import { z } from 'zod';
import { operatorDefinition, OPERATOR_NAMES, type Operator } from '#shared/rules/operators.ts';
import { type Condition, newCondition, type RandomId, RULE_LIMITS } from '#shared/rules/schema.ts';
import type { FilterMode, ItemFilter } from '#shared/items/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** Where an address says with which conditions a new rule begins. */
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
/** Items of the grid, as its filters and its search choose them. */
type Selected = { readonly filters: readonly ItemFilter[]; readonly search: string };
type RequestedCondition = z.infer<typeof RequestedConditions>[number];

/** The operators that mean what a filter means; those of a range in the order of its ends. Without any: rules have none. */
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

/** Whether a rule can ask what a filter asks. */
export const hasCondition = ({ mode }: ItemFilter): boolean => operators[mode].length > 0;

/** The conditions of a rule that holds for the items of a selection, as far as rules can ask that. Rules know fields by their names. */
function conditionsOf({ filters, search }: Selected, nameOf: (field: string) => string): RequestedCondition[] {
  const conditions = filters.flatMap(({ field, mode, value, to = '' }) =>
    operators[mode].map((select, at) => ({ field: nameOf(field), select, value: at === 0 ? value : to })),
  );
  return search === '' ? conditions : [...conditions, { field: ALL_FIELDS, select: 'contains', value: search }];
}

/** What an address of the rules says, so that a new rule begins with this selection; '' where no rule can ask any of it. */
export function ruleSearch(selection: Selected, nameOf: (field: string) => string): string {
  const conditions = conditionsOf(selection, nameOf);
  return conditions.length === 0
    ? ''
    : `?${new URLSearchParams({ [PARAMETER]: JSON.stringify(conditions) }).toString()}`;
}

/** The conditions that an address says; none where it says nothing that can be read. */
export function readConditions(search: URLSearchParams, randomId: RandomId): Condition[] {
  let given: unknown;
  try {
    given = JSON.parse(search.get(PARAMETER) ?? '[]');
  } catch {
    return [];
  }
  return (RequestedConditions.safeParse(given).data ?? []).map((one) => conditionOf(one, randomId));
}

/** The conditions of a rule that holds for a selection, as far as rules can ask that. */
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
