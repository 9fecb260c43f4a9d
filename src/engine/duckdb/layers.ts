import { eachPiece, join, name, namesIn, duck, withNames, type Sql } from '#platform/duckdb/sql.ts';
import type { Definition, Program } from './program.ts';
import { ID, nextStep, ROW, type Relation } from './relation.ts';

/** A column that is used once is inlined into its user up to this depth of expression: DuckDB plans fewer steps faster. */
const INLINE_DEPTH = 12;

/**
 * DuckDB pushes a filter below projections by inlining the columns' expressions into it. Along a chain of versions that each use
 * the one before twice, a filter after the rules grew without bound (minutes and gigabytes for ten rules). So a column that would
 * unfold to more pieces than this is made opaque.
 */
const UNFOLDED_PIECES = 200;

/**
 * Wraps an expression so that DuckDB pushes no later filter into it, because one part is volatile. That part is never computed,
 * since every item has a row number: a random number for each item would cost more than most conditions.
 */
export const opaque = (expression: Sql): Sql =>
  duck`CASE WHEN CASE WHEN ${ROW} IS NULL THEN random() > 2 END THEN NULL ELSE ${expression} END`;

/**
 * The most consecutive steps with windows before one is materialised: DuckDB tries its filters on each twice, so planning 20 of
 * them took 3 s and 60 never finished. A materialised step stops that.
 */
const WINDOWS_AT_ONCE = 8;

type Column = {
  readonly definition: Definition;
  /** The expression with its single-use columns inlined. */
  readonly expression: Sql;
  readonly uses: ReadonlySet<string>;
  readonly depth: number;
  readonly level: number;
  /** Number of pieces if every column the expression uses were inlined. */
  readonly unfolded: number;
};

/** Thresholds that are steps of their own: by name, the subquery that replaces the name. */
type Values = ReadonlyMap<string, Sql>;

/**
 * Returns the relation with the columns that `roots` use (and those they need), one step for each level of dependency
 * (docs/decisions/0005-engine.md). Every step carries only columns that a later step or a root still needs.
 *
 * A threshold needs the items first: the rules above it run for the one column it reads, in steps of their own, and its single
 * row is materialised. Reading the main steps twice instead would double the plan with every threshold.
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
 * The most columns of all steps together: each is a buffer of up to 32 KB for each thread while the statement runs, so a wide and
 * deep statement took more than a gigabyte for five items.
 */
const MOST_COLUMNS = 12_000;

/**
 * Returns the number of statements `layered` should be split into so that each has at most `most` steps and at most
 * `MOST_COLUMNS` columns; 1 if no split is needed. Estimated without building the steps, of which long lists have many.
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
  // Steps grow linearly with the rules; steps before thresholds, and columns carried through all steps, grow quadratically.
  const parts = Math.max(rest / most + Math.sqrt(before / most), Math.sqrt(columns / MOST_COLUMNS));
  return Math.max(2, Math.ceil(parts));
}

/** Beyond this multiple of `most` the steps need no further count: the list is far too long anyway. */
const MANY_TIMES = 30;

type Shape = {
  readonly levels: readonly (readonly Column[])[];
  /** The level of the last step that reads each column. */
  readonly last: ReadonlyMap<string, number>;
  /** The level at which a column is made; 0 if it comes with the items. */
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

/** Adds the steps that make the wanted columns to the relation. */
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

/** The columns of each step, first step first. */
function byLevel(columns: ReadonlyMap<string, Column>): Column[][] {
  const levels: Column[][] = [];
  for (const column of columns.values()) {
    while (levels.length < column.level) levels.push([]);
    levels[column.level - 1]?.push(column);
  }
  return levels;
}

/** The needed definitions with their level; those used once are inlined into their users. */
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

/** A column as others see it, made opaque if it would unfold too far. A window is never inlined. */
function bounded(column: Column): Column {
  if (column.definition.kind === 'window') return { ...column, unfolded: 1 };
  if (column.unfolded <= UNFOLDED_PIECES) return column;
  return { ...column, expression: opaque(column.expression), unfolded: 1 };
}

/** A definition with its single-use columns inlined. */
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

/** The definitions that the wanted columns need, in the order of definition, without what only finished thresholds need. */
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

/** How often each column is used in an expression; uses in windows and lambdas count double, so that nothing is inlined there. */
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

/** The level of the last step that reads each column; wanted columns are read after the last step. */
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
