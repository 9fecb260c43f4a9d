import { createHash } from 'node:crypto';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { TextRow } from '#platform/duckdb/connection.ts';

/** The number of decisions under a seal, and the hash of their texts. */
export type SealedContent = { readonly decisions: number; readonly hash: string };
export type SealedRange = { readonly from: number; readonly to: number };

/** The sealed columns of a decision; their order must never change. 'time' is stored to the microsecond. */
export const sealedColumns = [
  ['id', 'number'],
  ['master', 'text'],
  ['marketplace', 'text'],
  ['item', 'text'],
  ['product_id', 'text'],
  ['decided_at', 'time'],
  ['cause', 'text'],
  ['rule', 'text'],
  ['rule_revision', 'number'],
  ['snapshot', 'number'],
  ['limits_version', 'text'],
  ['offers_at', 'time'],
  ['min_cents', 'number'],
  ['max_cents', 'number'],
  ['standard_cents', 'number'],
  ['current_cents', 'number'],
  ['price_cents', 'number'],
  ['stock', 'number'],
  ['reason', 'text'],
  ['target_seller', 'text'],
  ['body', 'text'],
  ['verdict', 'text'],
  ['held', 'text'],
  ['program', 'text'],
] as const;

/** SQL of the text that is hashed, from a row `d`. */
const sealedText = pg<string>`json_build_array(${pg.join(
  sealedColumns.map(([column, kind]) =>
    kind === 'time' ? pg`extract(epoch from ${pg.ref(`d.${column}`)})` : pg.ref(`d.${column}`),
  ),
)})::text`;

/** Returns the same text for a row of a file: its columns as texts, times in microseconds since 1970. */
export const sealedTextOf = (row: TextRow): string =>
  `[${sealedColumns
    .map(([, kind], at) => {
      const value = row[at] ?? null;
      if (value === null) return 'null';
      if (kind === 'time') return secondsText(Number(value));
      return kind === 'text' ? JSON.stringify(value) : value;
    })
    .join(', ')}]`;

const secondsText = (micros: number): string => `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;

/** Returns the content of a seal from its decisions' texts, in the order of their ids. */
export const contentOf = (texts: readonly string[]): SealedContent => ({
  decisions: texts.length,
  hash: texts.length === 0 ? '' : createHash('sha256').update(texts.join('\n')).digest('hex'),
});

/** Returns the content of the table's decisions with ids in (from, to]. */
export async function storedContent(trx: Trx, company: string, { from, to }: SealedRange): Promise<SealedContent> {
  const texts = pg`string_agg(${sealedText}, chr(10) order by d.id)`;
  const found = await trx
    .selectFrom('price_decisions as d')
    .select((eb) => [
      eb.fn.countAll<number>().as('decisions'),
      eb.cast<string | null>(pg`encode(sha256(convert_to(${texts}, 'UTF8')), 'hex')`, 'text').as('hash'),
    ])
    .where('d.company', '=', company)
    .where('d.id', '>', from)
    .where('d.id', '<=', to)
    .executeTakeFirstOrThrow();
  return { decisions: found.decisions, hash: found.hash ?? '' };
}

/** Returns the texts of the table's decisions with ids in (from, to]. */
export async function storedTexts(trx: Trx, company: string, { from, to }: SealedRange): Promise<string[]> {
  const rows = await trx
    .selectFrom('price_decisions as d')
    .select(sealedText.as('text'))
    .where('d.company', '=', company)
    .where('d.id', '>', from)
    .where('d.id', '<=', to)
    .execute();
  return rows.map(({ text }) => text);
}
