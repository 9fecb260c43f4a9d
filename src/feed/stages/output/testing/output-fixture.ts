import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { join, name, ownNumber, ownText, duck, statement, storedFile } from '#platform/duckdb/sql.ts';
import { OutputFormat } from '#shared/exports/schema.ts';
import type { OutputColumn } from '#feed/stages/output/cells.ts';
import { shownText } from '#feed/stages/output/formats/json.ts';
import { writeOutput, type Written } from '#feed/stages/output/write.ts';

/** A cell of a run: a text, the entries of a list, or nothing. */
export type Value = string | null | readonly (string | null)[];
type Columns = readonly (Partial<OutputColumn> & { name: string })[];
type WrittenFile = Written & { content: Buffer; text: string };

/** For tests: writes artificial runs as files, and returns their cells as an explanation shows them. */
export type OutputFixture = {
  readonly folder: string;
  /** `rows`: one for each item, with a value for every column. Items are named A-0, A-1 …, or with `mark` before their number. */
  write: (columns: Columns, rows: readonly (readonly Value[])[], format: object, mark?: string) => Promise<WrittenFile>;
  /** The texts of the items' cells by `shownText`. */
  cells: (columns: Columns, rows: readonly (readonly Value[])[], format: object) => Promise<(string | null)[][]>;
  close: () => void;
};

const fullFile = (columns: Columns) =>
  columns.map((column, index): OutputColumn => ({ column: `x${index}`, number: false, price: false, ...column }));

const typed = ({ column, list }: OutputColumn) =>
  list && list.parted !== 'text' ? duck`${name(column)} VARCHAR[]` : duck`${name(column)} VARCHAR`;

export async function openOutputs(): Promise<OutputFixture> {
  const folder = mkdtempSync(joinPath(tmpdir(), 'kontor-output-'));
  const duckdb = await DuckDb.open({ folder, memoryLimit: '500MB' });
  const parquet = joinPath(folder, 'run.parquet');
  const target = joinPath(folder, 'out');

  let stored: unknown;
  const store = async (columns: readonly OutputColumn[], rows: readonly (readonly Value[])[], mark = 'A-') => {
    if (stored === rows) return;
    stored = rows;
    const session = await duckdb.session();
    const types = columns.map(typed);
    await session.all(statement(duck`CREATE TEMP TABLE run (n INTEGER, ${join(types, duck`, `)})`));
    for (const [index, row] of rows.entries()) {
      const cast = row.map((value) =>
        typeof value === 'string' || value === null
          ? duck`${value}`
          : duck`from_json(CAST(${JSON.stringify(value)} AS JSON), '["VARCHAR"]')`,
      );
      await session.all(statement(duck`INSERT INTO run VALUES (${ownNumber(index)}, ${join(cast, duck`, `)})`));
    }
    const cells = columns.map(({ column }) => name(column));
    const chosen = join([duck`${mark} || n AS _id`, ...cells, duck`hash(${join(cells, duck`, `)}) AS _hash`], duck`, `);
    await session.all(
      statement(duck`COPY (SELECT ${chosen} FROM run ORDER BY n) TO ${ownText(parquet)} (FORMAT parquet)`),
    );
    session.close();
  };
  return {
    folder,
    write: async (columns, rows, format, mark) => {
      const list = fullFile(columns);
      await store(list, rows, mark);
      const facts = { title: 'A & "B"', id: 'export1', updated: new Date('2026-11-20T08:00:00Z') };
      const written = await writeOutput(
        duckdb,
        { parquet, items: rows.length, columns: list, ...facts },
        OutputFormat.parse(format),
        target,
      );
      const content = readFileSync(target);
      return { ...written, content, text: content.toString('utf8') };
    },
    cells: async (columns, rows, format) => {
      const list = fullFile(columns);
      await store(list, rows);
      const texts = list.map((column) => shownText(column, OutputFormat.parse(format)));
      const found = await duckdb.all(
        statement(duck`SELECT [${join(texts, duck`, `)}] AS cells FROM read_parquet(${storedFile(parquet)})`),
      );
      return found.map(({ cells }) =>
        Array.isArray(cells) ? cells.map((cell) => (typeof cell === 'string' ? cell : null)) : [],
      );
    },
    close: () => {
      duckdb.close();
      rmSync(folder, { recursive: true });
    },
  };
}
