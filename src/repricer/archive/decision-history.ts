import { z } from 'zod';
import type { Database } from '#platform/db/database.ts';
import { duck, ownNumber } from '#platform/duckdb/sql.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import type { Place } from '#repricer/model/for-master.ts';
import { decisionsOf, explained, type Recorded } from '#repricer/record/decisions.ts';
import { type ArchiveDeps, queryArchive } from './archive-file.ts';
import { type Archive, archivesBefore } from './archives.ts';
import { readOutcome } from './outcomes.ts';

type HistoryDeps = ArchiveDeps & { database: Database };
type Page = { before?: number | undefined; limit: number };

const cents = z.number().int().nullable();
/** A row of a file; it was validated when written, and the file's checksum is verified. */
const ArchivedRow = z.object({
  id: z.coerce.number().int(),
  marketplace: z.string(),
  decided_at: z.coerce.number(),
  cause: z.string(),
  rule: z.string().nullable(),
  rule_revision: z.number().int(),
  snapshot: z.number().int(),
  limits_version: z.string(),
  offers_at: z.coerce.number().nullable(),
  price_cents: cents,
  reason: z.string(),
  target_seller: z.string().nullable(),
  body: z.string(),
  verdict: z.string(),
  held: z.string(),
  program: z.string(),
  /** Older files lack it. */
  outcome: z.string().nullable().default(null),
});

/**
 * 'Warum dieser Preis?': returns an item's decisions, newest first, from the database, then from its archives. @throws 503 if an
 * archive is damaged
 */
export async function decisionHistory(
  deps: HistoryDeps,
  ref: Place,
  item: string,
  page: Page,
  signal: AbortSignal,
): Promise<PriceDecision[]> {
  const { decisions, archives } = await deps.database.company(ref.company, async (trx) => {
    const stored = await decisionsOf(trx, ref, item, page);
    // Decisions archived since are in the result already; `before` excludes them from the files.
    const before = stored.at(-1)?.id ?? page.before;
    return {
      decisions: stored,
      archives: stored.length < page.limit ? await archivesBefore(trx, ref.company, before) : [],
    };
  });
  for (const archive of archives) {
    if (decisions.length >= page.limit) break;
    const rest = { before: decisions.at(-1)?.id ?? page.before, limit: page.limit - decisions.length };
    const rows = await recordsOf(deps, archive, { ...ref, item }, rest, signal);
    if (rows.length === 0) continue;
    const outcomes = new Map(rows.map(({ record, outcome }) => [record['id'], outcome]));
    const records = rows.map(({ record }) => record);
    const found = await deps.database.company(ref.company, (trx) => explained(trx, ref, item, records));
    // The table's outcome may be more recent than the file's.
    for (const one of found) decisions.push({ ...one, sent: one.sent ?? readOutcome(outcomes.get(one.id) ?? null) });
  }
  return decisions;
}

async function recordsOf(
  deps: ArchiveDeps,
  archive: Archive,
  { masterid, item }: Place & { item: string },
  { before = Number.MAX_SAFE_INTEGER, limit }: Page,
  signal: AbortSignal,
): Promise<{ record: Recorded; outcome: string | null }[]> {
  const rows = await queryArchive(
    deps,
    archive,
    (file) => duck`SELECT * REPLACE (epoch_us(decided_at) AS decided_at, epoch_us(offers_at) AS offers_at) FROM ${file}
      WHERE master = ${masterid} AND item = ${item} AND id < ${ownNumber(before)} ORDER BY id DESC LIMIT ${ownNumber(limit)}`,
    signal,
  );
  return ArchivedRow.array()
    .parse(rows)
    .map(({ decided_at, offers_at, outcome, ...row }) => ({
      record: {
        ...row,
        decided_at: momentOf(decided_at),
        offers_at: offers_at === null ? null : momentOf(offers_at),
      },
      outcome,
    }));
}

/** Converts microseconds to an ISO text with milliseconds, as the database driver does. */
const momentOf = (micros: number): string => new Date(Math.floor(micros / 1000)).toISOString();
