import { actionDefinition, type ActionKind, type Calculation, IGNORE_CASE } from './actions.ts';
import { DEFAULT_OPERATOR, operatorDefinition, type Operator } from './operators.ts';
import {
  copyAction,
  newAction,
  newCondition,
  RULE_LIMITS,
  type Action,
  type ActionValue,
  type Condition,
  type RandomId,
  type Rule,
} from './schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** The single entry of a new kind (RUL-06). */
const EMPTY_VALUE: readonly ActionValue[] = [{ type: '_string', value: '' }];

/** RUL-04: another operator empties the value. */
export function changeOperator(condition: Condition, select: Operator): Condition {
  return { ...condition, select, selecttyp: operatorDefinition(select).selecttyp, value: '' };
}

/**
 * Returns whether a condition holds for every item: on all fields, without a value yet. The emptiness operators need no value:
 * they test at once whether any field is empty, or filled.
 */
export function holdsAlways({ field, select, value }: Pick<Condition, 'field' | 'select' | 'value'>): boolean {
  return field === ALL_FIELDS && value === '' && operatorDefinition(select).editor !== 'none';
}

/** RUL-04: '@ALL@' drops value and operator data; any other field keeps them. */
export function chooseConditionField(condition: Condition, field: string): Condition {
  if (field !== ALL_FIELDS) return { ...condition, field };
  return { ...condition, field, select: DEFAULT_OPERATOR, selecttyp: 'text', value: '', valuetyp: '_string' };
}

/** Clears the value when the operand changes between literal and field: the old value has no meaning there. */
export function changeOperandSource(condition: Condition, valuetyp: Condition['valuetyp']): Condition {
  return condition.valuetyp === valuetyp ? condition : { ...condition, valuetyp, value: '' };
}

/** RUL-06: another kind resets the value to one empty string entry; a calculation starts as a multiplication. */
export function changeActionKind(action: Action, select: ActionKind): Action {
  return {
    ...action,
    select,
    selecttyp: actionDefinition(select).selecttyp,
    value: EMPTY_VALUE.map((entry) => ({ ...entry })),
    actionOperator: select === 'calculate' ? 'multiply' : '',
  };
}

/** RUL-06: '@ALL@' means 'schließe aus' without a value; leaving it resets to set with an empty value. */
export function chooseActionField(action: Action, field: string): Action {
  if (field === ALL_FIELDS) return { ...changeActionKind(action, 'unset'), field, value: [] };
  if (action.field === ALL_FIELDS) return { ...changeActionKind(action, 'set'), field };
  return { ...action, field };
}

/** Sets the calculation of an action; source and number stay. */
export function changeCalculation(action: Action, actionOperator: Calculation): Action {
  return { ...action, actionOperator };
}

/** Sets whether a replacement ignores case; its values stay. */
export function changeIgnoreCase(action: Action, ignore: boolean): Action {
  return { ...action, actionOperator: ignore ? IGNORE_CASE : '' };
}

/** Sets entry `index` of the value list; missing entries before it become empty strings. */
export function changeActionValue(action: Action, index: number, entry: ActionValue): Action {
  const value = Array.from({ length: Math.max(action.value.length, index + 1) }, (_, at) =>
    at === index ? entry : (action.value[at] ?? { type: '_string' as const, value: '' }),
  );
  return { ...action, value };
}

/** RUL-07: digits, optional point, up to 2 decimals, or empty. */
export function isCalculationNumber(value: string): boolean {
  return /^(?:\d+(?:\.\d{0,2})?)?$/.test(value);
}

/** RUL-07: a stored number that does not match is shown as '0'. */
export function calculationNumberOrZero(value: string): string {
  return isCalculationNumber(value) ? value : '0';
}

/** RUL-09 'und': adds a new condition at the end, up to the limit. */
export function addCondition(rule: Rule, randomId: RandomId): Rule {
  if (rule.querys.length >= RULE_LIMITS.parts) return rule;
  return { ...rule, querys: [...rule.querys, newCondition(randomId)] };
}

/** RUL-09: inserts a copy right after its source. */
export function copyConditionAt(rule: Rule, index: number, randomId: RandomId): Rule {
  const source = rule.querys[index];
  if (!source || rule.querys.length >= RULE_LIMITS.parts) return rule;
  return { ...rule, querys: rule.querys.toSpliced(index + 1, 0, { ...source, id: randomId() }) };
}

/** RUL-09: removes a condition if there is more than one. */
export function removeConditionAt(rule: Rule, index: number): Rule {
  return rule.querys.length > 1 ? { ...rule, querys: rule.querys.toSpliced(index, 1) } : rule;
}

/** RUL-09 'und': adds a new action at the end, up to the limit. */
export function addAction(rule: Rule, randomId: RandomId): Rule {
  if (rule.actions.length >= RULE_LIMITS.parts) return rule;
  return { ...rule, actions: [...rule.actions, newAction(randomId)] };
}

/** RUL-09: inserts a copy right after its source. */
export function copyActionAt(rule: Rule, index: number, randomId: RandomId): Rule {
  const source = rule.actions[index];
  if (!source || rule.actions.length >= RULE_LIMITS.parts) return rule;
  return { ...rule, actions: rule.actions.toSpliced(index + 1, 0, copyAction(source, randomId)) };
}

/** RUL-09: removes an action if there is more than one. */
export function removeActionAt(rule: Rule, index: number): Rule {
  return rule.actions.length > 1 ? { ...rule, actions: rule.actions.toSpliced(index, 1) } : rule;
}
