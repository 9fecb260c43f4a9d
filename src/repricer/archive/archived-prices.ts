import { z } from 'zod';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Database } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { duck, join, ownNumber, type Sql } from '#platform/duckdb/sql.ts';
import { type ArchiveDeps, queryArchive } from './archive-file.ts';
import { archivesOf } from './archives.ts';

type DayRange = { start: string; end: string };

/**
 * The prices decided for an article before or after the day of a save: their number and sum, and whether the last one was at its
 * minimum.
 */
const SidePrices = z.object({
  marketplace: z.string(),
  item: z.string(),
  side: z.enum(['before', 'after']),
  n: z.coerce.number(),
  total: z.coerce.number().nullable(),
  /** Whether one of the rules in question decided. */
  chosen: z.boolean(),
  last: z.coerce.number().nullable(),
  low: z.boolean().nullable(),
});
export type SidePrices = z.infer<typeof SidePrices>;

/**
 * Returns the archived decisions before and after a save, by article. `changed`: only these rules, empty: all. Days are in Berlin
 * time.
 */
export async function archivedPrices(
  { database, ...deps }: ArchiveDeps & { database: Database },
  { company, masterid }: CatalogueRef,
  { spans, changed }: { spans: { before: DayRange; after: DayRange }; changed: readonly string[] },
  signal: AbortSignal,
): Promise<SidePrices[]> {
  const { archives, sides } = await database.company(company, async (trx) => {
    const dayBegins = (day: string, later: number) =>
      pg<Date>`(${day}::date + ${later}::int)::timestamp at time zone 'Europe/Berlin'`;
    const [from, until] = [dayBegins(spans.before.start, 0), dayBegins(spans.after.end, 1)];
    const [to, again] = [dayBegins(spans.before.end, 1), dayBegins(spans.after.start, 0)];
    return {
      archives: await archivesOf(trx, company)
        .where('to_time', '>=', from)
        .where('from_time', '<', until)
        .orderBy('from_seal')
        .execute(),
      sides: await trx
        .selectNoFrom([from.as('from'), to.as('to'), again.as('again'), until.as('until')])
        .executeTakeFirstOrThrow(),
    };
  });
  const moment = (at: Date): Sql => duck`make_timestamp(${ownNumber(at.getTime() * 1000)})`;
  const { from, to, again, until } = sides;
  const side = duck`CASE WHEN decided_at >= ${moment(from)} AND decided_at < ${moment(to)} THEN 'before'
    WHEN decided_at >= ${moment(again)} AND decided_at < ${moment(until)} THEN 'after' END`;
  const chosen =
    changed.length === 0
      ? duck`true`
      : duck`coalesce(bool_or(rule IN (${join(
          changed.map((rule) => duck`${rule}`),
          duck`, `,
        )})), false)`;
  const found: SidePrices[] = [];
  for (const archive of archives) {
    const rows = await queryArchive(
      deps,
      archive,
      (
        file,
      ) => duck`SELECT marketplace, item, ${side} AS side, count(price_cents) AS n, CAST(sum(price_cents) AS BIGINT) AS total,
          ${chosen} AS chosen, max(id) FILTER (price_cents IS NOT NULL) AS last,
          arg_max(price_cents <= min_cents, id) FILTER (price_cents IS NOT NULL) AS low
        FROM ${file} WHERE master = ${masterid} AND side IS NOT NULL GROUP BY ALL`,
      signal,
    );
    for (const row of SidePrices.array().parse(rows)) found.push(row);
  }
  return found;
}
