import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Reporter } from 'vitest/node';
import { z } from 'zod';

/**
 * Environment variable with the file in which workers record what they read; before a test runs, a worker cannot reach the
 * reporters otherwise.
 */
export const inputLog = 'KONTOR_TEST_INPUT_LOG';

const Read = z.object({ test: z.string(), name: z.string() });

/** Reports, after each run, how many input files of each folder every test file read. */
export class InputReport implements Reporter {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'kontor-input-'));

  constructor() {
    process.env[inputLog] = path.join(this.folder, 'read.jsonl');
  }

  onTestRunEnd(): void {
    const log = path.join(this.folder, 'read.jsonl');
    const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
    rmSync(this.folder, { recursive: true, force: true });
    const reads = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Read.parse(JSON.parse(line)));
    if (reads.length === 0) return;
    const tests = Map.groupBy(reads, ({ test }) => test);
    const lines = [...tests]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([test, list]) => ` ${test}: ${counts(list)}`);
    const files = new Set(reads.map(({ name }) => name)).size;
    process.stdout.write(`\n Input data beside the checkout: ${files} files read\n${lines.join('\n')}\n`);
  }
}

/** Returns '3 of taxonomies, 1 of catalogues', counting each file once. */
function counts(reads: readonly z.infer<typeof Read>[]): string {
  const names = [...new Set(reads.map(({ name }) => name))];
  const folders = Map.groupBy(names, (name) => path.dirname(name));
  return [...folders].map(([folder, list]) => `${list.length} of ${folder}`).join(', ');
}
