import { join, name, duck, type Statement } from '#platform/duckdb/sql.ts';
import { liveFields, remaining, partsRemaining, rulesProgram } from './compile-rules.ts';
import { fieldsOf } from '#engine/ir/fields-of.ts';
import type { Rule } from '#engine/ir/rules.ts';
import { column, ID, keepStatement, nextStep, ROW, type Relation } from './relation.ts';

/**
 * The most steps of one statement. DuckDB binds at most 1,000 nested steps, and later stages need some. Only hundreds of rules
 * that build on each other's results, or dozens of consecutive rankings, reach this number.
 */
export const MOST_STEPS = 300;

/** The fields that are read afterwards. */
export type Live = ReadonlySet<string> | 'all';

/**
 * What splitting a list needs: `table` returns a table name for a number; `most` is the most steps of a statement, `waiting` the
 * number of unwritten fields that may wait. Only tests set the last two.
 */
export type Cutting = { readonly table: (index: number) => string; readonly most?: number; readonly waiting?: number };

/**
 * From this number of fields on that no rule writes, they are joined to the items at the end instead of carried through every
 * step: planning a step costs by its columns, and tables between batches would copy them. Only if the items are cheap to read.
 */
const WORTH_WAITING = 8;

/** Statements to run first, in order, on the connection that then reads the relation; usually none. */
export type Batches = { readonly statements: readonly Statement[]; readonly relation: Relation };

/**
 * Runs `compileRules` for lists of any length: where one statement would get too deep, the items between two batches of rules are
 * stored in a temporary table. `table` generates table names from a number.
 */
export function compileRulesInBatches(
  relation: Relation,
  rules: readonly Rule[],
  { live, table, most = MOST_STEPS, waiting = WORTH_WAITING }: Cutting & { live: Live },
): Batches {
  const { program } = rulesProgram(relation, rules);
  const fields = liveFields(program, live);
  const whole = rules.length === 1 ? 1 : partsRemaining(program, fields, most);
  if (whole === 1) return { statements: [], relation: remaining(program, fields) };
  const written = new Set(rules.flatMap(({ changes }) => changes.map(({ field }) => field)));
  const untouched = fields.filter((field) => !written.has(field));
  if (untouched.length < waiting || relation.steps.length > 1)
    return batched(relation, rules, { live, parts: whole, table, most, waiting });
  const changed = fields.filter((field) => written.has(field));
  const parts = Math.min(rules.length, partsRemaining(program, changed, most));
  const done = batched(relation, rules, { live: new Set(changed), parts, table, most, waiting });
  const stored = keepStatement(done.relation, table(done.statements.length), changed);
  return { statements: [...done.statements, stored.statement], relation: joined(relation, stored.relation, fields) };
}

/** Joins the fields that rules made (in a table) to the items, whose other fields are unchanged. */
function joined(items: Relation, made: Relation, fields: readonly string[]): Relation {
  const columns = new Map(fields.map((field, index) => [field, `r${index}`]));
  const chosen = fields.map((field, index) => {
    const from = made.columns.has(field) ? duck`made.${column(made, field)}` : duck`items.${column(items, field)}`;
    return duck`${from} AS ${name(`r${index}`)}`;
  });
  const list = join([duck`items.${ID}`, duck`items.${ROW}`, ...chosen], duck`, `);
  const body = duck`SELECT ${list} FROM ${name(items.from)} AS items JOIN ${name(made.from)} AS made ON items.${ROW} = made.${ROW}`;
  return { ...nextStep(items, body, columns, { shuffled: true }), ...(made.groups ? { groups: made.groups } : {}) };
}

function batched(
  relation: Relation,
  rules: readonly Rule[],
  { live, parts, table, most, waiting }: Required<Cutting> & { live: Live; parts: number },
): Batches {
  const made: Statement[] = [];
  let items = relation;
  const batches = inParts(rules, parts);
  for (const [index, batch] of batches.entries()) {
    const neededLater = neededBy(batches.slice(index + 1).flat(), live);
    const cutting = { table: (at: number) => table(made.length + at), most, waiting };
    const done = compileRulesInBatches(items, batch, { live: neededLater, ...cutting });
    made.push(...done.statements);
    items = done.relation;
    if (index === batches.length - 1) break;
    const stored = keepStatement(items, table(made.length), items.columns.keys());
    made.push(stored.statement);
    items = stored.relation;
  }
  return { statements: made, relation: items };
}

/** Splits a list into the given number of parts of about the same length; none is empty. */
export function inParts<T>(list: readonly T[], parts: number): T[][] {
  const size = Math.ceil(list.length / Math.min(parts, list.length));
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

/** The most conditions and changes for which any mixture stays below `MOST_STEPS`; one ranking counts as this many. */
const FEW_PARTS = 40;

/** The items and rules for a query about one rule: `rules` end with it, and one statement over `relation` can run them all. */
export type RequestedPlace = Batches & { readonly rules: readonly Rule[] };

/**
 * Returns the items and rules for a query about one rule. If the rules above make a statement too deep, the items that reach the
 * rule are stored in batches, with the rule's own fields and those to be shown.
 */
export function requestedPlace(
  relation: Relation,
  rules: readonly Rule[],
  ruleId: string,
  { show, table, most = MOST_STEPS }: Cutting & { show: Iterable<string> },
): RequestedPlace {
  const index = rules.findIndex(({ id }) => id === ruleId);
  const rule = rules[index];
  if (!rule) throw new Error(`No such rule: ${ruleId}`);
  const upTo = rules.slice(0, index + 1);
  const few = most === MOST_STEPS && upTo.reduce((sum, one) => sum + partsOf(one), 0) <= FEW_PARTS;
  if (few) return { statements: [], relation, rules: upTo };
  const used = fieldsOf(rule);
  const live = used === 'all' ? 'all' : new Set([...used, ...show]);
  const { program } = rulesProgram(relation, upTo);
  if (partsRemaining(program, liveFields(program, live), most) === 1) return { statements: [], relation, rules: upTo };
  const above = compileRulesInBatches(relation, rules.slice(0, index), { live, table, most });
  const stored = keepStatement(above.relation, table(above.statements.length), above.relation.columns.keys());
  return { statements: [...above.statements, stored.statement], relation: stored.relation, rules: [rule] };
}

function partsOf({ conditions, changes }: Rule): number {
  const ranked = conditions.some(
    (one) => 'test' in one && (one.test.kind === 'inHighest' || one.test.kind === 'inLowest'),
  );
  return conditions.length + changes.length + (ranked ? FEW_PARTS : 0);
}

/** The fields that the rules and the steps after them read. */
export function neededBy(rules: readonly Rule[], live: Live): Live {
  if (live === 'all') return 'all';
  const needed = new Set(live);
  for (const rule of rules) {
    const fields = fieldsOf(rule);
    if (fields === 'all') return 'all';
    fields.forEach((field) => needed.add(field));
  }
  return needed;
}
