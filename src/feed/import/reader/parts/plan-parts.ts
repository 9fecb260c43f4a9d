import fs from 'node:fs';
import { z } from 'zod';
import { fastReadable } from '#feed/import/reader/csv/csv-fast.ts';
import { skipLines } from '#feed/import/reader/csv/csv-read.ts';
import { planPlainCsv } from '#feed/import/reader/csv/plain-csv.ts';
import { startRun } from '#feed/import/reader/import-here.ts';
import { findKeyColumn } from '#feed/import/reader/key.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { RejectedRows } from '#feed/import/reader/rejects.ts';
import { type ImportHooks, importRequestSchema } from '#feed/import/reader/request.ts';
import { recordStart } from './record-start.ts';

/** `file`: the beginning of the file to split. `borders`: files with some bytes after each border between two parts. */
export const planPartsRequestSchema = importRequestSchema.extend({ borders: z.array(z.string()) });
export type PlanPartsRequest = z.infer<typeof planPartsRequestSchema>;

/**
 * How a file is split. `head`: bytes before its first item, which every part needs. `starts`: for each border, after how many
 * bytes the first record begins.
 */
export const partsPlanSchema = z.object({
  head: z.number().int(),
  delimiter: z.string(),
  quote: z.string(),
  starts: z.array(z.number().int()),
});
export type PartsPlan = z.infer<typeof partsPlanSchema>;

/** Plans the parts of a CSV file; null if it cannot be split, and must be read as a whole. */
export function planPartsInThisProcess(request: PlanPartsRequest, hooks: ImportHooks): PartsPlan | null {
  const rejects = new RejectedRows(request.rejectedOutput);
  const run = startRun(request, hooks, request.workFolder, rejects);
  try {
    const found = planPlainCsv(run, { path: request.file, name: request.originalName, workbook: undefined });
    if (found === undefined || !fastReadable(found.plan) || !found.plan.table.header) return null;
    const { dialect, table, sample } = found.plan;
    run.columns.forHeader(table.headers);
    findKeyColumn(run.columns.named(request.knownFields), request.key ?? '');
    const first = sample[table.preamble + table.headRows];
    if (first === undefined) return null;
    const starts = request.borders.map((border) => recordStart(fs.readFileSync(border), dialect, table.width));
    if (!starts.every((start) => start !== undefined)) return null;
    const { delimiter, quote } = dialect;
    return { head: skipLines(request.file, 0, first.line - 1), delimiter, quote, starts };
  } catch (error) {
    // Reading the file as a whole names the cause.
    if (error instanceof Refusal) return null;
    throw error;
  } finally {
    run.staging.close();
    rejects.close();
  }
}
