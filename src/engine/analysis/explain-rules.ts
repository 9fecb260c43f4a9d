import { join, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { Query } from '#engine/duckdb/aggregates.ts';
import { rulesProgram, type RuleColumns } from '#engine/duckdb/compile-rules.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { layered } from '#engine/duckdb/layers.ts';
import { ID, query, type Relation } from '#engine/duckdb/relation.ts';
import { readTexts } from './rule-rows.ts';

/**
 * What one rule did to one item. `failed` is the index of the first condition that did not hold. The list ends with the rule that
 * excluded the item.
 */
export type RuleStep = {
  readonly ruleId: string;
  readonly held: boolean;
  readonly failed: number | undefined;
  readonly excluded: boolean;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
};

/** The steps of one item, given by its item number, through the rules; the query returns no row if there is no such item. */
export function explainRules(relation: Relation, rules: readonly Rule[], itemId: string): Query<RuleStep[]> {
  const { program, rules: columns } = rulesProgram(relation, rules);
  const texts = (list: readonly Sql[]) =>
    list.length === 0 ? duck`CAST([] AS VARCHAR[])` : duck`[${join(list, duck`, `)}]`;
  const marks = (list: readonly Sql[]) =>
    list.length === 0 ? duck`CAST([] AS BOOLEAN[])` : duck`[${join(list, duck`, `)}]`;
  const written = columns.flatMap((rule) => rule.written);
  const body = duck`${marks(columns.flatMap(({ conditions }) => conditions))} AS conditions,
    ${texts(written.map(({ before }) => before))} AS before, ${texts(written.map(({ after }) => after))} AS after`;
  const { relation: done, place } = layered(program, [body]);
  return {
    statement: query(done, duck`SELECT ${place(body)} FROM ${name(done.from)} WHERE ${ID} = ${itemId}`),
    read: (row) => readSteps(row, columns),
  };
}

function readSteps(row: Readonly<Record<string, unknown>>, rules: readonly RuleColumns[]): RuleStep[] {
  const conditions: readonly unknown[] = Array.isArray(row['conditions']) ? row['conditions'] : [];
  const [before, after] = [readTexts(row['before']), readTexts(row['after'])];
  const steps: RuleStep[] = [];
  let [condition, change] = [0, 0];
  for (const { rule, conditions: tested, written } of rules) {
    const results = conditions.slice(condition, condition + tested.length);
    const failed = results.findIndex((result) => result !== true);
    const held = failed === -1;
    const changes = written.map(({ field }, at) => ({
      field,
      before: before[change + at] ?? null,
      after: after[change + at] ?? null,
    }));
    steps.push({
      ruleId: rule.id,
      held,
      failed: held ? undefined : failed,
      excluded: held && rule.excludes,
      changes: held ? changes : [],
    });
    if (held && rule.excludes) break;
    condition += tested.length;
    change += written.length;
  }
  return steps;
}
