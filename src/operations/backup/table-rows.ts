import { hash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';

/** A table in a backup. */
const TableShape = z.object({ name: z.string(), columns: z.array(z.string()) });
export type TableShape = z.infer<typeof TableShape>;
const Reference = z.object({ child: z.string(), parent: z.string() });
const Numbered = z.object({ name: z.string(), column: z.string() });
const TextRow = z.object({ row: z.string() });
const SizeRow = z.object({ bytes: z.number() });

/** Tables left out, because a restore ends all sign-ins: a backup with valid sessions would be as dangerous as a password. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'sessions',
  'sign_in_tickets',
  'sign_in_tries',
  'token_buckets',
  'shared_counts',
  'password_resets',
  'migrations',
]);

/** Most bytes to read at a time. */
const PIECE_BYTES = 4 * 1024 * 1024;
const MOST_ROWS = 2000;
/** Rows read at a time behind those whose sizes are known. */
const UNMEASURED_ROWS = 16;

/** Returns every table with its columns, referenced tables before those that refer to them. */
export async function tablesOf(trx: Trx): Promise<TableShape[]> {
  const columns = await pg`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    group by c.relname order by c.relname`.execute(trx);
  const foreign = await pg`
    select c.relname as child, p.relname as parent from pg_constraint k
    join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and c.oid <> p.oid`.execute(trx);
  const references = Reference.array().parse(foreign.rows);
  const ordered: TableShape[] = [];
  const placed = new Set<string>();
  for (let rest = TableShape.array().parse(columns.rows); rest.length > 0;) {
    const ready = rest.filter(({ name }) => references.every((one) => one.child !== name || placed.has(one.parent)));
    if (ready.length === 0) throw new Error('tables reference each other in a cycle');
    for (const table of ready) {
      placed.add(table.name);
      ordered.push(table);
    }
    rest = rest.filter(({ name }) => !placed.has(name));
  }
  return ordered.filter(({ name }) => !LEFT_OUT.has(name));
}

/** Makes every server read and write rows in the same text form. To be called first in a transaction. */
export async function plainTexts(trx: Trx): Promise<void> {
  await pg`select set_config('kontor.company', '*', true), set_config('kontor.trash', 'shown', true), set_config('timezone', 'UTC', true),
    set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
    set_config('bytea_output', 'hex', true)`.execute(trx);
}

/** Yields the rows of a table in batches, as PostgreSQL's text form, which it can read back exactly. */
export const rowsOf = (trx: Trx, { name }: TableShape): AsyncGenerator<string[]> =>
  batchesOf(trx, pg`select t::text as row from ${pg.table(name)} t`);

/** Yields the texts that a query returns as `row`, in batches of a few MB. One such query at a time in a transaction. */
export async function* batchesOf(trx: Trx, query: RawBuilder<unknown>): AsyncGenerator<string[]> {
  // The sizes are asked first, because behind a thousand small rows there may be a thousand of several MB. Both cursors return
  // the same rows in the same order, but for rows that were changed between the two statements: neither starts in the middle of
  // a large table, where another one is reading.
  await pg`select set_config('synchronize_seqscans', 'off', true)`.execute(trx);
  await pg`declare row_sizes no scroll cursor for select octet_length(q.row) as bytes from (${query}) q`.execute(trx);
  await pg`declare rows_themselves no scroll cursor for ${query}`.execute(trx);
  for (let isOver = false; !isOver;) {
    const sizes = SizeRow.array().parse(
      (await pg`fetch ${pg.raw(String(MOST_ROWS))} from row_sizes`.execute(trx)).rows,
    );
    for (const count of sizes.length === 0 ? [UNMEASURED_ROWS] : batches(sizes.map(({ bytes }) => bytes))) {
      const fetched = await pg`fetch ${pg.raw(String(count))} from rows_themselves`.execute(trx);
      const rows = TextRow.array().parse(fetched.rows);
      isOver = rows.length === 0;
      if (isOver) break;
      yield rows.map(({ row }) => row);
    }
  }
  await pg`close row_sizes`.execute(trx);
  await pg`close rows_themselves`.execute(trx);
}

/** Divides rows of these sizes into batches of at most `PIECE_BYTES`, or of one larger row; returns the batches' numbers of rows. */
function batches(sizes: readonly number[]): number[] {
  const counts: number[] = [];
  let count = 0;
  let bytes = 0;
  for (const size of sizes) {
    if (count > 0 && bytes + size > PIECE_BYTES) {
      counts.push(count);
      count = 0;
      bytes = 0;
    }
    count++;
    bytes += size;
  }
  return [...counts, count];
}

const WRAP = 1n << 256n;

/** Counts rows and sums their hashes, so that the result does not depend on their order. */
export class RowSum {
  rows = 0;
  private sum = 0n;

  add(rows: readonly string[]): void {
    this.rows += rows.length;
    for (const row of rows) this.sum = (this.sum + BigInt(`0x${hash('sha256', row)}`)) % WRAP;
  }

  digest(): string {
    return this.sum.toString(16).padStart(64, '0');
  }
}

/** Inserts rows from `rowsOf`. */
export async function addRows(trx: Trx, { name, columns }: TableShape, rows: readonly string[]): Promise<void> {
  const list = pg.join(columns.map((column) => pg.ref(column)));
  const values = pg.join(columns.map((column) => pg`(s.r).${pg.ref(column)}`));
  // Without the offset PostgreSQL would parse the row once per column.
  await pg`insert into ${pg.table(name)} (${list}) overriding system value
    select ${values} from (select x::${pg.table(name)} as r from unnest(${[...rows]}::text[]) x offset 0) s`.execute(
    trx,
  );
}

/** Switches triggers off and on: they must react to changes, not to rows that are loaded. */
export async function switchTriggers(trx: Trx, tables: readonly TableShape[], on: boolean): Promise<void> {
  for (const { name } of tables)
    await pg`alter table ${pg.table(name)} ${pg.raw(on ? 'enable' : 'disable')} trigger user`.execute(trx);
}

/** Tables whose newest rows may have been moved to files: the ids in those files must not be assigned again. */
const usedElsewhere: Readonly<Record<string, { table: string; column: string }>> = {
  price_decisions: { table: 'decision_seals', column: 'to_id' },
};

/** Sets every identity sequence to continue after the largest id that was loaded or is in a file. */
export async function continueNumbers(trx: Trx): Promise<void> {
  const numbered = await pg`
    select c.relname as name, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`.execute(trx);
  for (const { name, column } of Numbered.array().parse(numbered.rows)) {
    const used = usedElsewhere[name] ?? { table: name, column };
    await pg`select setval(pg_get_serial_sequence(${`"${name}"`}, ${column}), coalesce(greatest(max(${pg.ref(column)}),
      (select max(${pg.ref(used.column)}) from ${pg.table(used.table)})), 0) + 1, false) from ${pg.table(name)}`.execute(
      trx,
    );
  }
}
