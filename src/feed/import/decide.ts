import type { ImportResult } from '#shared/import/schema.ts';
import type { DifferenceSettings, FieldDrift } from '#shared/difference/schema.ts';
import { askLimitsReview } from '#catalogue/limits-review.ts';
import { addSnapshot, makeLive, type SnapshotRecord } from '#catalogue/snapshots.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Judgement } from '#feed/difference/judge.ts';
import { movesLimits } from '#feed/limit-guard/moved-values.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { JobEnd } from '#platform/jobs/job.ts';
import { detectedText } from './detected-text.ts';
import { judgeAgainstStored, unreadableText } from './judge.ts';
import { openEndText, unknownEndText } from './open-end.ts';

type DecideDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** What ordered the import. `endKnown`: the transfer itself proved that the file is complete. */
type Ordered = {
  company: string;
  masterid: string;
  runid: string;
  endKnown: boolean;
  payload: { source: string; by?: string | undefined; askReview?: boolean | undefined };
};

/** Where an import writes its files, and their final names. */
export type Target = { final: string; output: string; rejected: string; rejectedOutput: string };

export type Read = Extract<ImportResult, { ok: true }> & {
  number: number;
  live: SnapshotRecord | undefined;
  lostKey: string | null;
  /** The key field that a user chose, for this import or the catalogue; null: the import proposed one. */
  chosenKey: string | null;
  /** The last row may be cut, and rows after it may be missing. */
  open: boolean;
  settings: DifferenceSettings;
};

const isNewKey = ({ key, live, chosenKey }: Read): boolean => key !== live?.key && key === chosenKey;

/** Compares the new snapshot with the live one; it becomes live, or waits for a user's approval (DIF-03). */
export async function decide(deps: DecideDeps, read: Read, order: Ordered, target: Target): Promise<JobEnd> {
  const { company, masterid, runid, payload } = order;
  const { duckdb, storagePaths } = deps;
  const { live } = read;
  const after = { path: target.output, items: read.accepted, fields: read.fields, newKey: isNewKey(read) };
  const before = live && { ...live, path: storagePaths.snapshot(company, masterid, live.number) };
  const judged = before && (await judgeAgainstStored({ duckdb, ...storagePaths }, before, after, read.settings));
  const unreadable = before !== undefined && judged === undefined;
  const review =
    payload.askReview === true && before && (unreadable || (await movesLimits(deps, order, before, after)));
  const { number, key, accepted: items, fields } = read;
  const snapshot = { company, masterid, number, items, fields, key, runid, source: payload.source };
  const reasons = judged?.judgement.reasons ?? [];
  const result = {
    rowsIn: read.rowsIn,
    accepted: read.accepted,
    rejected: read.rejected,
    duplicates: read.duplicates,
    snapshot: read.number,
    difference: judged?.difference ?? null,
    against: judged === undefined ? null : (live?.number ?? null),
    drifts: judged?.drifts ?? [],
    deviation: judged?.judgement.action === 'notify' ? reasons : [],
    warnings: [
      ...read.warnings.map((warning) => warning.message),
      ...(order.endKnown || read.open || read.format.archive !== undefined ? [] : [unknownEndText]),
      ...(review ? [reviewText] : []),
      ...warningsOf(judged),
    ],
    detected: detectedText(read.format),
  };
  const files = [
    { temporary: target.rejectedOutput, final: target.rejected },
    { temporary: target.output, final: target.final },
  ];
  const keep = async (trx: Trx) => {
    await addSnapshot(trx, snapshot);
    if (review) await askLimitsReview(trx, snapshot, reviewReason(payload));
  };
  const block = [
    ...(read.open ? [openEndText] : []),
    ...(unreadable ? [unreadableText] : []),
    ...(read.lostKey === null
      ? []
      : [`Das Schlüsselfeld „${read.lostKey}“ fehlt in der Datei; die Artikel bekämen neue Nummern.`]),
    ...(read.lostKey === null && judged?.judgement.action === 'block' ? reasons : []),
  ].join(' ');
  if (block !== '') return { state: 'blocked', message: `${block} ${untilReleased}`, result, files, effect: keep };
  return {
    state: 'done',
    result,
    files,
    effect: async (trx) => {
      await keep(trx);
      await makeLive(trx, snapshot);
    },
  };
}

const reviewText =
  'Es sind Werte anders, aus denen Preisgrenzen kommen. Preise, deren Grenzen sich dadurch ändern, warten, bis jemand mit dem Recht „Preise“ sie bestätigt.';

const reviewReason = ({ by = '', source }: Ordered['payload']): string =>
  `„${source}“, importiert von ${by === '' ? 'jemandem' : by} ohne das Recht „Preise“, hat Werte geändert, aus denen Preisgrenzen kommen.`;

const untilReleased = 'Der bisherige Stand bleibt, bis Sie den neuen freigeben.';

/** Findings that did not block the snapshot, as warnings; those that blocked it are in its message instead. */
function warningsOf(
  judged: { judgement: Judgement; drifts: readonly FieldDrift[]; hints: readonly string[] } | undefined,
): string[] {
  if (!judged) return [];
  if (judged.judgement.action === 'block') return [...judged.hints];
  const drifts = judged.drifts.map(({ sentence }) => sentence);
  return [...judged.hints, ...drifts, ...judged.judgement.reasons.filter((reason) => !drifts.includes(reason))];
}
