import { compareSnapshots, type Difference } from './difference.ts';
import { titleField } from '#catalogue/titles/title-field.ts';
import { driftsBetween } from './anomalies.ts';
import type { ComparedField } from './field-drift.ts';
import { isPrice, priceRole, stockRole } from './field-roles.ts';
import { judgeDifference, type Judgement } from './judge.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { FieldType } from '#shared/channels/schema.ts';
import type { DifferenceSettings, FieldDrift } from '#shared/difference/schema.ts';
import type { ExportColumn } from '#feed/stages/construction/columns.ts';
import { thousandsIn } from '#feed/stages/output/cells.ts';
import type { OutputRecord } from '#feed/stages/output/store.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';

/** Columns of a run's file, with the format they are serialized in. */
type WrittenColumns = { readonly columns: readonly ExportColumn[]; readonly format: OutputFormat };
type WrittenItems = WrittenColumns & { readonly path: string; readonly items: number };

/** A comparison of a new file with the one that is served. */
export type JudgedOutput = {
  readonly against: number;
  readonly difference: Difference;
  readonly drifts: readonly FieldDrift[];
  readonly judgement: Judgement;
};

/** Compares a new file with the served one and decides whether it may be published (DIF-03); undefined for the first file. */
export async function judgeOutput(
  duckdb: DuckDb,
  before: { record: OutputRecord; path: string } | undefined,
  after: WrittenItems,
  settings: DifferenceSettings,
  signal?: AbortSignal,
): Promise<JudgedOutput | undefined> {
  if (!before) return undefined;
  const files = { before: before.path, after: after.path };
  const difference = await compareSnapshots(duckdb, files.before, files.after, signal);
  const pairs = comparedFields(before.record, after);
  const drifts = await driftsBetween(duckdb, files, pairs, signal);
  const facts = { before: before.record.items, after: after.items, difference, drifts };
  return { against: before.record.number, difference, drifts, judgement: judgeDifference(settings, facts) };
}

/** The prices and stocks of a file, as they are compared with those of a new one. */
export const measuredFields = (before: OutputRecord, after: WrittenColumns): ComparedField[] =>
  comparedFields(before, after).filter(({ role }) => role !== 'required' && role !== 'title');

/** Why some columns' values must not replace the served ones; [] if they may. Findings that are only reported do not count. */
export async function findAnomalies(
  duckdb: DuckDb,
  before: { record: OutputRecord; path: string },
  after: WrittenItems,
  settings: DifferenceSettings,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const pairs = comparedFields(before.record, after);
  const drifts = await driftsBetween(duckdb, { before: before.path, after: after.path }, pairs, signal);
  const difference = { removed: before.record.items - after.items, added: 0, changed: 0 };
  const facts = { before: before.record.items, after: after.items, difference, drifts };
  const { action, reasons } = judgeDifference(settings, facts);
  return action === 'block' ? reasons : [];
}

/** For the channel's field types that can hold a stock: whether their values are numbers. */
const isNumberOf: Partial<Record<FieldType, boolean>> = {
  integer: true,
  number: true,
  text: false,
  choice: false,
  boolean: false,
};

/** Columns of a run's file are numbered in the order of its header; lists are not compared as numbers. */
function comparedFields({ sidecars }: OutputRecord, { columns, format }: WrittenColumns): ComparedField[] {
  const title = titleField(columns);
  const { header = [], thousands } = sidecars;
  return columns.flatMap((column): ComparedField[] => {
    const index = header.indexOf(column.name);
    if (index < 0) return [];
    const now = thousandsIn(column, format);
    // Older files did not record their number notation; the current one is the best guess.
    const groups = { before: thousands === undefined ? now : (thousands[index] ?? undefined), after: now };
    const pair = { field: column.name, before: `x${index}`, after: column.column, groups };
    const isTitle = column.name === title && !column.list;
    const role = roleOf(column);
    return [...(role ? [{ ...pair, role }] : []), ...(isTitle ? [{ ...pair, role: 'title' as const }] : [])];
  });
}

function roleOf({ name, price, field, list }: ExportColumn): ComparedField['role'] | undefined {
  const isRequired = field?.requirement === 'Required';
  if ((price || (field === undefined && isPrice(name))) && !list) return isRequired ? 'price' : priceRole(name);
  const isNumber = field === undefined ? false : isNumberOf[field.type];
  const stock = isNumber === undefined || list ? undefined : stockRole(name, isNumber);
  return stock ?? (isRequired ? 'required' : undefined);
}

/** Returns what the run's result stores of the judgement, whether the file is published, and the message if it is not. */
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

/** Findings that did not block the file; if it was blocked, the reasons are in the run's message. */
export function anomalies(judged: JudgedOutput | undefined): string[] {
  if (!judged || judged.judgement.action === 'block') return [];
  return [...new Set([...judged.drifts.map(({ sentence }) => sentence), ...judged.judgement.reasons])];
}
