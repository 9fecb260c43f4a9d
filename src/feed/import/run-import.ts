import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportResult } from '#shared/import/schema.ts';
import { runChild } from './child-run.ts';
import type { ImportHooks, ImportRequest } from '#feed/import/reader/request.ts';

export type { ImportHooks, ImportRequest, ImportResult };

/**
 * Reads a merchant's file into one Parquet file: `_id` VARCHAR, `f0001`… VARCHAR (empty = NULL), `_hash` UBIGINT. Parsing
 * happens in a child process, so that a hostile file cannot block or exhaust this process. Resolves with `ok: false` and a
 * German message for every bad file and for a crash of the child; throws only the reason of `hooks.signal`. On failure
 * `request.output` does not exist; temporary files are removed in any case.
 */
export async function runImport(
  request: ImportRequest,
  hooks: ImportHooks & { onFault?: (text: string) => void },
): Promise<ImportResult> {
  fs.mkdirSync(request.workFolder, { recursive: true });
  const workFolder = fs.mkdtempSync(path.join(request.workFolder, 'run-'));
  try {
    const result = await runChild({
      module: fileURLToPath(new URL('./child.ts', import.meta.url)),
      request: { ...request, workFolder },
      hooks,
      silenceMs: 120_000,
      heapMegabytes: 1024,
      onFault: (text) => hooks.onFault?.(text),
    });
    if (!result.ok) fs.rmSync(request.output, { force: true });
    return result;
  } catch (error) {
    fs.rmSync(request.output, { force: true });
    throw error;
  } finally {
    fs.rmSync(workFolder, { recursive: true, force: true });
  }
}
