import { join, name, namesIn, duck, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import { addRule } from '#engine/duckdb/compile-rules.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { layered, partsFor } from '#engine/duckdb/layers.ts';
import { Program } from '#engine/duckdb/program.ts';
import { ID, keepStatement, nextStep, ROW, tableRelation, type Relation } from '#engine/duckdb/relation.ts';
import { compileRulesInBatches, MOST_STEPS, type Batches, type Cutting } from '#engine/duckdb/rule-batches.ts';

/** The items under two lists of rules, one row for each item that remains under at least one of them. */
export type Compared = {
  /** Statements to run first, on the connection that then reads the rows; usually none. */
  readonly statements: readonly Statement[];
  /** Two relations over the same rows: one with the field columns under the first list, one with those under the second. */
  readonly before: Relation;
  readonly after: Relation;
  /** Whether an item remains under the first list (`was`) and under the second (`is`). */
  readonly was: Sql;
  readonly is: Sql;
};

/** Compares the results of two lists of rules over the same items. */
export class RuleComparison {
  private readonly relation: Relation;
  private readonly lists: readonly [readonly Rule[], readonly Rule[]];
  private readonly before: Program;
  private readonly after: Program;

  constructor(relation: Relation, before: readonly Rule[], after: readonly Rule[]) {
    this.relation = relation;
    this.lists = [before, after];
    const common = commonStart(before, after);
    this.before = new Program(relation);
    // All rules get index 0: it does not matter which rule excludes an item, and equal expressions become the same column.
    for (const rule of before.slice(0, common)) addRule(this.before, rule, 0);
    this.after = this.before.fork();
    for (const rule of before.slice(common)) addRule(this.before, rule, 0);
    for (const rule of after.slice(common)) addRule(this.after, rule, 0);
  }

  /** Every field that items have under either list. */
  fields(): string[] {
    return [...new Set([...this.before.fields(), ...this.after.fields()])];
  }

  /** Whether a field's value can differ, i.e. the two lists do not lead to the same column. */
  differs(field: string): boolean {
    return this.before.text(field) !== this.after.text(field);
  }

  /** Whether an item may remain under one list only. */
  leavesDiffer(): boolean {
    return this.before.excludedAt() !== this.after.excludedAt();
  }

  /** Whether any item may be excluded under the second list. */
  excludes(): boolean {
    return this.after.excludedAt() !== undefined;
  }

  /** The items with the given fields under both lists. `table` generates the name of a temporary table from a number. */
  compared(fields: readonly string[], { table, most = MOST_STEPS }: Cutting): Compared {
    const texts = fields.flatMap((field) => [this.before.text(field), this.after.text(field)]);
    const [was, is] = [this.before.present(), this.after.present()];
    const roots = [...texts, was, is];
    if (partsFor(this.before, roots, most) > 1) return this.apart(fields, { table, most });
    const { relation } = layered(this.before, roots);
    const seen = (program: Program): Relation => ({ ...relation, columns: columnsOf(program, fields) });
    return { statements: [], before: seen(this.before), after: seen(this.after), was, is };
  }

  /** Runs lists that are too long for one statement one after the other, each into a table of its own. */
  private apart(fields: readonly string[], cutting: Cutting): Compared {
    const [one, other] = this.lists.map((rules, side) =>
      compileRulesInBatches(this.relation, rules, {
        ...cutting,
        live: new Set(fields),
        table: (index) => cutting.table(2 * index + side + 2),
      }),
    );
    if (!one || !other) throw new Error('Two lists are compared');
    return sideBySide([one, other], fields, [cutting.table(0), cutting.table(1)]);
  }
}

/**
 * Joins the results of two different ways over the same items by row number. The statements of both ways may use the same table
 * names, because the items of the first are stored before the second begins.
 */
export function sideBySide(
  ways: readonly [Batches, Batches],
  fields: readonly string[],
  tables: readonly [string, string],
): Compared {
  const one = keepStatement(ways[0].relation, tables[0], fields);
  const other = keepStatement(ways[1].relation, tables[1], fields);
  return {
    statements: [...ways[0].statements, one.statement, ...ways[1].statements, other.statement],
    ...joined(one.relation, other.relation),
  };
}

/** Both tables joined by row number. */
function joined(one: Relation, other: Relation): Omit<Compared, 'statements'> {
  const sides = [
    { alias: name('a'), columns: [...one.columns].map(([field, column]) => ({ field, column, as: `a_${column}` })) },
    { alias: name('b'), columns: [...other.columns].map(([field, column]) => ({ field, column, as: `b_${column}` })) },
  ];
  const [a, b] = [name('a'), name('b')];
  const chosen = sides.flatMap(({ alias, columns }) =>
    columns.map(({ column, as }) => duck`${alias}.${name(column)} AS ${name(as)}`),
  );
  const list = [
    duck`coalesce(${a}.${ID}, ${b}.${ID}) AS ${ID}`,
    duck`coalesce(${a}.${ROW}, ${b}.${ROW}) AS ${ROW}`,
    duck`${a}.${ROW} IS NOT NULL AS ${name('was')}`,
    duck`${b}.${ROW} IS NOT NULL AS ${name('now')}`,
    ...chosen,
  ];
  const body = duck`SELECT ${join(list, duck`, `)} FROM ${name(one.from)} AS ${a}
    FULL JOIN ${name(other.from)} AS ${b} ON ${a}.${ROW} = ${b}.${ROW}`;
  const both = nextStep(tableRelation(one.from, new Map()), body, new Map(), { shuffled: true });
  const [before, after] = sides.map(({ columns }) => ({
    ...both,
    columns: new Map(columns.map(({ field, as }) => [field, as])),
  }));
  if (!before || !after) throw new Error('Two lists are compared');
  return { before, after, was: name('was'), is: name('now') };
}

/** The number of rules at the start of both lists that do the same, regardless of their ids. */
function commonStart(before: readonly Rule[], after: readonly Rule[]): number {
  const same = (at: number) => wordsOf(before[at]) === wordsOf(after[at]);
  const shorter = Math.min(before.length, after.length);
  for (let at = 0; at < shorter; at += 1) if (!same(at)) return at;
  return shorter;
}

function wordsOf(rule: Rule | undefined): string {
  return JSON.stringify({ ...rule, id: '' });
}

/** The columns of the fields after all rules of the program; a field that the program does not have is left out. */
function columnsOf(program: Program, fields: readonly string[]): Map<string, string> {
  const columns = new Map<string, string>();
  for (const field of fields) {
    const [column] = namesIn(program.text(field));
    if (column !== undefined) columns.set(field, column);
  }
  return columns;
}
