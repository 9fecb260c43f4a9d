import { numberOf } from '#engine/duckdb/number.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, duck, statement, type Sql, storedFile } from '#platform/duckdb/sql.ts';
import type { FieldDrift } from '#shared/difference/schema.ts';

/** A field that both states have: its columns in their files, and what its values are. */
export type ComparedField = {
  readonly field: string;
  readonly before: string;
  readonly after: string;
  readonly role: 'price' | 'stock' | 'required';
};

const stockName = /bestand|stock|quantity|menge|lager|qty/i;
/** A stock by its name: what an import guesses is only that it is a number. */
export const isStock = (field: string): boolean => stockName.test(field);

const german = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });
/** Fewer items say nothing about a field. */
const ENOUGH = 5;

/**
 * What the values of prices, stocks and required fields did between two files, where it looks like a fault: prices a hundred
 * times higher or lower, all stocks zero, a field emptied, most prices changed.
 */
export async function driftsBetween(
  duckdb: DuckDb,
  files: { before: string; after: string },
  fields: readonly ComparedField[],
  signal?: AbortSignal,
): Promise<FieldDrift[]> {
  if (fields.length === 0) return [];
  const read = (side: 'before' | 'after') => {
    const columns = fields.map((field, index) => duck`${valueOf(field, side)} AS ${name(`v${index}`)}`);
    return duck`SELECT ${join([duck`_id`, ...columns], duck`, `)} FROM read_parquet(${storedFile(files[side])})`;
  };
  const measures = join(
    fields.map((field, index) => duck`${measure(field, index)} AS ${name(`m${index}`)}`),
    duck`, `,
  );
  const body = duck`SELECT ${measures} FROM (${read('before')}) b JOIN (${read('after')}) a ON a._id = b._id`;
  const [row] = await duckdb.all(statement(body), signal);
  return fields.flatMap((field, index) => driftOf(field, numbersOf(row?.[`m${index}`])));
}

const valueOf = (field: ComparedField, side: 'before' | 'after'): Sql =>
  field.role === 'required' ? name(field[side]) : duck`CAST(${numberOf(name(field[side]))} AS DOUBLE)`;

/** A list of numbers about the field, over the items that both states have. */
function measure({ role }: ComparedField, index: number): Sql {
  const [old, current] = [duck`b.${name(`v${index}`)}`, duck`a.${name(`v${index}`)}`];
  const count = (condition: Sql) => duck`count(*) FILTER (${condition})::DOUBLE`;
  if (role === 'required') return duck`[${count(duck`${old} IS NOT NULL`)}, ${count(duck`${current} IS NOT NULL`)}]`;
  if (role === 'stock')
    return duck`[${count(duck`${old} > 0`)}, ${count(duck`${current} > 0`)}, ${count(duck`${current} IS NOT NULL`)}]`;
  const both = duck`${old} > 0 AND ${current} > 0`;
  const ratio = duck`${current} / ${old}`;
  return duck`[${count(both)}, ${count(duck`${both} AND ${old} <> ${current}`)}, ${count(
    duck`${both} AND ${ratio} BETWEEN 80 AND 125`,
  )}, ${count(duck`${both} AND ${ratio} BETWEEN 0.008 AND 0.0125`)}]`;
}

function driftOf({ field, role }: ComparedField, numbers: readonly number[]): FieldDrift[] {
  const [first = 0, second = 0, third = 0, fourth = 0] = numbers;
  if (role === 'required') {
    if (first < ENOUGH || second > first * 0.1) return [];
    const sentence = `„${field}“ ist bei ${german.format(first - second)} von ${german.format(first)} Artikeln leer geworden.`;
    return [{ field, kind: 'emptied', sentence, grave: true }];
  }
  if (role === 'stock') {
    if (first < ENOUGH || second > 0 || third === 0) return [];
    const sentence = `„${field}“ ist bei allen Artikeln 0; bisher waren ${german.format(first)} größer als 0.`;
    return [{ field, kind: 'stock', sentence, grave: true }];
  }
  if (first < ENOUGH) return [];
  for (const [scaled, word] of [
    [third, 'hundertmal so hoch wie bisher'],
    [fourth, 'nur ein Hundertstel von bisher'],
  ] as const) {
    if (scaled < first / 2) continue;
    const sentence = `„${field}“ ist bei ${german.format(scaled)} von ${german.format(first)} Artikeln ${word}.`;
    return [{ field, kind: 'scaled', sentence, grave: true }];
  }
  if (second < first / 2) return [];
  const sentence = `„${field}“ hat sich bei ${german.format((second / first) * 100)} % der Artikel geändert.`;
  return [{ field, kind: 'prices', sentence, grave: false }];
}

const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : []);
