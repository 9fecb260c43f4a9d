import { join, name, ownNumber, duck, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import { ITEM_ID } from '#shared/rules/check.ts';
import {
  aggregateStatement,
  columnOf,
  countsOfItems,
  firstRows,
  readNumbers,
  type Query,
} from '#engine/duckdb/aggregates.ts';
import { addRule, rulesProgram } from '#engine/duckdb/compile-rules.ts';
import { serializeCondition } from '#engine/duckdb/conditions.ts';
import { namedFields } from '#engine/ir/fields-of.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { layered } from '#engine/duckdb/layers.ts';
import { ID, MISSING, query, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { countsOf, only, reaches, touches, upTo, type RuleCount } from './rule-counts.ts';
import { readTexts } from './rule-rows.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * What a rule does. Of the items that reach it, `alone` counts those that meet one condition, `together` those that also meet all
 * conditions before it. `changed` and `same` are the row numbers (for `ruleRows`) of the first items on which the rule holds.
 */
export type EffectCount = RuleCount & {
  readonly conditions: readonly { readonly alone: number; readonly together: number }[];
  readonly changed: readonly number[];
  readonly same: readonly number[];
};

/** The effect of one rule at its position, in one pass. `sample`: the most row numbers each in `changed` and `same`. */
export function countEffect(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  { sample }: { sample: number },
): Query<EffectCount> {
  const { program, columns } = upTo(relation, rules, ruleId);
  const { holds, index } = columns;
  const conditions = columns.conditions.map((condition) => columnOf(program, condition));
  const reached = reaches(program, index);
  const touched = columnOf(program, touches(columns));
  const alone = conditions.map((condition) => duck`${reached} AND ${condition}`);
  const together = conditions.map((_, at) => duck`${reached} AND ${join(conditions.slice(0, at + 1), duck` AND `)}`);
  const { aggregates, read } = countsOf(program, [columns]);
  const statement = aggregateStatement(program, [
    ...aggregates,
    duck`${countsOfItems(alone)} AS alone`,
    duck`${countsOfItems(together)} AS together`,
    duck`${firstRows(duck`${reached} AND ${touched}`, sample)} AS changed`,
    duck`${firstRows(duck`${reached} AND ${holds} AND (${touched}) IS NOT TRUE`, sample)} AS same`,
  ]);
  return {
    statement,
    read: (row) => {
      const [alones, togethers] = [readNumbers(row['alone']), readNumbers(row['together'])];
      return {
        ...only(read(row)),
        conditions: conditions.map((_, at) => ({ alone: alones[at] ?? 0, together: togethers[at] ?? 0 })),
        changed: readNumbers(row['changed']),
        same: readNumbers(row['same']),
      };
    },
  };
}

/** An item on which a rule holds, with the fields that the rule reads and writes, before and after it. */
export type EffectItem = {
  readonly id: string;
  readonly excluded: boolean;
  readonly changed: boolean;
  readonly title: string | null;
  readonly fields: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[];
};

/** The most fields of one item that are shown because a condition on all fields holds in them. */
const MATCHING = 5;

/** The items at the row numbers that `countEffect` found: those that the rule changes first, otherwise in their order. */
export function effectItems(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  { rows, title }: { rows: readonly number[]; title: string | undefined },
): { readonly statement: Statement; readonly read: (rows: readonly Row[]) => EffectItem[] } {
  const index = rules.findIndex(({ id }) => id === ruleId);
  const rule = rules[index];
  if (!rule) throw new Error(`No such rule: ${ruleId}`);
  const { program } = rulesProgram(relation, rules.slice(0, index));
  const named = [...namedFields(rule)].filter((field) => field !== ITEM_ID);
  const searched = rule.conditions.flatMap((condition) => (condition.kind === 'anyField' ? [condition.test] : []));
  const others = searched.length === 0 ? [] : program.fields().filter((field) => !named.includes(field));
  const matching = others.map((field) =>
    join(
      searched.map((test) => serializeCondition({ kind: 'field', field, test }, program)),
      duck` OR `,
    ),
  );
  const { entering, leaving } = addRule(program, rule, index);
  const fields = [...named, ...others];
  const chosen = duck`${ID}, ${textsOf(fields.map(entering))} AS before, ${textsOf(fields.map(leaving))} AS after,
    ${title === undefined ? MISSING : entering(title)} AS title, ${marksOf(matching)} AS matching`;
  const { relation: done, place } = layered(program, [chosen]);
  const places = rows.length === 0 ? duck`FALSE` : duck`${ROW} IN (${join(rows.map(ownNumber), duck`, `)})`;
  return {
    statement: query(done, duck`SELECT ${place(chosen)} FROM ${name(done.from)} WHERE ${places} ORDER BY ${ROW}`),
    read: (found) => {
      const items = found.map((row) => readItem(row, rule, named, others));
      return [...items.filter(({ changed }) => changed), ...items.filter(({ changed }) => !changed)];
    },
  };
}

function textsOf(list: readonly Sql[]): Sql {
  return list.length === 0 ? duck`CAST([] AS VARCHAR[])` : duck`[${join(list, duck`, `)}]`;
}

function marksOf(list: readonly Sql[]): Sql {
  return list.length === 0 ? duck`CAST([] AS BOOLEAN[])` : duck`[${join(list, duck`, `)}]`;
}

function readItem(row: Row, rule: Rule, named: readonly string[], others: readonly string[]): EffectItem {
  const [before, after] = [readTexts(row['before']), readTexts(row['after'])];
  const marks: readonly unknown[] = Array.isArray(row['matching']) ? row['matching'] : [];
  const matching = others.filter((_, at) => marks[at] === true).slice(0, MATCHING);
  const values = [...named, ...others].map((field, at) => ({
    field,
    before: before[at] ?? null,
    after: after[at] ?? null,
  }));
  const title = row['title'];
  return {
    id: String(row['id']),
    excluded: rule.excludes,
    changed: rule.excludes || values.some((value) => value.before !== value.after),
    title: typeof title === 'string' ? title : null,
    fields: values.filter(({ field }, at) => at < named.length || matching.includes(field)),
  };
}
