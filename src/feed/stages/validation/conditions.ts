import { join, sql, type Sql } from '#platform/duckdb/sql.ts';
import type { FieldCondition } from '#shared/channels/schema.ts';

/** The text of a field of the item as it goes out, missing and blank ones NULL. */
export type TextOf = (field: string) => Sql;

/** Whether all conditions hold; a missing text is nothing but empty. Never NULL. */
export function allHold(conditions: readonly FieldCondition[], textOf: TextOf): Sql {
  return conditions.length === 0
    ? sql`TRUE`
    : join(
        conditions.map((condition) => holds(condition, textOf(condition.field))),
        sql` AND `,
      );
}

function holds({ is, values }: FieldCondition, text: Sql): Sql {
  if (is === 'filled') return sql`${text} IS NOT NULL`;
  if (is === 'empty') return sql`${text} IS NULL`;
  if (values.length === 0) return sql`FALSE`;
  const wanted = values.map((value) => sql`lower(${value})`);
  if (is === 'one_of') return sql`coalesce(lower(${text}) IN (${join(wanted, sql`, `)}), FALSE)`;
  const found = wanted.map((value) => sql`contains(lower(${text}), ${value})`);
  return sql`coalesce(${join(found, sql` OR `)}, FALSE)`;
}
