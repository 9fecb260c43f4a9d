import { NUMBER } from '#engine/duckdb/number.ts';
import { layered } from '#engine/duckdb/layers.ts';
import type { Definition, Program } from '#engine/duckdb/program.ts';
import { ROW, withSteps } from '#engine/duckdb/relation.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, namesIn, ownNumber, duck, statement, type Sql, type Statement } from '#platform/duckdb/sql.ts';
import { textOf } from './item-values.ts';

/** Types of the columns that depend on all items; their values are passed as text. */
const TYPES: Readonly<Record<string, Sql>> = {
  BIGINT: duck`BIGINT`,
  VARCHAR: duck`VARCHAR`,
  'DECIMAL(38,10)': NUMBER,
};

/** A program over all items, and the statements to run before it on the same connection. */
export type WholeProgram = { readonly program: Program; readonly statements: readonly Statement[] };

/**
 * Computes the few columns that depend on all items, rankings and groups, on the whole catalogue for the item at `row`, and puts
 * them into the program as constants; all other columns then run on the item alone. `whole` makes the same program over all items
 * that reach it, with the same definitions in the same order. Returns the values by column name in `program`.
 */
export async function settleCatalogueValues(
  duckdb: DuckDb,
  program: Program,
  row: number,
  whole: () => WholeProgram,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string | null>> {
  const crossRow = [...program.definitions.values()]
    .map((definition, index) => ({ definition, index }))
    .filter(({ definition }) => definition.kind !== 'row');
  const settled = new Map<string, string | null>();
  if (crossRow.length === 0) return settled;
  const { program: all, statements } = whole();
  const twins = [...all.definitions.values()];
  const columns = crossRow.map(({ index }) => name(nameAt(twins, index)));
  const list = (cells: readonly Sql[]) => duck`[${join(cells, duck`, `)}]`;
  const body = duck`${list(columns.map((column) => duck`CAST(${column} AS VARCHAR)`))} AS texts,
    ${list(columns.map((column) => duck`typeof(${column})`))} AS types`;
  const { relation, place } = layered(all, [body]);
  const query = duck`SELECT ${place(body)} FROM ${name(relation.from)} WHERE ${ROW} = ${ownNumber(row)}`;
  const [found] = await duckdb.last([...statements, statement(withSteps(relation, query))], signal);
  const [texts, types] = [listOf(found?.['texts']), listOf(found?.['types'])];
  crossRow.forEach(({ definition }, at) => {
    const text = textOf(texts[at]);
    settled.set(definition.name, text);
    const type = TYPES[String(types[at])];
    if (!type) throw new Error(`A column computed over all items has the unknown type ${String(types[at])}`);
    program.definitions.set(definition.name, constant(definition, duck`CAST(${text} AS ${type})`));
  });
  return settled;
}

function nameAt(twins: readonly Definition[], index: number): string {
  const twin = twins[index];
  if (!twin || twin.kind === 'row')
    throw new Error('The program over all items differs from the one over a single item');
  return twin.name;
}

function constant({ name: identifier }: Definition, value: Sql): Definition {
  return { name: identifier, uses: namesIn(value), serialize: () => value, kind: 'row' };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
