import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { importOptionsSchema, type ImportOptions } from '#shared/import/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { payloadOf } from '#platform/jobs/job-definition.ts';
import type { Job } from '#platform/jobs/job.ts';
import { orderOnce } from '#platform/jobs/order-once.ts';
import { safeUrl } from '#platform/telemetry/log.ts';
import { keepSecret, readSecret } from '#platform/crypto/credentials.ts';
import { exportJob } from '#feed/export/job.ts';
import { importJob } from '#feed/import/job.ts';
import { importPlace } from '#feed/import/import-place.ts';
import { exportSubject, importSubject, stockSubject, uploadSubject } from './runs.ts';
import { stockJob } from '#feed/export/stock-job.ts';
import { openUploads, uploadJob } from '#feed/delivery/upload-job.ts';
import { changesToSend } from '#feed/delivery/upload/channel-state.ts';
import { loadUpload } from '#feed/delivery/upload/store.ts';

/** Who starts a run, as its history names them; `scheduled`: nobody watches, so what may pass is tried again. */
export type Starter = { readonly by: string; readonly scheduled?: true };
/** `again`: what failed is to be done once more; what runs already does that. */
type Repeated = { readonly again?: boolean };
export type StartDeps = { vault: Vault; ids: Ids };
type Place = { company: string; id: string };

/** An address with how to read what lies there. */
const Source = z.object({
  url: z.string(),
  options: importOptionsSchema,
  /** Typed in by somebody who may not set prices: limits that its files move are asked about. */
  askReview: z.boolean().optional(),
});
export type Source = z.infer<typeof Source>;

const sourcePlace = (masterid: string) => `schedule:${masterid}`;

// The address itself is what is secret: whoever changes it types all of it.
export const keepSource = (trx: Trx, vault: Vault, { company, id }: Place, source: Source) =>
  keepSecret(trx, vault, { company, place: sourcePlace(id), receiver: {} }, JSON.stringify(source));

/** Where a catalogue's schedule fetches from; undefined if it was never said. */
export async function readSource(trx: Trx, vault: Vault, { company, id }: Place): Promise<Source | undefined> {
  const text = await readSecret(trx, vault, { company, place: sourcePlace(id) }, { receiver: {} });
  return text === undefined ? undefined : Source.parse(JSON.parse(text));
}

/** How the catalogue was last imported from an address, if it was among its last imports. */
export async function optionsOf(
  trx: Trx,
  vault: Vault,
  { company, id }: Place,
  url: string,
): Promise<ImportOptions | undefined> {
  const rows = await trx
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where((eb) => eb.and({ company, subject: importSubject(id), kind: importJob.kind }))
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute();
  for (const row of rows) {
    const { sealedUrl, options } = payloadOf(importJob, row.payload);
    if (sealedUrl !== undefined && vault.open(company, importPlace(row.id), sealedUrl) === url) return options;
  }
  return undefined;
}

/** Orders an import from an address; one of the same that waits is the answer to whoever asks again. */
export async function startImport(
  trx: Trx,
  { vault, ids }: StartDeps,
  { company, id }: Place,
  { url, options, askReview }: Source,
  { again, ...starter }: Starter & Repeated,
): Promise<string> {
  await loadMaster(trx, company, id);
  const runid = ids.id();
  const sealedUrl = vault.seal(company, importPlace(runid), url);
  const payload = {
    owner: id,
    source: safeUrl(url),
    options,
    sealedUrl,
    ...(askReview === true ? { askReview } : {}),
    ...starter,
  };
  return orderOnce(trx, importJob, {
    company,
    id: runid,
    subject: importSubject(id),
    payload,
    isSame: (known, jobid) =>
      known.sealedUrl !== undefined &&
      // Whoever may set prices is not held up by the questions that somebody else will be asked.
      known.askReview === askReview &&
      vault.open(company, importPlace(jobid), known.sealedUrl) === url &&
      isDeepStrictEqual(known.options, options),
    ...(again === undefined ? {} : { running: again }),
  });
}

/** A file that was uploaded. */
type Uploaded = Pick<Source, 'options' | 'askReview'> & {
  readonly source: string;
  readonly contentType: string | undefined;
  readonly digest: string | undefined;
  /** It lies there in pieces, which the import puts together. */
  readonly inPieces?: true;
};

/**
 * Orders the import of a file that was uploaded for `runid`. The same file, to be read in the same way, that waits or is being read is the
 * answer to whoever sends it again: a double click, a request that was repeated (F18).
 */
export async function startUploaded(
  trx: Trx,
  { company, id, runid }: Place & { runid: string },
  { source, contentType, digest, options, askReview, inPieces }: Uploaded,
  by: string,
): Promise<string> {
  const payload = {
    owner: id,
    source,
    by,
    options,
    ...(digest === undefined ? {} : { digest }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(inPieces === true ? { inPieces } : {}),
    ...(askReview === true ? { askReview } : {}),
  };
  return orderOnce(trx, importJob, {
    company,
    id: runid,
    subject: importSubject(id),
    payload,
    running: true,
    isSame: (known) =>
      known.digest !== undefined &&
      known.digest === digest &&
      // Name and type of a file say how it is read.
      known.source === source &&
      known.contentType === contentType &&
      known.askReview === askReview &&
      isDeepStrictEqual(known.options, options),
  });
}

/** Orders an import from the address of the catalogue's schedule. @throws 409 if there is none */
export async function startSource(trx: Trx, deps: StartDeps, ref: Place, starter: Starter): Promise<string> {
  await loadMaster(trx, ref.company, ref.id);
  const source = await readSource(trx, deps.vault, ref);
  if (!source)
    throw new KontorError(
      409,
      'no_source',
      'Für diesen Katalog ist keine Adresse hinterlegt, von der geholt werden könnte. Bitte tragen Sie sie im Zeitplan ein.',
    );
  return startImport(trx, deps, ref, source, starter);
}

/**
 * `full`: the whole file, also where the export hands over only what changed. A run that waits and does the same is the answer to
 * whoever asks again.
 */
export async function startExport(
  trx: Trx,
  { ids }: Pick<StartDeps, 'ids'>,
  { company, id }: Place,
  { again, ...starter }: Starter & Repeated & { readonly full?: boolean },
): Promise<string> {
  const { masterid } = await loadExport(trx, company, id);
  await loadMaster(trx, company, masterid);
  await neededSnapshot(trx, company, masterid);
  return orderOnce(trx, exportJob, {
    company,
    id: ids.id(),
    subject: exportSubject(id),
    payload: { owner: id, ...starter },
    isSame: ({ full }) => full === (starter.full ?? false),
    ...(again === undefined ? {} : { running: again }),
  });
}

/** Orders a new file of stock and price alone. */
export async function startStock(
  trx: Trx,
  { ids }: Pick<StartDeps, 'ids'>,
  { company, id }: Place,
  { again, ...starter }: Starter & Repeated,
): Promise<string> {
  await neededSnapshot(trx, company, (await loadExport(trx, company, id)).masterid);
  return orderOnce(trx, stockJob, {
    company,
    id: ids.id(),
    subject: stockSubject(id),
    payload: { owner: id, ...starter },
    isSame: () => true,
    ...(again === undefined ? {} : { running: again }),
  });
}

/**
 * Starts a run anew that has failed. `mayPrice`: whoever asks may set prices; else what an import moves of limits is asked about.
 * @throws 409 if it did not fail, or cannot be repeated
 */
export async function startAgain(
  trx: Trx,
  deps: StartDeps,
  job: Job,
  { by, mayPrice }: { by: string; mayPrice: boolean },
): Promise<string> {
  if (job.state !== 'failed' && job.state !== 'cancelled')
    throw refusal('Nur ein gescheiterter oder abgebrochener Lauf lässt sich erneut starten.');
  const { company } = job;
  const { owner: id } = z.object({ owner: z.string() }).parse(JSON.parse(job.payload));
  const starter = { by, again: true };
  if (job.kind === exportJob.kind) {
    const { full } = payloadOf(exportJob, job.payload);
    return startExport(trx, deps, { company, id }, { ...starter, full });
  }
  if (job.kind === stockJob.kind) return startStock(trx, deps, { company, id }, starter);
  if (job.kind === importJob.kind) {
    const { sealedUrl, options, askReview } = payloadOf(importJob, job.payload);
    if (sealedUrl === undefined)
      throw refusal('Die hochgeladene Datei wird nach einem Fehler nicht aufbewahrt. Bitte laden Sie sie erneut hoch.');
    const url = deps.vault.open(company, importPlace(job.id), sealedUrl);
    return startImport(
      trx,
      deps,
      { company, id },
      { url, options, ...(askReview === true || !mayPrice ? { askReview: true } : {}) },
      starter,
    );
  }
  const ordered = job.kind === uploadJob.kind ? await uploadByHand(trx, deps, { company, id }, by) : undefined;
  if (ordered !== undefined) return ordered;
  throw refusal('Dieser Lauf lässt sich nicht erneut starten.');
}

/**
 * Brings the channel up to date: the whole file where it is what is in force, else the changes that the channel lacks, in their order
 * (the last ones once more where it has all), or a new whole file where they would not fit. What waits for its retry is tried at once.
 * undefined where no upload is set up.
 */
export async function uploadByHand(
  trx: Trx,
  deps: Pick<StartDeps, 'ids'>,
  { company, id }: Place,
  by: string,
): Promise<string | undefined> {
  const { settings } = await loadUpload(trx, company, id);
  if (!settings.active) return undefined;
  const open = await openUploads(trx, { company, id });
  const changes = await changesToSend(trx, { company, id }, settings, open);
  if (changes === undefined) return startExport(trx, deps, { company, id }, { by, full: true });
  const subject = uploadSubject(id);
  await trx
    .updateTable('jobs')
    .set({ not_before: null })
    .where((eb) => eb.and({ company, kind: uploadJob.kind, subject, state: 'queued' }))
    .execute();
  let last: string | undefined;
  for (const delta of changes.length === 0 ? [undefined] : changes)
    last = await orderOnce(trx, uploadJob, {
      company,
      id: deps.ids.id(),
      subject,
      payload: { owner: id, by, ...(delta === undefined ? {} : { delta }) },
      inOrder: delta !== undefined,
      isSame: (known) => known.delta === delta,
      // A file of changes stays what it is; instead of a whole one that runs there may be a newer one.
      running: delta !== undefined,
    });
  return last;
}

const refusal = (message: string) => new KontorError(409, 'not_retryable', message);
