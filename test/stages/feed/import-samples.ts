import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { hasInputData, inputBytes, inputFile, inputNames, onlyWithInputData } from '../input-data.ts';

const cellsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const expectedSchema = z.object({
  kind: z.string(),
  dialect: z.object({ encoding: z.string(), errors: z.string(), delimiter: z.string() }).partial().optional(),
  columns: z.array(z.string()).optional(),
  n_rows: z.number().optional(),
  n_items: z.number().optional(),
  n_products: z.number().optional(),
  row_widths: z.record(z.string(), z.number()).optional(),
  cells_sha256: z.string().optional(),
  first_row: cellsSchema.optional(),
  last_row: cellsSchema.optional(),
  sample_row: cellsSchema.optional(),
  fields_with_item_counts: z.record(z.string(), z.number()).optional(),
  first_item: z.record(z.string(), z.string()).optional(),
  last_item: z.record(z.string(), z.string()).optional(),
  products: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  sheets: z
    .array(
      z.object({
        sheet: z.string(),
        rows_including_header: z.number(),
        columns: z.number(),
        header: z.array(z.string().nullable()),
        row_after_header: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
        last_row: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
      }),
    )
    .optional(),
  expect: z.string().optional(),
  equals_reference_utf8_semicolon: z.boolean().optional(),
  pairs: z.record(z.string(), z.union([z.string(), z.array(z.unknown())])).optional(),
  must_accept_y: z.array(z.string()).optional(),
  must_reject_n: z.array(z.string()).optional(),
});
export type Expected = z.infer<typeof expectedSchema>;

const ownFolder = path.resolve(import.meta.dirname, '../../data/import');

/** Sample files, and the results of a correct import of each, by path below their folder. */
export type Samples = {
  /** For the titles of tests. */
  readonly of: string;
  readonly absent: boolean;
  readonly expected: ReadonlyMap<string, Expected>;
  /** Returns the names of all files below a folder. */
  names: (under: string) => string[];
  file: (name: string) => string;
};

/** Our own small files, and real ones if this machine has them. */
export const samples: readonly Samples[] = [
  {
    of: 'ours',
    absent: false,
    expected: expectedIn(fs.readFileSync(path.join(ownFolder, 'expected.json'), 'utf8')),
    names: (under) =>
      fs
        .readdirSync(path.join(ownFolder, under), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(ownFolder, path.join(entry.parentPath, entry.name)))
        .toSorted(),
    file: (name) => path.join(ownFolder, name),
  },
  {
    of: `the input data (${onlyWithInputData})`,
    absent: !hasInputData,
    expected: hasInputData ? expectedIn(inputBytes('expected.json').toString('utf8')) : new Map(),
    names: inputNames,
    file: inputFile,
  },
];

function expectedIn(text: string): Map<string, Expected> {
  const { files } = z.object({ files: z.record(z.string(), expectedSchema) }).parse(JSON.parse(text));
  return new Map(Object.entries(files));
}

/** Sample cells longer than 120 characters end with `…[N chars]`. */
export function sameCell(expected: unknown, found: string): boolean {
  const text =
    expected === null || expected === undefined
      ? ''
      : typeof expected === 'string'
        ? expected
        : JSON.stringify(expected);
  const cut = /^([\s\S]*)…\[(\d+) chars\]$/u.exec(text);
  const plain = found.replaceAll(/\r\n?/gu, '\n');
  if (!cut) return plain === text.replaceAll(/\r\n?/gu, '\n');
  return Array.from(plain).length === Number(cut[2]) && plain.startsWith((cut[1] ?? '').replaceAll(/\r\n?/gu, '\n'));
}
