import { compareSnapshots, type Difference } from './difference.ts';
import { driftsBetween, isPrice, isStock } from './anomalies.ts';
import type { ComparedField } from './field-drift.ts';
import { judgeDifference, type Judgement } from './judge.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { FieldType } from '#shared/channels/schema.ts';
import type { DifferenceSettings, FieldDrift } from '#shared/difference/schema.ts';
import type { ExportColumn } from '#feed/stages/construction/columns.ts';
import type { OutputRecord } from '#feed/stages/output/store.ts';

/** A new file against the one that is served. */
export type JudgedOutput = {
  readonly against: number;
  readonly difference: Difference;
  readonly drifts: readonly FieldDrift[];
  readonly judgement: Judgement;
};

/** What the new file would change at the channel, and whether it may go out (DIF-03); undefined for the first one. */
export async function judgeOutput(
  duckdb: DuckDb,
  before: { record: OutputRecord; path: string } | undefined,
  after: { path: string; items: number; columns: readonly ExportColumn[] },
  settings: DifferenceSettings,
  signal?: AbortSignal,
): Promise<JudgedOutput | undefined> {
  if (!before) return undefined;
  const files = { before: before.path, after: after.path };
  const difference = await compareSnapshots(duckdb, files.before, files.after, signal);
  const pairs = comparedFields(before.record.sidecars.header ?? [], after.columns);
  const drifts = await driftsBetween(duckdb, files, pairs, signal);
  const facts = { before: before.record.items, after: after.items, difference, drifts };
  return { against: before.record.number, difference, drifts, judgement: judgeDifference(settings, facts) };
}

/** Why the values of some columns alone must not go out against the file served; [] if they may. Told deviations go out. */
export async function findAnomalies(
  duckdb: DuckDb,
  before: { record: OutputRecord; path: string },
  after: { path: string; items: number; columns: readonly ExportColumn[] },
  settings: DifferenceSettings,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const pairs = comparedFields(before.record.sidecars.header ?? [], after.columns);
  const drifts = await driftsBetween(duckdb, { before: before.path, after: after.path }, pairs, signal);
  const difference = { removed: before.record.items - after.items, added: 0, changed: 0 };
  const facts = { before: before.record.items, after: after.items, difference, drifts };
  const { action, reasons } = judgeDifference(settings, facts);
  return action === 'block' ? reasons : [];
}

/** What templates call the values of a stock; what is no number in both files tells nothing. */
const stockTypes: ReadonlySet<FieldType> = new Set(['integer', 'number', 'text']);

/** Columns of a run's file are numbered in the order of its header; lists are compared by no number. */
function comparedFields(header: readonly string[], columns: readonly ExportColumn[]): ComparedField[] {
  return columns.flatMap(({ name, column, price, field, list }): ComparedField[] => {
    const index = header.indexOf(name);
    if (index < 0) return [];
    const pair = { field: name, before: `x${index}`, after: column };
    if ((price || (field === undefined && isPrice(name))) && !list) return [{ ...pair, role: 'price' }];
    if (isStock(name) && !list && (field === undefined || stockTypes.has(field.type)))
      return [{ ...pair, role: 'stock' }];
    return field?.requirement === 'Required' ? [{ ...pair, role: 'required' }] : [];
  });
}

/** What the run's result keeps of the judgement, whether the file goes out, and what people are told if it does not. */
export function releaseVerdict(judged: JudgedOutput | undefined) {
  const { action, reasons } = judged?.judgement ?? { action: 'accept' as const, reasons: [] };
  const held = `${reasons.join(' ')} Die bisherige Datei wird weiter ausgeliefert, bis Sie die neue freigeben.`;
  return {
    accepted: action !== 'block',
    message: action === 'block' ? held : undefined,
    difference: judged?.difference ?? null,
    against: judged?.against ?? null,
    drifts: judged?.drifts ?? [],
    deviation: action === 'notify' ? reasons : [],
  };
}

/** What looks odd but was let through; what held the file back stands in the run's message. */
export function anomalies(judged: JudgedOutput | undefined): string[] {
  if (!judged || judged.judgement.action === 'block') return [];
  return [...new Set([...judged.drifts.map(({ sentence }) => sentence), ...judged.judgement.reasons])];
}
