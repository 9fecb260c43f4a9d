import { rename } from 'node:fs/promises';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { PARQUET } from '#platform/duckdb/parquet.ts';
import { name, ownText, duck, statement } from '#platform/duckdb/sql.ts';
import type { OutputFormat } from '#shared/exports/schema.ts';
import { cellText, entryTexts, serializedCell, takesOneAddress, type OutputColumn } from '#feed/stages/output/cells.ts';
import { addressList, entriesHoldSeveral, holdsSeveral } from '#feed/stages/output/image-addresses.ts';
import { listCell } from '#feed/stages/output/lists.ts';
import { threeDigits } from '#engine/duckdb/number-groups.ts';
import { demand } from './demand.ts';
import { type Pipelined, build } from './build.ts';
import type { ExportPlan } from './export-plan.ts';
import type { Constructed } from '#feed/stages/construction/columns.ts';
import { countItems, hasError, maskedFile } from '#feed/stages/validation/counts.ts';
import type { Problem } from '#feed/stages/validation/problem.ts';
import type { DiagnosisRecord } from '#feed/stages/validation/record.ts';
import type { CheckedColumn } from '#feed/stages/validation/checked-column.ts';
import { validationStage, type Validated } from '#feed/stages/validation/stage.ts';
import { findTwice } from '#feed/stages/validation/unique.ts';

/** The items of an export with all their problems in mask columns. */
export type ValidatedItems = Pipelined & Pick<Validated, 'problems' | 'masks' | 'unique'>;

/** Runs all stages of the pipeline, and one more that checks the items as the file will write them. */
export function validatedItems(plan: ExportPlan, format: OutputFormat): ValidatedItems {
  const items = build(plan, demand(plan));
  return { ...items, ...validateConstructed(plan, items, format) };
}

/** Checks constructed items, however they were built. */
export function validateConstructed(
  plan: Pick<ExportPlan, 'construction' | 'template'>,
  items: Constructed,
  format: OutputFormat,
): Validated {
  const requirements = new Map(plan.construction.map((row) => [row.id, row.mp_state]));
  const columns = items.columns.map((column): CheckedColumn => {
    const { name: field, rowId } = column;
    const known = column.field === undefined ? {} : { field: column.field };
    return {
      name: field,
      rowId,
      requirement: requirements.get(rowId) ?? '',
      text: cellText(column, format),
      serialized: serializedCell(column, format),
      ...listOf(column, format),
      ...leftOut(column, format),
      ...unclear(column),
      ...known,
    };
  });
  return validationStage(items.relation, columns, plan.template);
}

/** The entries of a list are serialized one by one. */
function listOf(column: OutputColumn, format: OutputFormat): Pick<CheckedColumn, 'list'> {
  const { list } = column;
  const entries = entryTexts(column, format);
  if (!list || !entries) return {};
  // A list split from one text is written as an address with the separator encoded.
  return { list: { entries, separator: list.parted ? '' : list.separator, repeat: list.repeat } };
}

/** For cells that may contain more pictures than the file has columns for. */
function leftOut(column: OutputColumn, { kind }: OutputFormat): Pick<CheckedColumn, 'leftOut'> {
  const cell = name(column.column);
  if (takesOneAddress(column))
    return { leftOut: { places: 1, addresses: addressList(cell), holds: holdsSeveral(cell) } };
  const { list, field } = column;
  if (!list?.parted || !list.repeat || (kind !== 'csv' && kind !== 'xlsx')) return {};
  // More entries than the channel takes are reported by the check of the list.
  if (list.size >= (field?.many?.most ?? Infinity)) return {};
  const holds = list.parted === 'text' ? holdsSeveral(cell) : entriesHoldSeveral(cell);
  return { leftOut: { places: list.size, addresses: listCell(column), holds } };
}

/** Prices like 1.299 in columns where no other value shows what the mark means. */
function unclear({ column, price, list, empty, groups }: OutputColumn): Pick<CheckedColumn, 'unclear'> {
  if (!price || list || empty || groups?.sure) return {};
  const detail =
    groups === undefined || groups.mark === 'none'
      ? 'Kontor liest das Zeichen als Dezimalzeichen, also rund 1,30.'
      : 'Kontor liest es als Tausenderzeichen, also 1.299,00, denn alle Preise dieser Spalte sind so geschrieben.';
  return { unclear: { detail, ...threeDigits(name(column)) } };
}

/** Returns the temporary path of a file of the run, used until the run is over. */
type Temporary = (ending: string) => string;
export type FoundInRun = {
  readonly record: DiagnosisRecord;
  readonly problems: readonly Problem[];
  readonly made: string[];
};

/**
 * Finds the problems of the items that the run has just written; undefined if nothing was checked. The bits are already in the
 * file, so this reads only the mask columns and the fields whose values must be unique.
 */
export async function findProblems(
  duckdb: DuckDb,
  { problems, masks, unique }: Pick<Validated, 'problems' | 'masks' | 'unique'>,
  temporary: Temporary,
  signal?: AbortSignal,
): Promise<FoundInRun | undefined> {
  if (problems.length === 0 && unique.length === 0) return undefined;
  const path = temporary('parquet');
  const duplicatesFile = { path, column: masks.length, target: temporary(TWICE) };
  const duplicates = await findTwice(duckdb, unique, duplicatesFile, signal);
  const extras = duplicates ? [{ path: duplicatesFile.target, column: duplicatesFile.column, ending: TWICE }] : [];
  const all = [...problems, ...(duplicates ?? [])];
  return {
    record: {
      ending: 'parquet',
      masks: masks.length,
      extras: extras.map(({ ending, column }) => ({ ending, column })),
      ...(await countItems(maskedFile(path, masks.length, extras), all, (query) => duckdb.all(query, signal))),
    },
    problems: all,
    made: duplicates ? [duplicatesFile.target] : [],
  };
}
const TWICE = 'doppelt.parquet';
const ALL = 'alle.parquet';
/** Endings of the files that the search for problems, and leaving items out, may have written when they fail. */
export const searchFiles = [TWICE, ALL];

/**
 * Removes the items with errors from the run's file; the file with all items is kept under another name, for the diagnosis.
 * Returns the number of remaining items, and the changed findings.
 */
export async function leaveOutInvalid(
  duckdb: DuckDb,
  { record, problems, made }: FoundInRun,
  temporary: Temporary,
  signal?: AbortSignal,
): Promise<FoundInRun & { items: number }> {
  await rename(temporary('parquet'), temporary(ALL));
  const items = maskedFile(
    temporary(ALL),
    record.masks,
    record.extras.map(({ ending, column }) => ({ path: temporary(ending), column })),
  );
  const valid = duck`SELECT * EXCLUDE (file_row_number) FROM ${items.from} WHERE NOT (${hasError(problems)}) ORDER BY file_row_number`;
  const copy = duck`COPY (${valid}) TO ${ownText(temporary('parquet'))} ${PARQUET}`;
  const [counted] = await duckdb.all(statement(copy), signal);
  return {
    record: { ...record, ending: ALL },
    problems,
    made: [...made, temporary(ALL)],
    items: Number(counted?.['Count'] ?? 0),
  };
}
