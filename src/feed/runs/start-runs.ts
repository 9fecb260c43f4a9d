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
import { saveSecret, readSecret } from '#platform/crypto/credentials.ts';
import { exportJob } from '#feed/export/job.ts';
import { importJob } from '#feed/import/job.ts';
import { importPlace } from '#feed/import/import-place.ts';
import { exportSubject, importSubject, stockSubject, uploadSubject } from './runs.ts';
import { stockJob } from '#feed/export/stock-job.ts';
import { openUploads, uploadJob } from '#feed/delivery/upload-job.ts';
import { changesToSend } from '#feed/delivery/upload/channel-state.ts';
import { loadUpload } from '#feed/delivery/upload/store.ts';

/** Who started a run, as shown in its history; `scheduled`: no user watches, so temporary failures are retried. */
export type Starter = { readonly by: string; readonly scheduled?: true };
/** `again`: a failed run is to be repeated; a running one already does that. */
type Repeated = { readonly again?: boolean };
export type StartDeps = { vault: Vault; ids: Ids };
type Place = { company: string; id: string };

/** An address, and options for reading what it serves. */
const Source = z.object({
  url: z.string(),
  options: importOptionsSchema,
  /** Entered by a user who may not set prices: if its files move price limits, a review is requested. */
  askReview: z.boolean().optional(),
});
export type Source = z.infer<typeof Source>;

const sourcePlace = (masterid: string) => `schedule:${masterid}`;

// The address itself is secret: to change it, a user must enter all of it.
export const saveSource = (trx: Trx, vault: Vault, { company, id }: Place, source: Source) =>
  saveSecret(trx, vault, { company, place: sourcePlace(id), receiver: {} }, JSON.stringify(source));

/** The address from which a catalogue's schedule imports; undefined if none was ever entered. */
export async function readSource(trx: Trx, vault: Vault, { company, id }: Place): Promise<Source | undefined> {
  const text = await readSecret(trx, vault, { company, place: sourcePlace(id) }, { receiver: {} });
  return text === undefined ? undefined : Source.parse(JSON.parse(text));
}

/** The options of the catalogue's latest import from this address, if it is among its last imports. */
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

/** Orders an import from an address; returns the id of an equal import that is already queued. */
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
      // A user who may set prices must not be held up by a review requested for another user.
      known.askReview === askReview &&
      vault.open(company, importPlace(jobid), known.sealedUrl) === url &&
      isDeepStrictEqual(known.options, options),
    ...(again === undefined ? {} : { running: again }),
  });
}

/** An uploaded file. */
type Uploaded = Pick<Source, 'options' | 'askReview'> & {
  readonly source: string;
  readonly contentType: string | undefined;
  readonly digest: string | undefined;
  /** The file is stored in chunks, which the import joins. */
  readonly inPieces?: true;
};

/**
 * Orders the import of a file uploaded for `runid`. If the same file with the same options is already queued or running, returns
 * that run: it was a double click or a repeated request (F18).
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
      // A file's name and type determine how it is read.
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
 * Orders an export run, or returns an equal one that is queued. `full`: the whole file even if the export normally delivers only
 * changes.
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

/** Orders a new stock and price file without an export run. */
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
 * Restarts a failed run. `mayPrice`: whether the user may set prices; if not, moved price limits are reviewed.
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
 * Brings the channel up to date: with the whole file if that is the published state, else with the changes the channel lacks, in
 * order (the last ones again if it has all), or with a new whole file if these would not fit. An upload waiting for its retry
 * runs at once. undefined if upload is not active.
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
      // A file of changes stays the same, so a running upload of it suffices; a whole file may have been replaced since.
      running: delta !== undefined,
    });
  return last;
}

const refusal = (message: string) => new KontorError(409, 'not_retryable', message);
