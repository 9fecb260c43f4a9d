import { eachPiece, join, name, namesIn, duck, withNames, type Sql } from '#platform/duckdb/sql.ts';
import type { Definition, Program } from './program.ts';
import { ID, nextStep, ROW, type Relation } from './relation.ts';

/** A column used once is written into its user until expressions are so deep; DuckDB plans fewer steps faster. */
const INLINE_DEPTH = 12;

/**
 * DuckDB moves a filter below projections by writing the columns' expressions into it: along a chain of versions that
 * each mention the one before twice, a filter behind the rules grew without bound (minutes and gigabytes for ten rules).
 * So a column that would unfold to more pieces is made opaque.
 */
const UNFOLDED_PIECES = 200;

/**
 * An expression into which DuckDB moves no filter that stands behind it, because one part is volatile. That part is never computed, for every item
 * has a row: a number for each item would cost more than most conditions.
 */
export const opaque = (expression: Sql): Sql =>
  duck`CASE WHEN CASE WHEN ${ROW} IS NULL THEN random() > 2 END THEN NULL ELSE ${expression} END`;

/**
 * Steps with windows behind each other until one is kept: DuckDB tries its filters on each twice, so planning 20 of them
 * took 3 s and 60 of them never ended. A kept step ends that.
 */
const WINDOWS_AT_ONCE = 8;

type Column = {
  readonly definition: Definition;
  /** With its single-use columns put in place. */
  readonly expression: Sql;
  readonly uses: ReadonlySet<string>;
  readonly depth: number;
  readonly level: number;
  /** Pieces of the expression if everything it mentions were written into it. */
  readonly unfolded: number;
};

/** Thresholds that stand as steps of their own: what takes the place of their names. */
type Values = ReadonlyMap<string, Sql>;

/**
 * The relation with the columns of a program that `roots` mention (and what those need), one step a level of dependency
 * (docs/decisions/0005-engine.md). Every step carries only columns that a later one or a root still wants.
 *
 * A threshold needs the items first: the rules above it run for the one column it looks at, by steps of their own, and
 * its single row is kept. Reading the main steps twice instead would double the plan with every threshold.
 */
export function layered(program: Program, roots: readonly Sql[]): { relation: Relation; place: (root: Sql) => Sql } {
  const values = new Map<string, Sql>();
  let relation = program.base;
  for (const threshold of neededBy(program, namesOf(roots))) {
    if (threshold.kind !== 'threshold') continue;
    const looked = rowSteps(relation, program, threshold.uses, values);
    relation = nextStep(looked, threshold.serialize(name(looked.from)), looked.columns, { kept: true });
    values.set(threshold.name, duck`(SELECT "value" FROM ${name(relation.from)})`);
    relation = { ...relation, from: program.base.from };
  }
  const wanted = new Set([...namesOf(roots)].filter((identifier) => !values.has(identifier)));
  return {
    relation: rowSteps(relation, program, wanted, values),
    place: (root) => withNames(root, (one) => values.get(one)),
  };
}

/**
 * Columns of all steps together: each is a buffer of up to 32 KB a thread while the statement runs, so that a wide and
 * deep one took more than a gigabyte for five items.
 */
const MOST_COLUMNS = 12_000;

/**
 * How many statements `layered` should be cut into so that each has at most `most` steps, and few enough columns in them;
 * 1: it need not. Cheaper than making them: the steps of long lists are many.
 */
export function partsFor(program: Program, roots: readonly Sql[], most: number): number {
  const done = new Map<string, Sql>();
  let [before, columns] = [0, 0];
  const add = (wanted: ReadonlySet<string>): number => {
    const { levels, last, madeAt } = shapeOf(program, wanted, done);
    for (const [identifier, until] of last) columns += until - madeAt(identifier);
    return levels.length;
  };
  for (const threshold of neededBy(program, namesOf(roots))) {
    if (threshold.kind !== 'threshold') continue;
    before += add(threshold.uses) + 1;
    if (before > most * MANY_TIMES) break;
    done.set(threshold.name, name(threshold.name));
  }
  const rest = add(new Set([...namesOf(roots)].filter((identifier) => !done.has(identifier))));
  if (program.base.steps.length + before + rest <= most && columns <= MOST_COLUMNS) return 1;
  // Steps grow with the rules; those before thresholds, and the columns carried through all, with their square.
  const parts = Math.max(rest / most + Math.sqrt(before / most), Math.sqrt(columns / MOST_COLUMNS));
  return Math.max(2, Math.ceil(parts));
}

/** Beyond this it does not matter by how much a list is too long. */
const MANY_TIMES = 30;

type Shape = {
  readonly levels: readonly (readonly Column[])[];
  /** The level of the last step that reads each column. */
  readonly last: ReadonlyMap<string, number>;
  /** 0: it comes with the items. */
  readonly madeAt: (identifier: string) => number;
};

function shapeOf(program: Program, wanted: ReadonlySet<string>, values: Values): Shape {
  const columns = placed(program, wanted, values);
  const levels = byLevel(columns);
  const last = lastUses(columns, wanted, levels.length + 1);
  return { levels, last, madeAt: (identifier) => columns.get(identifier)?.level ?? 0 };
}

function namesOf(roots: readonly Sql[]): Set<string> {
  return new Set(roots.flatMap((root) => [...namesIn(root)]));
}

/** The steps that make the wanted columns over the relation's `from`. */
function rowSteps(base: Relation, program: Program, wanted: ReadonlySet<string>, values: Values): Relation {
  const { levels, last, madeAt } = shapeOf(program, wanted, values);
  let relation = base;
  let windows = 0;
  let carried = [...last.keys()].filter((identifier) => madeAt(identifier) === 0);
  levels.forEach((made, index) => {
    const level = index + 1;
    carried = carried.filter((identifier) => (last.get(identifier) ?? 0) > level);
    const list = [
      ID,
      ROW,
      ...carried.map((identifier) => name(identifier)),
      ...made.map(({ expression, definition }) => duck`${expression} AS ${name(definition.name)}`),
    ];
    const shuffled = made.some(({ definition }) => definition.kind === 'window');
    windows += shuffled ? 1 : 0;
    const kept = shuffled && windows % WINDOWS_AT_ONCE === 0;
    const body = duck`SELECT ${join(list, duck`, `)} FROM ${name(relation.from)}`;
    relation = nextStep(relation, body, relation.columns, { shuffled, kept });
    carried.push(...made.map(({ definition }) => definition.name));
  });
  return relation;
}

/** The columns of each step, from the first. */
function byLevel(columns: ReadonlyMap<string, Column>): Column[][] {
  const levels: Column[][] = [];
  for (const column of columns.values()) {
    while (levels.length < column.level) levels.push([]);
    levels[column.level - 1]?.push(column);
  }
  return levels;
}

/** The needed definitions, those used once put into their users, each with its level. */
function placed(program: Program, wanted: ReadonlySet<string>, values: Values): Map<string, Column> {
  const needed = neededBy(program, wanted, values);
  const counts = useCounts(needed, wanted);
  const inlined = new Map<string, Column>();
  const columns = new Map<string, Column>();
  for (const definition of needed) {
    const column = resolved(definition, columns, inlined, values);
    const once = counts.get(definition.name) === 1 && definition.kind === 'row';
    if (once && column.depth < INLINE_DEPTH) inlined.set(definition.name, column);
    else columns.set(definition.name, bounded(column));
  }
  return columns;
}

/** A column as others see it; what looks at all items is no expression of one item's columns anyway. */
function bounded(column: Column): Column {
  if (column.definition.kind === 'window') return { ...column, unfolded: 1 };
  if (column.unfolded <= UNFOLDED_PIECES) return column;
  return { ...column, expression: opaque(column.expression), unfolded: 1 };
}

/** A definition with its inlined columns in place. */
function resolved(
  definition: Definition,
  columns: ReadonlyMap<string, Column>,
  inlined: ReadonlyMap<string, Column>,
  values: Values,
): Column {
  const uses = new Set<string>();
  let [depth, level] = [0, 0];
  for (const identifier of definition.uses) {
    const part = inlined.get(identifier);
    if (part) {
      part.uses.forEach((used) => uses.add(used));
      [depth, level] = [Math.max(depth, part.depth + 1), Math.max(level, part.level - 1)];
    } else if (!values.has(identifier)) {
      uses.add(identifier);
      level = Math.max(level, columns.get(identifier)?.level ?? 0);
    }
  }
  const serialized = definition.serialize(duck``);
  const expression = withNames(serialized, (one) => inlined.get(one)?.expression ?? values.get(one));
  let unfolded = 0;
  eachPiece(serialized, (piece) => {
    unfolded += 'name' in piece ? ((inlined.get(piece.name) ?? columns.get(piece.name))?.unfolded ?? 1) : 1;
  });
  return { definition, expression, uses, depth, level: level + 1, unfolded };
}

/** Definitions that the wanted columns need, in the order of their making; not behind thresholds that are done. */
function neededBy(program: Program, wanted: ReadonlySet<string>, done: Values = new Map()): Definition[] {
  const needed = new Set<string>();
  const open = [...wanted];
  for (let identifier = open.pop(); identifier !== undefined; identifier = open.pop()) {
    const definition = program.definitions.get(identifier);
    if (!definition || needed.has(identifier) || done.has(identifier)) continue;
    needed.add(identifier);
    open.push(...definition.uses);
  }
  return [...program.definitions.values()].filter(({ name: identifier }) => needed.has(identifier));
}

/** How often each column stands in an expression; in windows and lambdas double, so that it is not put in place there. */
function useCounts(definitions: readonly Definition[], wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (identifier: string, times: number) => counts.set(identifier, (counts.get(identifier) ?? 0) + times);
  for (const { kind, lambda = false, serialize } of definitions) {
    eachPiece(serialize(duck``), (piece) => {
      if ('name' in piece) add(piece.name, kind === 'window' || lambda ? 2 : 1);
    });
  }
  wanted.forEach((identifier) => add(identifier, 2));
  return counts;
}

/** The level of the last step that reads each column; wanted ones are read behind the last step. */
function lastUses(columns: ReadonlyMap<string, Column>, wanted: ReadonlySet<string>, end: number): Map<string, number> {
  const last = new Map<string, number>();
  for (const { uses, level } of columns.values()) {
    for (const identifier of uses) last.set(identifier, Math.max(last.get(identifier) ?? 0, level));
  }
  wanted.forEach((identifier) => last.set(identifier, end));
  last.delete('id');
  last.delete('row');
  return last;
}
