import { z } from 'zod';
import { loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { addJob } from '#platform/job-definition.ts';
import type { Job, JobEnd, JobHandler } from '#platform/jobs/jobs.ts';
import { deltaName, liveOutput, outputAt } from '#feed/stages/output/store.ts';
import { uploadSubject } from '#feed/runs/runs.ts';
import { connectTo } from '#feed/delivery/upload/connect.ts';
import { deliver } from '#feed/delivery/upload/deliver.ts';
import { UploadFailure } from '#feed/delivery/upload/remote.ts';
import { accountOf, loadUpload, uploadPassword } from '#feed/delivery/upload/store.ts';

export type UploadDeps = { database: Database; storagePaths: StoragePaths; egress: Egress; vault: Vault; clock: Clock };

const Payload = z.object({ owner: z.string(), delta: z.number().int().optional() });
const Tries = z.object({ tries: z.number().int() }).catch({ tries: 0 });

/** Minutes until the next attempt (FTP-04); after the last one every hour, for a day. */
const waits = [1, 2, 4, 8, 16, 32] as const;
const HOURLY = 60;
const MOST_TRIES = 30;
/** Mistakes that waiting does not mend. */
const final: ReadonlySet<UploadFailure['code']> = new Set([
  'sign_in',
  'unknown_key',
  'changed_key',
  'certificate',
  'folder',
]);

/** Puts the file that is in force on the channel's server. What came in force meanwhile goes instead of what was asked. */
export function uploadJob(deps: UploadDeps): JobHandler {
  return async (job, context) => {
    const { owner: id, delta } = Payload.parse(JSON.parse(job.payload));
    const { company } = job;
    const { settings, pass, output } = await deps.database.company(company, async (trx) => {
      await loadExport(trx, company, id);
      return {
        ...(await loadUpload(trx, company, id)),
        pass: await uploadPassword(trx, deps.vault, company, id),
        output: delta === undefined ? await liveOutput(trx, company, id) : await outputAt(trx, company, id, delta),
      };
    });
    if (!settings.active) return { state: 'cancelled', message: 'Die Übertragung ist ausgeschaltet.' };
    if (!output) return { state: 'failed', message: 'Es gibt noch keine Datei, die übertragen werden könnte.' };
    const name = delta === undefined ? settings.filename : deltaName(settings.filename);
    context.progress({ done: 0, total: output.bytes, phase: `Übertragung an ${settings.host}` });
    try {
      const remote = await connectTo(deps.egress, accountOf(settings, pass ?? ''));
      const stop = () => remote.close();
      context.signal.addEventListener('abort', stop, { once: true });
      try {
        await deliver(remote, {
          file: deps.storagePaths.output(company, id, output.number, output.sidecars.ending),
          bytes: output.bytes,
          folder: settings.dir,
          name,
          mark: job.id,
        });
      } finally {
        context.signal.removeEventListener('abort', stop);
        remote.close();
      }
      const target = `${settings.host}/${settings.dir}/${name}`.replaceAll(/\/{2,}/g, '/');
      return {
        state: 'done',
        message: `Datei ${output.number} übertragen nach ${target}.`,
        result: { accepted: output.sidecars.delta?.items ?? output.items, output: output.number },
      };
    } catch (error) {
      context.signal.throwIfAborted();
      return failed(job, error);
    }
  };
}

function failed(job: Job, error: unknown): JobEnd {
  if (error instanceof UploadFailure && final.has(error.code)) return { state: 'failed', message: error.message };
  const { tries } = Tries.parse(JSON.parse(job.result));
  const cause = error instanceof UploadFailure ? error.message : 'Die Verbindung zum Server brach ab.';
  if (tries + 1 >= MOST_TRIES)
    return { state: 'failed', message: `${cause} Es wurde ${MOST_TRIES}-mal versucht und nun aufgegeben.` };
  const minutes = waits[tries] ?? HOURLY;
  return {
    state: 'again',
    seconds: minutes * 60,
    message: `${cause} Nächster Versuch in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`}.`,
    result: { tries: tries + 1 },
  };
}

/** Orders the upload of an export's file, or of the changes of a run, if one is set up; to be called where a file comes in force. */
export async function orderUpload(
  trx: Trx,
  place: { company: string; id: string; jobid: string; by?: string; delta?: number },
): Promise<boolean> {
  const { company, id, jobid, by, delta } = place;
  const { settings } = await loadUpload(trx, company, id);
  if (!settings.active) return false;
  await addJob(trx, {
    company,
    id: jobid,
    kind: 'upload',
    subject: uploadSubject(id),
    payload: { owner: id, by, delta },
  });
  return true;
}
