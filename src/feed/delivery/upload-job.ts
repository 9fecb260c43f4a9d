import { z } from 'zod';
import { loadExport } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { outgoingHold } from '#platform/installation-facts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Egress } from '#platform/egress/egress.ts';
import { KontorError } from '#platform/errors.ts';
import { useFile } from '#platform/storage/store.ts';
import type { JobEnd } from '#platform/jobs/job.ts';
import { addJob, defineJob, jobRunner, type JobRunner } from '#platform/jobs/job-definition.ts';
import { inSpan, type SpanStart } from '#platform/telemetry/spans.ts';
import { deltaName } from '#feed/stages/output/store.ts';
import { uploadSubject } from '#feed/runs/runs.ts';
import { type NotSent, noteSent, type OpenUpload, outputToSend } from '#feed/delivery/upload/channel-state.ts';
import { connectTo } from '#feed/delivery/upload/connect.ts';
import { deliver } from '#feed/delivery/upload/deliver.ts';
import { lineCut, UploadFailure } from '#feed/delivery/upload/remote.ts';
import { accountOf, loadUpload, uploadPassword } from '#feed/delivery/upload/store.ts';

const uploadSpan: SpanStart = {
  name: 'delivery upload',
  kind: 'client',
  attributes: { 'kontor.delivery.way': 'upload' },
};

export type UploadDeps = { database: Database; storagePaths: StoragePaths; egress: Egress; vault: Vault; clock: Clock };

/** Seconds between checks whether a restored system may send again. */
const HELD_SECONDS = 5;

/** Failures that a retry cannot fix. */
const final: ReadonlySet<UploadFailure['code']> = new Set([
  'sign_in',
  'unknown_key',
  'changed_key',
  'certificate',
  'folder',
  'hidden',
  'refused_address',
  'refused_port',
]);

/** `delta`: number of the file of changes to upload; undefined for the whole file that is served. */
export const uploadJob = defineJob({
  kind: 'upload',
  payload: z.object({ owner: z.string(), by: z.string().optional(), delta: z.number().int().optional() }),
  pool: 'upload',
  retry: {
    // Increasing waits in minutes (FTP-04), then every hour for a day.
    waits: [1, 2, 4, 8, 16, 32, 60],
    attempts: 30,
    failureOf: (error) =>
      error instanceof UploadFailure
        ? { message: error.message, mayPass: !final.has(error.code) }
        : error instanceof KontorError && error.retryAfter !== undefined
          ? { message: error.message, mayPass: true }
          : undefined,
    givenUp: (attempts) => `Es wurde ${attempts}-mal versucht und nun aufgegeben.`,
    tellAfter: 3,
  },
});

/**
 * Uploads the current file to the channel's server. If a newer whole file has been published since the job was ordered, that one
 * is uploaded; changes are uploaded only if they follow what the server has.
 */
export function uploadRunner(deps: UploadDeps): JobRunner {
  return jobRunner(uploadJob, async (job, context) => {
    const { owner: id, delta } = job.payload;
    const { company } = job;
    if ((await deps.database.system(outgoingHold)) !== undefined)
      return {
        state: 'again',
        seconds: HELD_SECONDS,
        message: 'Wartet auf die Freigabe nach einer Wiederherstellung.',
      };
    const { settings, pass, output } = await deps.database.company(company, async (trx) => {
      await loadExport(trx, company, id);
      const loaded = await loadUpload(trx, company, id);
      return {
        ...loaded,
        pass: loaded.settings.active ? await passwordOf(trx, deps.vault, { company, id }, loaded.settings) : undefined,
        output: await outputToSend(trx, { company, id }, loaded.settings, delta),
      };
    });
    if (!settings.active) return { state: 'cancelled', message: 'Die Übertragung ist ausgeschaltet.' };
    if (!output) return { state: 'failed', message: 'Es gibt noch keine Datei, die übertragen werden könnte.' };
    if ('reason' in output) return endOf(output);
    const name = delta === undefined ? settings.filename : deltaName(settings.filename);
    context.progress({ done: 0, total: output.bytes, phase: `Übertragung an ${settings.host}` });
    try {
      const remote = await connectTo(deps.egress, accountOf(settings, pass ?? ''));
      const stop = () => remote.close();
      context.signal.addEventListener('abort', stop, { once: true });
      try {
        // The job may have been cancelled while the connection was opened.
        context.signal.throwIfAborted();
        const path = deps.storagePaths.output(company, id, output.number, output.sidecars.ending);
        const order = { bytes: output.bytes, folder: settings.dir, name, mark: job.id };
        const put = (file: string) => inSpan(uploadSpan, () => deliver(remote, { file, ...order }));
        await useFile(deps.storagePaths.store, path, put);
      } finally {
        context.signal.removeEventListener('abort', stop);
        remote.close();
      }
      const target = `${settings.host}/${settings.dir}/${name}`.replaceAll(/\/{2,}/g, '/');
      return {
        state: 'done',
        message: `Datei ${output.number} übertragen nach ${target}.`,
        result: { accepted: output.sidecars.delta?.items ?? output.items, output: output.number },
        effect: (trx) => noteSent(trx, { company, id }, settings, output.number),
      };
    } catch (error) {
      if (error instanceof UploadFailure || error instanceof KontorError) throw error;
      throw lineCut(error);
    }
  });
}

const endOf = ({ reason, message }: NotSent): JobEnd => ({
  state: reason === 'gap' ? 'failed' : 'cancelled',
  message,
});

/** An older revision of the settings may name another server than the one that the password was entered for. */
async function passwordOf(...args: Parameters<typeof uploadPassword>): Promise<string | undefined> {
  try {
    return await uploadPassword(...args);
  } catch (error) {
    throw error instanceof KontorError ? new UploadFailure('sign_in', error.message, { cause: error }) : error;
  }
}

/** Orders the upload of an export's file, or of a run's changes, if upload is active; to be called where a file is published. */
export async function requestUpload(
  trx: Trx,
  ref: { company: string; id: string; jobid: string; by?: string; delta?: number },
): Promise<boolean> {
  const { company, id, jobid, by, delta } = ref;
  const { settings } = await loadUpload(trx, company, id);
  if (!settings.active) return false;
  await addJob(trx, uploadJob, {
    company,
    id: jobid,
    subject: uploadSubject(id),
    payload: { owner: id, by, delta },
    inOrder: delta !== undefined,
  });
  return true;
}

/** Returns the queued and running uploads of an export. */
export async function openUploads(trx: Trx, { company, id }: { company: string; id: string }): Promise<OpenUpload[]> {
  const rows = await trx
    .selectFrom('jobs')
    .select('payload')
    .where((eb) => eb.and({ company, kind: uploadJob.kind, subject: uploadSubject(id), cancel: false }))
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return rows.flatMap(({ payload }) => {
    const known = uploadJob.payload.safeParse(JSON.parse(payload));
    return known.success ? [known.data] : [];
  });
}
