import type { Readable } from 'node:stream';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import type { ExportRecord } from '#catalogue/exports.ts';
import { spreadsheetCsv, spreadsheetCsvRows } from '#catalogue/spreadsheet-csv.ts';
import {
  countSelectedResults,
  countTransferResults,
  listTransferReasons,
  listTransferResults,
  type TransferPlace,
  type TransferResult,
  type TransferSelection,
  type TransferSource,
} from '#catalogue/transfer-results.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { transferStates, type TransferRow } from '#shared/transfer/schema.ts';
import { fixOf } from '#feed/diagnosis/fix.ts';
import type { LoadedDiagnosis } from '#feed/diagnosis/load.ts';

const csvHeader = ['Artikelnummer', 'Titel', 'Zustand', 'Meldung'];

/** A view as CSV for spreadsheets. */
export function transferCsv(source: TransferSource, selection: TransferSelection, signal: AbortSignal): Readable {
  const csv = source.csv(selection);
  return 'rows' in csv
    ? spreadsheetCsvRows(csvHeader, csv.rows)
    : spreadsheetCsv(csv.duckdb, csvHeader, csv.statement, signal);
}

export const placeOfResults = ({ company, id, settings }: ExportRecord): TransferPlace => ({
  company,
  export: id,
  channel: settings.channel,
});

/** TRA for channels with a connector, which reports item by item; undefined until it has reported once. */
export async function channelTransfer(
  database: Database,
  trx: Trx,
  loaded: LoadedDiagnosis,
): Promise<TransferSource | undefined> {
  const ref = placeOfResults(loaded.export);
  const counts = await countTransferResults(trx, ref);
  if (!counts) return undefined;
  const { sent, accepted, invalid, at } = counts;
  const inCompany = <T>(work: (trx: Trx) => Promise<T>) => database.company(ref.company, work);
  return {
    sum: {
      SEND: sent,
      ACCEPTED: accepted,
      INVALID: invalid,
      source: 'channel',
      at: at.toISOString(),
      channel: templateOf(ref.channel)?.name ?? ref.channel,
    },
    totals: { list: sent, ready: accepted, failure: invalid },
    isStored: true,
    page: async (request) =>
      (await inCompany((trx) => listTransferResults(trx, ref, request))).map((result) => toRow(result, loaded)),
    count: (selection) => inCompany((trx) => countSelectedResults(trx, ref, selection)),
    reasons: async () =>
      (await inCompany((trx) => listTransferReasons(trx, ref))).map(({ key, code, field, message, items }) => ({
        key,
        field,
        sentence: codeIn(message, code) || noReason,
        items,
      })),
    csv: (selection) => ({ rows: allResults(inCompany, ref, selection) }),
  };
}

function toRow({ item, state, code, field, message, at }: TransferResult, loaded: LoadedDiagnosis): TransferRow {
  const row = { _id: item, title: null, state, message: codeIn(message, code), at: at.toISOString() };
  if (state !== 'invalid') return { ...row, problems: [] };
  const rowId = loaded.construction.find(({ exportfield }) => exportfield === field)?.id ?? null;
  const fix =
    field === ''
      ? ({ kind: 'explain', itemid: item, field } as const)
      : fixOf({ kind: '', field, rowId, sample: item }, loaded);
  const todo = 'Berichtigen Sie den Wert, und senden Sie den Artikel erneut.';
  const sentence = row.message === '' ? noReason : row.message;
  return { ...row, problems: [{ key: code || field || item, severity: 'error', field, sentence, todo, fix }] };
}

const noReason = 'Der Kanal nennt keinen Grund.';

/** The channel's error code helps its support, not the reader, so it comes last. */
const codeIn = (message: string, code: string) => (code === '' ? message : `${message} (${code})`.trimStart());

const chunk = 1000;

async function* allResults(
  inCompany: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>,
  ref: TransferPlace,
  selection: TransferSelection,
): AsyncGenerator<string[]> {
  let after: string | undefined;
  for (;;) {
    const request = { ...selection, limit: chunk, ...(after === undefined ? {} : { after }) };
    const rows = await inCompany((trx) => listTransferResults(trx, ref, request));
    for (const { item, state, message, code } of rows)
      yield [item, '', transferStates[state].label, codeIn(message, code)];
    after = rows.at(-1)?.item;
    if (rows.length < chunk || after === undefined) return;
  }
}
