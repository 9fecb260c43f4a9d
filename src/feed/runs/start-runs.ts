import { z } from 'zod';
import { importOptionsSchema, type ImportOptions } from '#shared/import/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import { neededSnapshot } from '#catalogue/snapshots.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { KontorError } from '#platform/errors.ts';
import type { Ids } from '#platform/ids.ts';
import { addJob, payloadOf } from '#platform/jobs/job-definition.ts';
import type { Job } from '#platform/jobs/job.ts';
import { safeUrl } from '#platform/telemetry/log.ts';
import { keepSecret, readSecret } from '#platform/crypto/credentials.ts';
import { exportJob } from '#feed/export/job.ts';
import { importJob } from '#feed/import/job.ts';
import { exportSubject, importSubject, stockSubject } from './runs.ts';
import { stockJob } from '#feed/export/stock-job.ts';
import { orderUpload, uploadJob } from '#feed/delivery/upload-job.ts';

/** Who starts a run, as its history names them; `scheduled`: nobody watches, so what may pass is tried again. */
export type Starter = { readonly by: string; readonly scheduled?: true };
export type StartDeps = { vault: Vault; ids: Ids };
type Place = { company: string; id: string };

/** An address with how to read what lies there. */
const Source = z.object({ url: z.string(), options: importOptionsSchema });
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
    if (sealedUrl !== undefined && vault.open(company, `import:${row.id}`, sealedUrl) === url) return options;
  }
  return undefined;
}

/** Orders an import from an address. */
export async function startImport(
  trx: Trx,
  { vault, ids }: StartDeps,
  { company, id }: Place,
  { url, options }: Source,
  starter: Starter,
): Promise<string> {
  await loadMaster(trx, company, id);
  const runid = ids.id();
  const sealedUrl = vault.seal(company, `import:${runid}`, url);
  const payload = { owner: id, source: safeUrl(url), options, sealedUrl, ...starter };
  await addJob(trx, importJob, { company, id: runid, subject: importSubject(id), payload });
  return runid;
}

/** Orders an import from the address of the catalogue's schedule. @throws 409 if there is none */
export async function startSource(trx: Trx, deps: StartDeps, place: Place, starter: Starter): Promise<string> {
  await loadMaster(trx, place.company, place.id);
  const source = await readSource(trx, deps.vault, place);
  if (!source)
    throw new KontorError(
      409,
      'no_source',
      'Für diesen Katalog ist keine Adresse hinterlegt, von der geholt werden könnte. Bitte tragen Sie sie im Zeitplan ein.',
    );
  return startImport(trx, deps, place, source, starter);
}

/** `full`: the whole file, also where the export hands over only what changed. */
export async function startExport(
  trx: Trx,
  { ids }: Pick<StartDeps, 'ids'>,
  { company, id }: Place,
  starter: Starter & { readonly full?: boolean },
): Promise<string> {
  const { masterid } = await loadExport(trx, company, id);
  await loadMaster(trx, company, masterid);
  await neededSnapshot(trx, company, masterid);
  const runid = ids.id();
  const payload = { owner: id, ...starter };
  await addJob(trx, exportJob, { company, id: runid, subject: exportSubject(id), payload });
  return runid;
}

/** Orders a new file of stock and price alone. */
export async function startStock(
  trx: Trx,
  { ids }: Pick<StartDeps, 'ids'>,
  { company, id }: Place,
  starter: Starter,
): Promise<string> {
  await neededSnapshot(trx, company, (await loadExport(trx, company, id)).masterid);
  const runid = ids.id();
  const payload = { owner: id, ...starter };
  await addJob(trx, stockJob, { company, id: runid, subject: stockSubject(id), payload });
  return runid;
}

/** Starts a run anew that has failed. @throws 409 if it did not fail, or cannot be repeated */
export async function startAgain(trx: Trx, deps: StartDeps, job: Job, by: string): Promise<string> {
  if (job.state !== 'failed' && job.state !== 'cancelled')
    throw refusal('Nur ein gescheiterter oder abgebrochener Lauf lässt sich erneut starten.');
  const { company } = job;
  const { owner: id } = z.object({ owner: z.string() }).parse(JSON.parse(job.payload));
  if (job.kind === exportJob.kind) return startExport(trx, deps, { company, id }, { by });
  if (job.kind === stockJob.kind) return startStock(trx, deps, { company, id }, { by });
  if (job.kind === importJob.kind) {
    const { sealedUrl, options } = payloadOf(importJob, job.payload);
    if (sealedUrl === undefined)
      throw refusal('Die hochgeladene Datei wird nach einem Fehler nicht aufbewahrt. Bitte laden Sie sie erneut hoch.');
    const url = deps.vault.open(company, `import:${job.id}`, sealedUrl);
    return startImport(trx, deps, { company, id }, { url, options }, { by });
  }
  const jobid = deps.ids.id();
  if (job.kind === uploadJob.kind && (await orderUpload(trx, { company, id, jobid, by }))) return jobid;
  throw refusal('Dieser Lauf lässt sich nicht erneut starten.');
}

const refusal = (message: string) => new KontorError(409, 'not_retryable', message);
