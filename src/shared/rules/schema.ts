import { z } from 'zod';
import { ACTION_NAMES, ACTION_SELECT_TYPES, CALCULATIONS, IGNORE_CASE } from './actions.ts';
import { DEFAULT_OPERATOR, OPERATOR_NAMES } from './operators.ts';
import { ALL_FIELDS, dropped, MAX_VALUE, wireText } from '#shared/values/schema.ts';

/** Largest sizes of a list of rules; larger ones are refused as invalid input, not computed. */
export const RULE_LIMITS = { rules: 500, parts: 50, name: 200, description: 10_000, field: 500 } as const;

/** Ten characters made by the browser (GEN-02). */
export const RuleId = z.string().regex(/^[A-Za-z0-9]{10}$/, 'Die Kennung hat 10 Zeichen aus A-Z, a-z und 0-9.');

const partId = wireText(64);
const fieldName = wireText(RULE_LIMITS.field);

/** A condition as on the wire (RUL-04). `value` has one entry per line if selecttyp is 'multiple'. */
export const Condition = z
  .object({
    id: partId,
    field: fieldName,
    select: dropped(z.enum(OPERATOR_NAMES).default(DEFAULT_OPERATOR)),
    selecttyp: dropped(z.enum(['text', 'multiple']).default('text')),
    value: wireText(MAX_VALUE),
    valuetyp: dropped(z.enum(['_string', '_field']).default('_string')),
    type: wireText(64),
  })
  .meta({ id: 'Condition' });
export type Condition = z.infer<typeof Condition>;

/** One entry of an action's value list; actions.ts lists the allowed types. */
export const ActionValue = z
  .object({
    type: z.enum(['_string', '_field', '_number', '_regex']).default('_string'),
    value: wireText(MAX_VALUE),
  })
  .meta({ id: 'ActionValue' });
export type ActionValue = z.infer<typeof ActionValue>;

/** An action as on the wire (RUL-06). `actionOperator` is '' except for calculations and a replacement that ignores case. */
export const Action = z
  .object({
    id: partId,
    field: fieldName,
    select: dropped(z.enum(ACTION_NAMES).default('set')),
    selecttyp: dropped(z.enum(ACTION_SELECT_TYPES).default('input')),
    type: wireText(64),
    value: dropped(z.array(ActionValue).max(RULE_LIMITS.parts).default([])),
    actionOperator: dropped(
      z.enum(['', ...CALCULATIONS.map((entry) => entry.actionOperator), IGNORE_CASE]).default(''),
    ),
  })
  .meta({ id: 'Action' });
export type Action = z.infer<typeof Action>;

/** A rule as on the wire. Missing members get defaults, unknown ones are dropped; `checkRules` reports an empty name. */
export const Rule = z
  .object({
    id: RuleId,
    name: wireText(RULE_LIMITS.name),
    description: wireText(RULE_LIMITS.description),
    active: z.boolean().default(false),
    querys: z.array(Condition).max(RULE_LIMITS.parts).default([]),
    actions: z.array(Action).max(RULE_LIMITS.parts).default([]),
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof Rule>;

/** All rules of a scope, in the order they run. */
export const Rules = z.array(Rule).max(RULE_LIMITS.rules);

/** Returns a random id of ten characters of [A-Za-z0-9] (GEN-02). */
export type RandomId = () => string;

/** RUL-04, RUL-08: returns a condition on all fields, which holds for every item. */
export function newCondition(randomId: RandomId): Condition {
  return {
    id: randomId(),
    field: ALL_FIELDS,
    select: DEFAULT_OPERATOR,
    selecttyp: 'text',
    value: '',
    valuetyp: '_string',
    type: '',
  };
}

/** RUL-08: returns an action on all fields, which can only be 'schließe aus'. */
export function newAction(randomId: RandomId): Action {
  return {
    id: randomId(),
    field: ALL_FIELDS,
    select: 'unset',
    selecttyp: 'input',
    type: '',
    value: [],
    actionOperator: '',
  };
}

/** RUL-08: returns a new rule, inactive, so that its 'all fields' and 'schließe aus' do no harm until it is activated. */
export function newRule(randomId: RandomId): Rule {
  return {
    id: randomId(),
    name: '',
    description: '',
    active: false,
    querys: [newCondition(randomId)],
    actions: [newAction(randomId)],
  };
}

/** RUL-08: returns a copy with ' (copy)' after the name (cut to fit) and new ids for the rule and its parts. */
export function copyRule(rule: Rule, randomId: RandomId): Rule {
  const suffix = ' (copy)';
  return {
    ...rule,
    id: randomId(),
    // Never cut within a surrogate pair.
    name: rule.name.slice(0, RULE_LIMITS.name - suffix.length).replace(/[\uD800-\uDBFF]$/, '') + suffix,
    querys: rule.querys.map((condition) => ({ ...condition, id: randomId() })),
    actions: rule.actions.map((action) => copyAction(action, randomId)),
  };
}

/** Returns a copy of an action with a new id. */
export function copyAction(action: Action, randomId: RandomId): Action {
  return { ...action, id: randomId(), value: action.value.map((entry) => ({ ...entry })) };
}
