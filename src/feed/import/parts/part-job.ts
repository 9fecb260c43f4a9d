import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { knownFields } from '#catalogue/snapshots.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { piecesOf, pathsOf } from '#feed/import/pieces/uploads.ts';
import { runImport } from '#feed/import/run-import.ts';
import type { Database } from '#platform/db/database.ts';
import { defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { temporaryName } from '#platform/jobs/job-files.ts';
import { isWanted } from '#platform/jobs/part-jobs.ts';
import { requireRoom } from '#platform/storage/disk-room.ts';
import type { Store } from '#platform/storage/store.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { importOptionsSchema, importResultSchema } from '#shared/import/schema.ts';
import { bytesBetween, type StoredPiece } from './piece-ranges.ts';

/** Job for one part of a large CSV file: the bytes from `from` to before `to`, read with the head of the file before them. */
export const importPartJob = defineJob({
  kind: 'import-part',
  payload: z.object({
    master: z.string(),
    run: z.string(),
    /** The import's source: the file's name. */
    source: z.string(),
    contentType: z.string().optional(),
    part: z.number().int(),
    from: z.number().int(),
    to: z.number().int(),
    head: z.number().int(),
    key: z.string(),
    options: importOptionsSchema,
  }),
  pool: 'parts',
});
/** `lines`: of the part's own bytes. */
export const ImportPartResult = z.object({ lines: z.number().int(), result: importResultSchema });

export type ImportPartDeps = { database: Database; storagePaths: StoragePaths; log: Log };

/** Returns the pieces of an upload with their paths. */
export async function storedPieces(
  { database, storagePaths }: Pick<ImportPartDeps, 'database' | 'storagePaths'>,
  ref: { company: string; masterid: string; id: string },
): Promise<StoredPiece[]> {
  const pieces = await database.company(ref.company, (trx) => piecesOf(trx, ref));
  const paths = pathsOf(storagePaths, ref, pieces);
  return pieces.map((piece, index) => ({ ...piece, path: paths[index] ?? '' }));
}

/** Imports a part into a file of its own. If its worker dies, another takes over as for any job. */
export function importPartRunner(deps: ImportPartDeps): JobRunner {
  const { database, storagePaths, log } = deps;
  return jobRunner(importPartJob, async (job, context) => {
    const { company, payload } = job;
    const { master: masterid, run, part, from, to, head } = payload;
    const known = await database.company(company, async (trx) =>
      (await isWanted(trx, company, run)) ? knownFields(trx, company, masterid) : undefined,
    );
    // The import no longer waits for this part.
    if (known === undefined) return { state: 'cancelled' };
    const pieces = await storedPieces(deps, { company, masterid, id: run });
    const files = storagePaths.importParts(company, masterid, run);
    const work = storagePaths.work(company, masterid, job.id);
    const targets = [files.part(part), files.rejected(part)].map((final) => ({
      temporary: temporaryName(job, final),
      final,
    }));
    const [output, rejectedOutput] = targets.map(({ temporary }) => temporary);
    const clear = async () => {
      for (const { temporary } of targets) await rm(temporary, { force: true });
    };
    try {
      await mkdir(work, { recursive: true });
      await mkdir(dirname(files.part(part)), { recursive: true });
      await requireRoom(work, head + to - from);
      const file = join(work, 'part');
      const lines = await writePart(storagePaths.store, pieces, payload, file, context.signal);
      const result = await runImport(
        {
          file,
          originalName: payload.source,
          ...(payload.contentType === undefined ? {} : { contentType: payload.contentType }),
          options: payload.options,
          knownFields: known,
          key: payload.key,
          output: output ?? '',
          rejectedOutput: rejectedOutput ?? '',
          workFolder: work,
          part: true,
        },
        {
          onProgress: ({ bytesDone, bytesTotal }) =>
            context.progress({ done: bytesDone, total: bytesTotal, phase: 'Lesen' }),
          signal: context.signal,
          onFault: (fault) => log.error({ runid: run, part, fault }, 'import process of a part failed'),
        },
      );
      return { state: 'done', result: { lines, result }, files: result.ok ? targets : [], after: clear };
    } catch (error) {
      await clear();
      throw error;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });
}

/** Writes the file's head and the part's own bytes. Returns the number of lines of the latter. */
async function writePart(
  store: Store,
  pieces: readonly StoredPiece[],
  { head, from, to }: { head: number; from: number; to: number },
  file: string,
  signal: AbortSignal,
): Promise<number> {
  let lines = 0;
  async function* content() {
    yield* bytesBetween(store, pieces, 0, head);
    for await (const chunk of bytesBetween(store, pieces, from, to)) {
      lines += linesOf(chunk);
      yield chunk;
    }
  }
  await pipeline(content(), createWriteStream(file, { highWaterMark: 1024 * 1024 }), { signal });
  return lines;
}

function linesOf(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return lines;
}
