import type { ActionKind, Calculation } from '#shared/rules/actions.ts';
import { actionDefinition } from '#shared/rules/actions.ts';
import { operatorDefinition, type Operator } from '#shared/rules/operators.ts';
import type { Action, ActionValue, Condition, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** Fields of an item as a case writes them; null is a missing value. */
export type Fields = Readonly<Record<string, string | null>>;

/** A test case. Items get the numbers '1', '2' … in order; `expected` has an entry for each, 'left' if a rule excludes it. */
export type Case = {
  readonly title: string;
  readonly items: readonly Fields[];
  readonly rules: readonly Rule[];
  readonly expected: readonly (Fields | 'left')[];
};

type Value = string | { field: string };

function entry(value: Value): ActionValue {
  return typeof value === 'string' ? { type: '_string', value } : { type: '_field', value: value.field };
}

export function when(field: string, select: Operator, value: Value = ''): Condition {
  const { selecttyp } = operatorDefinition(select);
  const [valuetyp, text] =
    typeof value === 'string' ? (['_string', value] as const) : (['_field', value.field] as const);
  return { id: '', field, select, selecttyp, value: text, valuetyp, type: '' };
}

export function always(): Condition {
  return when(ALL_FIELDS, 'contains');
}

export function act(field: string, select: ActionKind, ...values: Value[]): Action {
  const { selecttyp } = actionDefinition(select);
  return { id: '', field, select, selecttyp, type: '', value: values.map(entry), actionOperator: '' };
}

export function calculate(field: string, actionOperator: Calculation, number: Value, source = ''): Action {
  const by = typeof number === 'string' ? ({ type: '_number', value: number } as const) : entry(number);
  return {
    ...act(field, 'calculate', { field: source }),
    value: [{ type: '_field', value: source }, by],
    actionOperator,
  };
}

export function exclude(): Action {
  return { ...act(ALL_FIELDS, 'unset'), value: [] };
}

let made = 0;

/** Makes an active rule with an id of its own. */
export function rule(querys: readonly Condition[], actions: readonly Action[], active = true): Rule {
  made += 1;
  const id = `R${String(made).padStart(9, '0')}`;
  return { id, name: id, description: '', active, querys: [...querys], actions: [...actions] };
}

/** Makes one case for each value: whether `field wert` satisfies the operator. A matching item gets 'ja' in the field treffer. */
export function operatorCases(
  select: Operator,
  value: Value,
  {
    holds = [],
    fails = [],
  }: { holds?: readonly (string | null | Fields)[]; fails?: readonly (string | null | Fields)[] },
): Case[] {
  const rules = [rule([when('wert', select, value)], [act('treffer', 'set', 'ja')])];
  const one = (tried: string | null | Fields, hit: boolean): Case => {
    const item: Fields = tried === null || typeof tried === 'string' ? { wert: tried } : tried;
    const operand = typeof value === 'string' ? JSON.stringify(value) : `field ${value.field}`;
    return {
      title: `${select} ${operand} ${hit ? 'holds' : 'does not hold'} for ${JSON.stringify(item)}`,
      items: [item],
      rules,
      expected: [hit ? { ...item, treffer: 'ja' } : item],
    };
  };
  return [...holds.map((tried) => one(tried, true)), ...fails.map((tried) => one(tried, false))];
}

/** Makes one case for each text: what the actions turn `field wert` into. */
export function changeCases(
  name: string,
  actions: readonly Action[],
  table: readonly (readonly [Fields, Fields])[],
): Case[] {
  const rules = [rule([always()], actions)];
  return table.map(([item, expected]) => ({
    title: `${name}: ${JSON.stringify(item)} becomes ${JSON.stringify(expected)}`,
    items: [item],
    rules,
    expected: [expected],
  }));
}
