import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type ImportedField, type ImportResult, type ImportWarning, rejectedRowSchema } from '#shared/import/schema.ts';
import { JoinedParquet } from '#platform/duckdb/joined-parquet.ts';
import { diskRoomOf } from '#platform/storage/disk-room.ts';
import { PART_ENDS_OPEN } from '#feed/import/reader/csv/csv-read.ts';
import { describeFields } from '#feed/import/reader/field-report.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { polled, Progress, syncFile } from '#feed/import/reader/progress.ts';
import { diskError, Refusal } from '#feed/import/reader/refusal.ts';
import { RejectedRows } from '#feed/import/reader/rejects.ts';
import type { ImportHooks } from '#feed/import/reader/request.ts';
import { ImportSession, literal } from '#feed/import/reader/session.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';
import type { JoinRequest, Part } from './orders.ts';

/** Remarks that only the end of the file may cause. */
const ofTheEnd: ReadonlySet<string> = new Set(['last_row_cut', 'last_row_short', PART_ENDS_OPEN]);
const LIST_CUT = 'rejected_list_cut';
/** Remarks on rows that do not say how a part was read. */
const ofItsRows = new Set([...ofTheEnd, LIST_CUT]);

/**
 * Joins the imports of a file's parts to the result that importing the file as a whole has, except that several warnings of a
 * kind are told by the first of them; null if the parts do not belong together: they were read differently, one ends within a
 * record, or an item number occurs in several.
 */
export async function joinPartsInThisProcess(request: JoinRequest, hooks: ImportHooks): Promise<ImportResult | null> {
  const { parts, output, rejectedOutput, workFolder } = request;
  const [first] = parts;
  if (first === undefined || !parts.every((part, index) => isLike(first, part, index === parts.length - 1)))
    return null;
  const bytes = parts.reduce((sum, { file }) => sum + fs.statSync(file).size, 0);
  const progress = new Progress(
    bytes,
    hooks,
    () => performance.now(),
    () => diskRoomOf(workFolder),
  );
  progress.phase = 'writing';
  const folders = [...new Set(parts.map(({ file }) => path.dirname(file))), path.dirname(output)];
  const session = await ImportSession.open(workFolder, folders, first.result.fields.length);
  try {
    if (!(await polled(progress, session, 0, () => hasOwnNumbers(session, parts)))) return null;
    const onBytes = progress.passOver(bytes, 0.3, 0.6);
    await JoinedParquet.write(output, async (joined) => {
      for (const { file } of parts) {
        await joined.add(file, hooks.signal ?? new AbortController().signal);
        onBytes(fs.statSync(file).size);
      }
    });
    const warnings = new Warnings();
    const { format, fields: columns } = first.result;
    const describing = () => describeFields(session, output, columns, { ...format, warnings });
    const [fields] = await Promise.all([polled(progress, session, 0.6, describing), syncFile(progress, output)]);
    const unlisted = await joinRejected(parts, rejectedOutput, () => progress.beat());
    if (unlisted !== undefined) warnings.once(LIST_CUT, unlisted);
    return joinedResult(first.result, parts, fields, warnings);
  } catch (thrown) {
    hooks.signal?.throwIfAborted();
    const error = diskError(thrown);
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, code: error.code, message: error.message };
  } finally {
    session.close();
  }
}

function joinedResult(
  { format, key }: Part['result'],
  parts: readonly Part[],
  fields: ImportedField[],
  warnings: Warnings,
): ImportResult {
  const results = parts.map(({ result }) => result);
  const sum = (count: (result: Part['result']) => number) => results.reduce((all, result) => all + count(result), 0);
  const keys = results.flatMap(({ keyCandidates }) => keyCandidates);
  return {
    ok: true,
    format,
    fields,
    key,
    keyCandidates: [
      {
        field: key ?? '',
        filled: keys.reduce((all, { filled }) => all + filled, 0),
        distinct: keys.reduce((all, { distinct }) => all + distinct, 0),
        unique: keys.every(({ unique }) => unique),
      },
    ],
    rowsIn: sum(({ rowsIn }) => rowsIn),
    accepted: sum(({ accepted }) => accepted),
    rejected: sum(({ rejected }) => rejected),
    duplicates: sum(({ duplicates }) => duplicates),
    warnings: [...joinWarnings(parts), ...warnings.list()],
    bytes: sum(({ bytes }) => bytes),
  };
}

/**
 * Whether a part was read in the same way as the first one, and ends with a complete record. Remarks that are not counted are
 * about the head and the rows below it: a part with others may have taken a row for a second line of names, or a line of units
 * for an item.
 */
function isLike(first: Part, part: Part, isLast: boolean): boolean {
  const wayOf = ({ result: { format, fields, key, warnings } }: Part) =>
    JSON.stringify([
      { ...format, reader: '', lineEnd: format.lineEnd === 'cr' },
      fields.map(({ id, header }) => [id, header]),
      key,
      warnings.flatMap(({ code, line }) => (line !== undefined || ofItsRows.has(code) ? [] : [code])).toSorted(),
    ]);
  const endsWell = isLast || !part.result.warnings.some(({ code }) => ofTheEnd.has(code));
  return endsWell && wayOf(part) === wayOf(first);
}

/** Whether no item number occurs in several parts. Of those within a part all but the last are gone already. */
async function hasOwnNumbers(session: ImportSession, parts: readonly Part[]): Promise<boolean> {
  const files = parts.map(({ file }) => literal(file)).join(', ');
  const [row] = await session.rows(`SELECT count(*), count(DISTINCT _id) FROM read_parquet([${files}])`);
  return row?.[0] === row?.[1];
}

/** The number of lines before each part, apart from the head, which its own line numbers include. */
function linesBefore(parts: readonly Part[]): number[] {
  let lines = 0;
  return parts.map((part) => {
    const before = lines;
    lines += part.lines;
    return before;
  });
}

/** Joins the lists of rejected rows, with the line numbers of the whole file. Returns the text about those that are not listed. */
async function joinRejected(parts: readonly Part[], target: string, beat: () => void): Promise<string | undefined> {
  const rows = new RejectedRows(target);
  try {
    const before = linesBefore(parts);
    for (const [index, { rejected, result }] of parts.entries()) {
      let listed = 0;
      for await (const line of createInterface({ input: fs.createReadStream(rejected), crlfDelay: Infinity })) {
        if (line === '') continue;
        const row = rejectedRowSchema.parse(JSON.parse(line));
        rows.add({ ...row, line: row.line + (before[index] ?? 0) });
        listed += 1;
        if (listed % 10_000 === 0) beat();
      }
      rows.unlisted += result.rejected + result.duplicates - listed;
    }
    return rows.unlisted > 0 ? rows.unlistedText() : undefined;
  } finally {
    rows.close();
  }
}

/** One warning of each kind: that of the first part that has it, with the line number of the whole file. */
function joinWarnings(parts: readonly Part[]): ImportWarning[] {
  const before = linesBefore(parts);
  const all = parts.flatMap(({ result }, index) =>
    result.warnings
      .filter(({ code }) => code !== LIST_CUT && code !== PART_ENDS_OPEN)
      .map((warning) => ({ ...warning, before: before[index] ?? 0 })),
  );
  return [...Map.groupBy(all, ({ code }) => code).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { code, message, line, before: shift } = first;
    if (line === undefined) return [{ code, message }];
    const all = [first, ...others].reduce((sum, { count = 1 }) => sum + count, 0);
    const more = others.length === 0 ? '' : ` Ebenso weiter unten in der Datei, zusammen ${countText(all)} Mal.`;
    return [{ code, message: atLine(message, shift) + more }];
  });
}

const atLine = (message: string, shift: number): string =>
  message.replace(/\bZeile (\d[\d.]*)/, (_, number: string) => {
    const line = Number(number.replaceAll('.', '')) + shift;
    return `Zeile ${number.includes('.') || line > 9999 ? line.toLocaleString('de-DE') : line}`;
  });
