import { isOneOf } from '#engine/duckdb/one-of.ts';
import { join, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { FieldCondition } from '#shared/channels/schema.ts';

/** Returns the text of a field of the item as written to the file; missing and blank texts are NULL. */
export type TextOf = (field: string) => Sql;

/** Whether all conditions hold; a missing text meets only the condition 'empty'. Never NULL. */
export function allHold(conditions: readonly FieldCondition[], textOf: TextOf): Sql {
  return conditions.length === 0
    ? duck`TRUE`
    : join(
        conditions.map((condition) => holds(condition, textOf(condition.field))),
        duck` AND `,
      );
}

function holds({ is, values, ids }: FieldCondition, text: Sql): Sql {
  if (is === 'filled') return duck`${text} IS NOT NULL`;
  if (is === 'empty') return duck`${text} IS NULL`;
  if (values.length === 0) return duck`FALSE`;
  const lowered = values.map((value) => duck`lower(${value})`);
  if (is === 'one_of') return duck`coalesce(${isOneOf(duck`lower(${text})`, lowered)}, FALSE)`;
  const found = lowered.map((value) => duck`contains(lower(${text}), ${value})`);
  const numbers = ids.map((id) => duck`${id}`);
  const numbered = numbers.length === 0 ? [] : [isOneOf(duck`trim(${text})`, numbers)];
  return duck`coalesce(${join([...found, ...numbered], duck` OR `)}, FALSE)`;
}
