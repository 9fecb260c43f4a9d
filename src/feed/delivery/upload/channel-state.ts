import type { UploadSettings } from '#shared/upload/schema.ts';
import type { Trx } from '#platform/db/database.ts';
import { liveOutput, outputAt, publishedBaseline, type OutputRecord } from '#feed/stages/output/store.ts';
import { loadUpload } from './store.ts';

type Ref = { company: string; id: string };

/** Returns the published outputs: the whole file, then the changes since, oldest first. Empty before the first accepted run. */
export async function outputsInForce(trx: Trx, { company, id }: Ref): Promise<OutputRecord[]> {
  const chain: OutputRecord[] = [];
  let at = await publishedBaseline(trx, company, id);
  while (at) {
    chain.unshift(at);
    if (at.whole) return chain;
    at = at.base === null ? undefined : await outputAt(trx, company, id, at.base);
  }
  return chain;
}

/** Identifies the upload target; a changed target has received none of the earlier files. */
const placeOf = ({ host, port, user, dir, filename }: UploadSettings): string =>
  JSON.stringify([host, port, user, dir, filename]);

/** Number of the output that this server received last; undefined if it received none or that was not recorded. */
export async function sentOutput(
  trx: Trx,
  { company, id }: Ref,
  settings: UploadSettings,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('exports')
    .select(['sent_file', 'sent_to'])
    .where((eb) => eb.and({ company, id }))
    .executeTakeFirst();
  return row?.sent_to === placeOf(settings) ? (row.sent_file ?? undefined) : undefined;
}

/** Records what the server received; runs as an effect of the job that uploaded it. */
export async function noteSent(
  trx: Trx,
  { company, id }: Ref,
  settings: UploadSettings,
  number: number,
): Promise<void> {
  await trx
    .updateTable('exports')
    .set({ sent_file: number, sent_to: placeOf(settings) })
    .where((eb) => eb.and({ company, id }))
    .execute();
}

/** Why an output is not sent. `superseded`: the channel has or gets its content otherwise; `gap`: earlier changes are missing. */
export type NotSent = { readonly reason: 'superseded' | 'gap'; readonly message: string };

/**
 * Returns what to send for an order: the file of changes `delta`, or the whole file that is served. Changes are sent only after
 * the state they were computed against, and an older file is never sent after a newer one (FTP-04).
 */
export async function outputToSend(
  trx: Trx,
  ref: Ref,
  settings: UploadSettings,
  delta: number | undefined,
): Promise<OutputRecord | NotSent | undefined> {
  const chain = await outputsInForce(trx, ref);
  const sent = await sentOutput(trx, ref, settings);
  const sentAt = chain.findIndex(({ number }) => number === sent);
  if (delta === undefined) return sentAt > 0 ? hasNewer(chain, sentAt) : liveOutput(trx, ref.company, ref.id);
  const at = chain.findIndex(({ number, whole }) => number === delta && !whole);
  if (at < 0)
    return {
      reason: 'superseded',
      message: `Die Änderungen der Datei ${delta} wurden nicht übertragen: Inzwischen gilt ein Stand, der ohne sie auskommt (Datei ${chain.at(-1)?.number ?? 0}).`,
    };
  if (sentAt > at) return hasNewer(chain, sentAt);
  return sentAt === at || sentAt === at - 1
    ? chain[at]
    : {
        reason: 'gap',
        message: `Die Änderungen der Datei ${delta} wurden nicht übertragen: Dem Kanal fehlt, was davor kam, und ohne das passen sie nicht. Der nächste Lauf übergibt die ganze Datei; bitte starten Sie den Export, wenn er nicht von selbst läuft.`,
      };
}

const hasNewer = (chain: readonly OutputRecord[], at: number): NotSent => ({
  reason: 'superseded',
  message: `Es wurde nichts übertragen: Der Kanal hat schon die neueren Änderungen (Datei ${chain[at]?.number ?? 0}).`,
});

/** An upload that has not ended; `delta` as in the job's payload. */
export type OpenUpload = { readonly delta?: number | undefined };

/**
 * Whether the channel's server lacks part of the published state that no open upload will deliver. Then changes would not fit,
 * and the whole file is due.
 */
export async function isChannelBehind(trx: Trx, ref: Ref, open: readonly OpenUpload[]): Promise<boolean> {
  const { settings } = await loadUpload(trx, ref.company, ref.id);
  if (!settings.active) return false;
  const sent = await sentOutput(trx, ref, settings);
  for (const { number, whole } of (await outputsInForce(trx, ref)).toReversed()) {
    if (number === sent) return false;
    if (!open.some(({ delta }) => delta === (whole ? undefined : number))) return true;
    if (whole) return false;
  }
  return true;
}

/**
 * Numbers of the files of changes that bring the server up to date, in order: those it has not received, or the last one again if
 * it has all. Empty if the published state is one whole file; undefined if only a new whole file helps.
 */
export async function changesToSend(
  trx: Trx,
  ref: Ref,
  settings: UploadSettings,
  open: readonly OpenUpload[],
): Promise<number[] | undefined> {
  const chain = (await outputsInForce(trx, ref)).map(({ number }) => number);
  if (chain.length <= 1) return [];
  const sent = await sentOutput(trx, ref, settings);
  const at = sent === undefined ? -1 : chain.indexOf(sent);
  if (at < 0) return (await isChannelBehind(trx, ref, open)) ? undefined : chain.slice(1);
  return at === chain.length - 1 ? chain.slice(-1) : chain.slice(at + 1);
}
