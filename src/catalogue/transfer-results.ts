import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import type { Trx } from '#platform/db/database.ts';
import type { DuckDb, Statement } from '#platform/duckdb/duckdb.ts';
import {
  MAX_REASONS,
  type TransferReason,
  type TransferRow,
  type TransferState,
  type TransferSum,
  type TransferView,
} from '#shared/transfer/schema.ts';

/** Selects items: those of a view whose number contains `search`, refused for `reason`; '' for all. */
export type TransferSelection = { readonly view: TransferView; readonly search: string; readonly reason: string };

/** A source of transfer results: the file's own check, the channel's answers, or the answers to prices. */
export type TransferSource = {
  readonly sum: TransferSum;
  readonly totals: Readonly<Record<TransferView, number>>;
  /** Whether the items can still be listed. */
  readonly isStored: boolean;
  /** Text saying that there are no results yet, unless the file is simply empty. */
  readonly nothing?: string;
  page(request: TransferSelection & { offset: number; limit: number }, signal: AbortSignal): Promise<TransferRow[]>;
  count(selection: TransferSelection, signal: AbortSignal): Promise<number>;
  /** Reasons of the refused items, most frequent first. */
  reasons(): Promise<TransferReason[]>;
  csv(selection: TransferSelection): { duckdb: DuckDb; statement: Statement } | { rows: AsyncIterable<string[]> };
};

/**
 * A channel's answer about one item. `field`: the export's field that it blames, '' if none; `code`: the channel's own, for
 * support.
 */
export type TransferResult = {
  readonly item: string;
  readonly state: TransferState;
  /** German; '' if the channel gave none. */
  readonly message: string;
  readonly code: string;
  readonly field: string;
  readonly at: Date;
};

/** Answers belong to the channel they came from: an export that is moved to another channel starts without any. */
export type TransferPlace = { readonly company: string; readonly export: string; readonly channel: string };

/** Rows per statement: seven values each, far below what a statement may carry. */
const CHUNK = 1000;

/**
 * Stores a channel's answers about items (TRA); to be called by its connector, in the transaction that marks the answer as read.
 * An answer older than the stored one changes nothing, so answers may come in any order and twice.
 */
export async function recordTransferResults(
  trx: Trx,
  ref: TransferPlace,
  results: readonly TransferResult[],
): Promise<void> {
  const { company, export: id, channel } = ref;
  // One statement may not touch a row twice: the latest answer of each item wins.
  const latest = new Map<string, TransferResult>();
  for (const one of results) {
    const known = latest.get(one.item);
    if (!known || known.at <= one.at) latest.set(one.item, one);
  }
  const rows = [...latest.values()];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const values = rows.slice(from, from + CHUNK).map(({ item, state, code, field, message, at }) => ({
      company,
      export: id,
      channel,
      item,
      state,
      code,
      field,
      message,
      at,
    }));
    await trx
      .insertInto('transfer_results')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['company', 'export', 'channel', 'item'])
          .doUpdateSet((eb) => ({
            state: eb.ref('excluded.state'),
            code: eb.ref('excluded.code'),
            field: eb.ref('excluded.field'),
            message: eb.ref('excluded.message'),
            at: eb.ref('excluded.at'),
          }))
          .whereRef('transfer_results.at', '<=', 'excluded.at'),
      )
      .execute();
  }
}

export type TransferCounts = { readonly sent: number; readonly accepted: number; readonly invalid: number };

/** Returns the number of items the channel received, and counts of its answers; undefined if it never answered. */
export async function countTransferResults(
  trx: Trx,
  { company, export: id, channel }: TransferPlace,
): Promise<(TransferCounts & { at: Date }) | undefined> {
  const row = await trx
    .selectFrom('transfer_results')
    .select((eb) => [
      eb.fn.countAll<number>().as('sent'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'accepted').as('accepted'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'invalid').as('invalid'),
      eb.fn.max<Date | null>('at').as('at'),
    ])
    .where((eb) => eb.and({ company, export: id, channel }))
    .executeTakeFirst();
  if (!row || row.at === null) return undefined;
  return { ...row, at: row.at };
}

const stateOf = { list: undefined, ready: 'accepted', failure: 'invalid' } as const satisfies Record<
  TransferView,
  TransferState | undefined
>;

/** Refusals are grouped by code, field and message. */
const reasonKey = (eb: Expressions) =>
  eb.fn<string>('md5', [eb.fn('concat_ws', [eb.fn('chr', [eb.lit(31)]), 'code', 'field', 'message'])]);

type Expressions = ExpressionBuilder<Tables, 'transfer_results'>;

const isSelected =
  ({ view, search, reason }: TransferSelection) =>
  (eb: Expressions) => {
    const state = stateOf[view];
    const at = eb.fn<number>('strpos', [eb.fn('lower', ['item']), eb.val(search.toLowerCase())]);
    return eb.and([
      ...(state === undefined ? [] : [eb('state', '=', state)]),
      ...(search === '' ? [] : [eb(at, '>', 0)]),
      ...(reason === '' ? [] : [eb('state', '=', 'invalid'), eb(reasonKey(eb), '=', reason)]),
    ]);
  };

export async function countSelectedResults(
  trx: Trx,
  { company, export: id, channel }: TransferPlace,
  selection: TransferSelection,
): Promise<number> {
  const { n } = await trx
    .selectFrom('transfer_results')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => eb.and({ company, export: id, channel }))
    .where(isSelected(selection))
    .executeTakeFirstOrThrow();
  return n;
}

/** Returns the channel's reasons for refusing items, most frequent first. */
export async function listTransferReasons(
  trx: Trx,
  { company, export: id, channel }: TransferPlace,
): Promise<{ key: string; code: string; field: string; message: string; items: number }[]> {
  return trx
    .selectFrom('transfer_results')
    .select((eb) => ['code', 'field', 'message', reasonKey(eb).as('key'), eb.fn.countAll<number>().as('items')])
    .where((eb) => eb.and({ company, export: id, channel, state: 'invalid' }))
    .groupBy(['code', 'field', 'message'])
    .orderBy('items', 'desc')
    .orderBy('message')
    .limit(MAX_REASONS)
    .execute();
}

/** Returns a page of the answers by item number, after `after` if given (for iterating over all). */
export async function listTransferResults(
  trx: Trx,
  { company, export: id, channel }: TransferPlace,
  page: TransferSelection & { offset?: number; after?: string; limit: number },
): Promise<TransferResult[]> {
  return trx
    .selectFrom('transfer_results')
    .select(['item', 'state', 'code', 'field', 'message', 'at'])
    .where((eb) => eb.and({ company, export: id, channel }))
    .where(isSelected(page))
    .where('item', '>', page.after ?? '')
    .orderBy('item')
    .limit(page.limit)
    .offset(page.offset ?? 0)
    .execute();
}
