import { join, name, namesIn, sql, withNames, type Sql } from '#platform/sql.ts';
import type { Definition, Program } from './program.ts';
import { ID, ROW, nextStep, type Relation } from './relation.ts';

/** A column used once is written into its user until expressions are so deep; DuckDB plans fewer steps faster. */
const INLINE_DEPTH = 12;

type Column = {
  readonly definition: Definition;
  /** Spelled with its single-use columns put in place. */
  readonly spell: (below: Sql) => Sql;
  readonly uses: ReadonlySet<string>;
  readonly depth: number;
  readonly level: number;
  /** How many expressions over all items stand one on the other; each reads the items below it twice. */
  readonly passes: number;
};

/**
 * The relation with the columns of a program that `roots` mention (and what those need), one step a level of dependency
 * (docs/decisions/0005-engine.md). Every step carries only columns that a later one or a root still wants.
 */
export function layered(program: Program, roots: readonly Sql[]): Relation {
  const wanted = new Set(roots.flatMap((root) => [...namesIn(root)]));
  const columns = placed(program, wanted);
  const height = Math.max(0, ...[...columns.values()].map(({ level }) => level));
  const lastUse = lastUses(columns, wanted, height);
  let relation = program.base;
  for (let level = 1; level <= height; level += 1) {
    const made = [...columns.values()].filter((column) => column.level === level);
    const below = name(relation.from);
    const carried = [...lastUse].filter(([column, last]) => last > level && (columns.get(column)?.level ?? 0) < level);
    const list = [
      ID,
      ROW,
      ...carried.map(([column]) => name(column)),
      ...made.map((column) => sql`${column.spell(below)} AS ${name(column.definition.name)}`),
    ];
    // From the second pass on every further one would double the work: compute the step once.
    const kept = [...columns.values()].some(
      (column) => column.level === level + 1 && column.definition.kind === 'threshold' && column.passes > 1,
    );
    const shuffled = made.some((column) => column.definition.kind === 'window');
    relation = nextStep(relation, sql`SELECT ${join(list, sql`, `)} FROM ${below}`, relation.columns, {
      kept,
      shuffled,
    });
  }
  return relation;
}

/** The needed definitions, those used once put into their users, each with its level. */
function placed(program: Program, wanted: ReadonlySet<string>): Map<string, Column> {
  const needed = neededBy(program, wanted);
  const counts = useCounts(needed, wanted);
  const inlined = new Map<string, Column>();
  const columns = new Map<string, Column>();
  for (const definition of needed) {
    const column = resolved(definition, columns, inlined);
    const once = counts.get(definition.name) === 1 && definition.kind === 'row' && !wanted.has(definition.name);
    (once && column.depth < INLINE_DEPTH ? inlined : columns).set(definition.name, column);
  }
  return new Map([...columns].filter(([identifier]) => !inlined.has(identifier)));
}

/** A definition with its inlined columns in place. Whole expressions take names only, since DuckDB nests no windows. */
function resolved(definition: Definition, columns: ReadonlyMap<string, Column>, inlined: Map<string, Column>): Column {
  const uses = new Set<string>();
  let [depth, level, passes] = [0, 0, 0];
  for (const identifier of definition.uses) {
    const part = inlined.get(identifier);
    const from = part ?? columns.get(identifier);
    passes = Math.max(passes, from?.passes ?? 0);
    if (part) {
      part.uses.forEach((used) => uses.add(used));
      [depth, level] = [Math.max(depth, part.depth + 1), Math.max(level, part.level - 1)];
    } else {
      uses.add(identifier);
      level = Math.max(level, from?.level ?? 0);
    }
  }
  const spell = (below: Sql) =>
    withNames(definition.spell(below), (identifier) => inlined.get(identifier)?.spell(below));
  return {
    definition,
    spell,
    uses,
    depth,
    level: level + 1,
    passes: passes + (definition.kind === 'threshold' ? 1 : 0),
  };
}

/** Definitions that the wanted columns need, in the order of their making. */
function neededBy(program: Program, wanted: ReadonlySet<string>): Definition[] {
  const needed = new Set<string>();
  const open = [...wanted];
  for (let identifier = open.pop(); identifier !== undefined; identifier = open.pop()) {
    const definition = program.definitions.get(identifier);
    if (!definition || needed.has(identifier)) continue;
    needed.add(identifier);
    open.push(...definition.uses);
  }
  return [...program.definitions.values()].filter(({ name: identifier }) => needed.has(identifier));
}

/** How often each column stands in an expression; in a whole one it counts double, so that it is not inlined there. */
function useCounts(definitions: readonly Definition[], wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (identifier: string, times: number) => counts.set(identifier, (counts.get(identifier) ?? 0) + times);
  for (const definition of definitions) {
    if (definition.kind !== 'row') definition.uses.forEach((identifier) => add(identifier, 2));
    else {
      for (const piece of definition.spell(sql``).pieces) if ('name' in piece) add(piece.name, 1);
    }
  }
  wanted.forEach((identifier) => add(identifier, 1));
  return counts;
}

/** The level of the last step that reads each column; roots are read behind the last step. */
function lastUses(
  columns: ReadonlyMap<string, Column>,
  wanted: ReadonlySet<string>,
  height: number,
): Map<string, number> {
  const last = new Map<string, number>();
  for (const { uses, level } of columns.values()) {
    for (const identifier of uses) last.set(identifier, Math.max(last.get(identifier) ?? 0, level));
  }
  wanted.forEach((identifier) => last.set(identifier, height + 1));
  last.delete('id');
  last.delete('row');
  return last;
}
