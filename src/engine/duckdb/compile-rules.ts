import { join, name, duck, type Sql } from '#platform/duckdb/sql.ts';
import { applyChange } from './changes.ts';
import { serializeCondition } from './conditions.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { layered, partsFor } from './layers.ts';
import { Program } from './program.ts';
import { ID, ROW, nextStep, type Relation } from './relation.ts';
import { isSource } from '#engine/ir/source-key.ts';

/** A rule's columns in a program: its conditions, whether it holds, and each field it wrote before and after. */
export type RuleColumns = {
  readonly rule: Rule;
  readonly index: number;
  readonly conditions: readonly Sql[];
  readonly holds: Sql;
  readonly written: readonly { readonly field: string; readonly before: Sql; readonly after: Sql }[];
  /** For each calculation: whether it should have changed an item but could not. */
  readonly unchanged: readonly Sql[];
  /** Return a field's column before (`entering`) and after (`leaving`) the rule. */
  readonly entering: (field: string) => Sql;
  readonly leaving: (field: string) => Sql;
};

/** Writes all rules in order into one program over the relation. Fields that no one reads are not computed. */
export function rulesProgram(relation: Relation, rules: readonly Rule[]): { program: Program; rules: RuleColumns[] } {
  const program = new Program(relation);
  return { program, rules: rules.map((rule, index) => addRule(program, rule, index)) };
}

/** Writes one more rule into a program; `index` is its position among the rules of the program. */
export function addRule(program: Program, rule: Rule, index: number): RuleColumns {
  const conditions = rule.conditions.map((condition) => serializeCondition(condition, program));
  // A column for each condition, so that several readers do not compute it twice.
  const evaluated = conditions.filter((condition) => !isTrue(condition)).map((condition) => program.define(condition));
  const [only] = evaluated;
  // CASE, so that DuckDB evaluates no further condition for an item that failed one.
  const holds =
    only === undefined
      ? duck`TRUE`
      : evaluated.length === 1
        ? only
        : program.define(duck`CASE WHEN ${join(evaluated, duck` AND `)} THEN TRUE ELSE FALSE END`);
  const entering = program.snapshot();
  const unchanged = rule.changes
    .map((change) => applyChange(change, program, holds))
    .filter((mark) => mark !== undefined);
  const leaving = program.snapshot();
  if (rule.excludes) program.exclude(index, holds);
  const fields = [...new Set(rule.changes.map(({ field }) => field))];
  const written = fields.map((field) => ({ field, before: entering(field), after: leaving(field) }));
  return { rule, index, conditions, holds, written, unchanged, entering, leaving };
}

function isTrue(condition: Sql): boolean {
  const [piece] = condition.pieces;
  return condition.pieces.length === 1 && piece !== undefined && 'text' in piece && piece.text === 'TRUE';
}

/**
 * Returns the remaining items after the rules. `live` are the fields that are read afterwards: all other columns and the work for
 * them are dropped. Fields that only rules write follow the relation's own.
 */
export function compileRules(
  relation: Relation,
  rules: readonly Rule[],
  { live }: { live: ReadonlySet<string> | 'all' },
): Relation {
  const { program } = rulesProgram(relation, rules);
  return remaining(program, liveFields(program, live));
}

/** The fields of a program that are read afterwards, including results of mappings and internal fields. */
export function liveFields(program: Program, live: ReadonlySet<string> | 'all'): string[] {
  const fields = [...program.fields(), ...program.marks().filter(isSource)];
  return fields.filter((field) => live === 'all' || live.has(field));
}

/** How many statements `remaining` should be split into; 1 if it needs at most `most` steps. */
export function partsRemaining(program: Program, fields: readonly string[], most: number): number {
  const left = program.excludedAt();
  const texts = fields.map((field) => program.text(field));
  return partsFor(program, left ? [...texts, left] : texts, most - 1);
}

/** The items that remain at the end of a program, with the given fields (and hidden columns). */
export function remaining(program: Program, fields: readonly string[]): Relation {
  const left = program.excludedAt();
  const texts = fields.map((field) => program.text(field));
  const { relation: done } = layered(program, left ? [...texts, left] : texts);
  const columns = new Map(fields.map((field, index) => [field, `r${index}`]));
  const chosen = texts.map((text, index) => duck`${text} AS ${name(`r${index}`)}`);
  const where = left ? duck` WHERE ${left} IS NULL` : duck``;
  const body = duck`SELECT ${join([ID, ROW, ...chosen], duck`, `)} FROM ${name(done.from)}${where}`;
  return { ...nextStep(done, body, columns), groups: program.readings.all() };
}
