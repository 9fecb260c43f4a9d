import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { inputLog } from './report/input-report.ts';

/**
 * Real catalogues and lists, in a folder next to the checkout that only some machines have. Whatever a test proves with them, it
 * also proves with a small file of ours from `test/data`; the real ones are an addition.
 */
const folder = path.resolve(import.meta.dirname, '../../../shared/data');

/** Whether this machine has the input data; otherwise tests with it are skipped and listed at the end of the run. */
export const hasInputData = existsSync(folder);

/** Reason in the title of every test that is skipped without the input data. */
export const onlyWithInputData = 'skipped where no input data lie beside the checkout';

/** Returns the path of an input file, and records that the running test file read it. */
export function inputFile(name: string): string {
  const log = process.env[inputLog];
  const test = path.relative(process.cwd(), expect.getState().testPath ?? '');
  if (log !== undefined) appendFileSync(log, `${JSON.stringify({ test, name })}\n`);
  return path.join(folder, name);
}

/** Returns the bytes of an input file, unpacked if its name ends with `.gz`. */
export function inputBytes(name: string): Buffer {
  const bytes = readFileSync(inputFile(name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** Returns the names of all files below a folder of the input data; empty if it is absent. Listing does not count as reading. */
export function inputNames(under: string): string[] {
  if (!existsSync(path.join(folder, under))) return [];
  return readdirSync(path.join(folder, under), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}
