import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type ImportResult, importResultSchema } from '#shared/import/schema.ts';
import {
  type JoinRequest,
  type PartsPlan,
  partsPlanSchema,
  type PlanPartsRequest,
} from '#feed/import/reader/parts/orders.ts';
import type { ImportHooks, ImportRequest } from '#feed/import/reader/request.ts';
import type { ReaderOrder } from './child.ts';
import { type ReaderFailure, runChild } from './child-run.ts';

export type { ImportHooks, ImportRequest, ImportResult };
export type ReaderHooks = ImportHooks & { onFault?: (text: string) => void };

/**
 * Reads a merchant's file into one Parquet file: `_id` VARCHAR, `f0001`… VARCHAR (empty = NULL), `_hash` UBIGINT. Parsing
 * happens in a child process, so that a hostile file cannot block or exhaust this process. Resolves with `ok: false` and a
 * German message for every bad file and for a crash of the child; throws only the reason of `hooks.signal`. On failure
 * `request.output` does not exist; temporary files are removed in any case.
 */
export const runImport = (request: ImportRequest, hooks: ReaderHooks): Promise<ImportResult> =>
  writing(request, hooks, (order) => ({ type: 'import', request: order }), importResultSchema);

/** Joins the imports of a file's parts in the same way; null if they do not belong together. */
export const runJoin = (request: JoinRequest, hooks: ReaderHooks): Promise<ImportResult | null> =>
  writing(request, hooks, (order) => ({ type: 'join-parts', request: order }), importResultSchema.nullable());

/** Plans the parts of a file; null if it must be read as a whole. */
export const planParts = (request: PlanPartsRequest, hooks: ReaderHooks): Promise<PartsPlan | null | ReaderFailure> =>
  inChild({ type: 'plan-parts', request }, partsPlanSchema.nullable(), hooks);

/** Runs an order that writes `output`, in a working folder of its own. */
async function writing<R extends { workFolder: string; output: string }, T extends { ok: boolean } | null>(
  request: R,
  hooks: ReaderHooks,
  order: (request: R) => ReaderOrder,
  result: z.ZodType<T>,
): Promise<T | ReaderFailure> {
  fs.mkdirSync(request.workFolder, { recursive: true });
  const workFolder = fs.mkdtempSync(path.join(request.workFolder, 'run-'));
  try {
    const found = await inChild(order({ ...request, workFolder }), result, hooks);
    if (found?.ok !== true) fs.rmSync(request.output, { force: true });
    return found;
  } catch (error) {
    fs.rmSync(request.output, { force: true });
    throw error;
  } finally {
    fs.rmSync(workFolder, { recursive: true, force: true });
  }
}

const inChild = <T>(order: ReaderOrder, result: z.ZodType<T>, hooks: ReaderHooks): Promise<T | ReaderFailure> =>
  runChild({
    module: fileURLToPath(new URL('./child.ts', import.meta.url)),
    order,
    result,
    hooks,
    silenceMs: 120_000,
    heapMegabytes: 1024,
    onFault: (text) => hooks.onFault?.(text),
  });
