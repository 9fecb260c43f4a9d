import fs from 'node:fs';
import { fastReadable } from '#feed/import/reader/csv/csv-fast.ts';
import { skipLines } from '#feed/import/reader/csv/csv-read.ts';
import { planPlainCsv } from '#feed/import/reader/csv/plain-csv.ts';
import { startRun } from '#feed/import/reader/import-here.ts';
import { findKeyColumn } from '#feed/import/reader/key.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { RejectedRows } from '#feed/import/reader/rejects.ts';
import type { ImportHooks } from '#feed/import/reader/request.ts';
import type { PartsPlan, PlanPartsRequest } from './orders.ts';
import { recordStart } from './record-start.ts';

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
