import { ROW, type Relation, withSteps } from '#engine/duckdb/relation.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { layered } from '#engine/duckdb/layers.ts';
import { duck, join, name, ownNumber, type Sql } from '#platform/duckdb/sql.ts';
import type { NumberGroups } from '#shared/import/schema.ts';
import { reaches, upTo } from './rule-counts.ts';

/**
 * A query of the items on which a rule's conditions hold: their `row`, and as `v0`, `v1` … the values of the given fields (at
 * least one) before the rule. `marksOf`: the meaning of a mark before three digits in a field at that point.
 */
export function ruleValues(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  fields: readonly string[],
): { values: Sql; marksOf: (field: string) => NumberGroups | undefined } {
  const { program, columns } = upTo(relation, rules, ruleId);
  const chosen = duck`${ROW}, [${join(fields.map(columns.entering), duck`, `)}] AS texts`;
  const where = duck`${reaches(program, columns.index)} AND ${columns.holds}`;
  const { relation: done, place } = layered(program, [chosen, where]);
  const held = withSteps(done, duck`SELECT ${place(chosen)} FROM ${name(done.from)} WHERE ${place(where)}`);
  const cells = fields.map((_, index) => duck`texts[${ownNumber(index + 1)}] AS ${name(`v${index}`)}`);
  return {
    values: duck`SELECT ${join([ROW, ...cells], duck`, `)} FROM (${held})`,
    marksOf: (field) => program.readings.of(field),
  };
}
