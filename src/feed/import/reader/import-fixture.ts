import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { rejectedRowSchema, type ImportResult, type RejectedRow } from '#shared/import/schema.ts';
import { importInThisProcess, type ReadingWay } from './import-here.ts';
import type { ImportRequest } from './request.ts';

/** A result with the contents of its output files. Cells: '' for NULL. */
export type Imported = {
  result: ImportResult;
  /** Cells by field in file order. */
  rows: string[][];
  ids: string[];
  hashes: string[];
  rejected: RejectedRow[];
  leftovers: string[];
};

/** For tests: runs `work` with a temporary folder, which is removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-import-'));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function cellText(cell: unknown): string {
  if (typeof cell === 'bigint' || typeof cell === 'number') return `${cell}`;
  return typeof cell === 'string' ? cell : '';
}

/** Shared by all tests: opening DuckDB costs more than reading a small file. */
let reading: Promise<DuckDBInstance> | undefined;

/** For tests: returns selected columns of a Parquet file as texts, '' for NULL. */
export async function readParquet(file: string, columns: string): Promise<string[][]> {
  const connection = await (await (reading ??= DuckDBInstance.create(':memory:'))).connect();
  const reader = await connection.runAndReadAll(`SELECT ${columns} FROM read_parquet('${file}')`);
  const rows = reader.getRowsJS().map((row) => row.map(cellText));
  connection.closeSync();
  return rows;
}

export type FixtureOptions = Partial<ImportRequest> & { name?: string; way?: ReadingWay };

/** For tests: imports a file that exists, in this process. */
export function importFile(file: string, options: FixtureOptions = {}): Promise<Imported> {
  return withFolder(async (folder) => {
    const { way, name, ...request } = options;
    const output = path.join(folder, 'out.parquet');
    const rejectedOutput = path.join(folder, 'rejected.jsonl');
    const workFolder = path.join(folder, 'work');
    const result = await importInThisProcess(
      {
        file,
        originalName: name ?? path.basename(file),
        options: {},
        knownFields: [],
        ...request,
        output,
        rejectedOutput,
        workFolder,
      },
      { onProgress: () => undefined },
      way,
    );
    const lines = fs.readFileSync(rejectedOutput, 'utf8').split('\n').filter(Boolean);
    const rejected = lines.map((line) => rejectedRowSchema.parse(JSON.parse(line)));
    const leftovers = [
      ...fs.readdirSync(workFolder),
      ...(result.ok ? [] : fs.readdirSync(folder).filter((entry) => entry === 'out.parquet')),
    ];
    if (!result.ok) return { result, rows: [], ids: [], hashes: [], rejected, leftovers };
    const ids = result.fields.map((field) => field.id);
    // The '=' in front keeps DuckDB's binding from dropping a byte order mark at the start of a cell.
    const marked = await readParquet(output, ['_id', '_hash', ...ids].map((id) => `'=' || ${id}`).join(', '));
    const all = marked.map((row) => row.map((cell) => cell.slice(1)));
    return {
      result,
      rows: all.map((row) => row.slice(2)),
      ids: all.map((row) => row[0] ?? ''),
      hashes: all.map((row) => row[1] ?? ''),
      rejected,
      leftovers,
    };
  });
}

/** For tests: imports content as if it had been uploaded under a name. */
export function importContent(content: string | Buffer, options: FixtureOptions = {}): Promise<Imported> {
  return withFolder(async (folder) => {
    const file = path.join(folder, 'upload');
    fs.writeFileSync(file, content);
    return importFile(file, { name: 'artikel.csv', ...options });
  });
}
