import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { ExpressionBuilder } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { Ids } from '#platform/ids.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { brokenSeal } from '#repricer/record/audit-hash-chain.ts';
import { type SealedContent, sealedColumns } from '#repricer/record/sealed-content.ts';
import { sha256Of, writeArchive } from './archive-file.ts';
import { archivedContents, type SealDeps } from './archived-seals.ts';
import { type Archive, archivedSeals } from './archives.ts';
import { outcomesOf } from './outcomes.ts';
import { removeArchived } from './remove-archived.ts';

export type ArchivingDeps = SealDeps & {
  vault: Vault;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Days that decisions stay in the database. */
  keptDays: { decisions: number };
};

const DAY_MS = 24 * 60 * 60_000;
/**
 * `most` decisions per file. A file is written once `least` are due or the oldest has waited `waitDays`: a small company would
 * otherwise get a file each night. A large backlog continues the next night.
 */
const SIZES = { most: 100_000, least: 20_000, waitDays: 30, filesANight: 40 } as const;
/** Decisions read per query. */
const PIECE = 2000;
/** Seals read for one file; a smaller file is fine. */
const MOST_SEALS = 20_000;
/** A file without a row for this long is no longer being written. */
const LEFT_MS = DAY_MS;

type Due = { from: number; to: number; fromId: number; toId: number; decisions: number };

/**
 * Nightly: moves decisions that are sealed, audited and past their time in the database to files in the store. Each file is
 * written, read back and compared with the seals before its row is inserted; from then on the file counts and the table's rows
 * are copies, which are deleted. Stopping at any point loses and duplicates nothing. Returns the number of decisions archived.
 */
export async function archiveDecisions(
  deps: ArchivingDeps,
  company: string,
  signal: AbortSignal,
  sizes: { most: number; least: number } = SIZES,
): Promise<number> {
  await removeLeft(deps, company);
  await removeArchived(deps.database, company, 0, signal);
  let archived = 0;
  for (let files = 0; files < SIZES.filesANight; files++) {
    signal.throwIfAborted();
    const due = await deps.database.company(company, (trx) => dueSeals(trx, deps, company, sizes));
    if (due === undefined) break;
    const contents = new Map<number, SealedContent>();
    const range = { after: due.from - 1, most: due.to - due.from + 1 };
    const { broken } = await brokenSeal(deps, company, signal, {
      ...range,
      seen: ({ number }, content) => contents.set(number, content),
    });
    // The nightly check of the hash chain notifies people when it reaches this seal.
    if (broken !== undefined) {
      deps.log.error({ company, broken }, 'changed decisions found; they are not archived');
      break;
    }
    await archive(deps, company, due, contents, signal);
    archived += due.decisions;
  }
  if (archived > 0) deps.log.info({ company, archived }, 'decisions archived');
  return archived;
}

/** Returns the seals of the next file; undefined if it is not due. */
async function dueSeals(
  trx: Trx,
  { clock, keptDays }: ArchivingDeps,
  company: string,
  { most, least }: { most: number; least: number },
): Promise<Due | undefined> {
  const before = clock.now().getTime() - keptDays.decisions * DAY_MS;
  const seals = await trx
    .selectFrom('decision_seals as s')
    .innerJoin('decision_audits as a', 'a.company', 's.company')
    .select(['s.number', 's.from_id', 's.to_id', 's.decisions', 's.sealed_at'])
    .where((eb) => eb.and({ 's.company': company, 'a.broken': '' }))
    .whereRef('s.number', '<=', 'a.seals')
    .where('s.sealed_at', '<', new Date(before))
    .where('s.number', '>', archivedSeals(trx, company))
    .orderBy('s.number')
    .limit(MOST_SEALS)
    .execute();
  const [first] = seals;
  if (first === undefined) return undefined;
  const due = { from: first.number, to: first.number, fromId: first.from_id, toId: first.to_id, decisions: 0 };
  for (const seal of seals) {
    if (due.decisions > 0 && due.decisions + seal.decisions > most) break;
    Object.assign(due, { to: seal.number, toId: seal.to_id, decisions: due.decisions + seal.decisions });
  }
  const waitsLong = first.sealed_at.getTime() < before - SIZES.waitDays * DAY_MS;
  return due.decisions >= least || waitsLong ? due : undefined;
}

async function archive(
  deps: ArchivingDeps,
  company: string,
  due: Due,
  sealed: ReadonlyMap<number, SealedContent>,
  signal: AbortSignal,
): Promise<void> {
  const { database, storagePaths, clock, ids } = deps;
  const folder = storagePaths.decisionArchives(company);
  // The path contains an id of this attempt: no file is overwritten while another process reads it.
  const path = join(folder, `${due.from}-${due.to}-${ids.id()}.parquet`);
  const [spool, temporary] = [`${path}.rows.tmp`, `${path}.tmp`];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // Taken before the outcomes are read: those that are final by now are read as they will stay.
    const outcomes_at = clock.now();
    const times = await spoolDecisions(deps, company, due, spool, signal);
    await writeArchive(deps, spool, temporary, signal);
    const sha256 = await sha256Of(temporary);
    const { size: bytes } = await stat(temporary);
    await storagePaths.store.receive(path, createReadStream(temporary));
    const made: Archive = {
      company,
      from_seal: due.from,
      to_seal: due.to,
      from_id: due.fromId,
      to_id: due.toId,
      decisions: due.decisions,
      key: relative(storagePaths.root, path),
      sha256,
    };
    requireSame(made, sealed, await archivedContents(deps, made, signal));
    // With this row the file counts, and the rows in the table are copies.
    const row = { ...made, ...times, bytes, outcomes_at, archived_at: clock.now() };
    await database.company(company, (trx) => trx.insertInto('decision_archives').values(row).execute());
    await removeArchived(database, company, due.fromId, signal);
  } finally {
    for (const one of [spool, temporary]) await rm(one, { force: true });
  }
}

/** @throws if deleting the rows would lose anything */
function requireSame(
  { key, from_seal, to_seal }: Archive,
  sealed: ReadonlyMap<number, SealedContent>,
  found: ReadonlyMap<number, SealedContent>,
): void {
  for (let seal = from_seal; seal <= to_seal; seal++) {
    const [one, other] = [sealed.get(seal), found.get(seal)];
    if (one === undefined || one.decisions !== other?.decisions || one.hash !== other.hash)
      throw new Error(`seal ${seal} cannot be recomputed from ${key}`);
  }
}

const plain = sealedColumns.flatMap(([column, kind]) => (kind === 'time' ? [] : [column]));
const times = sealedColumns.flatMap(([column, kind]) => (kind === 'time' ? [column] : []));
const microseconds = (eb: ExpressionBuilder<Tables, 'price_decisions'>, column: (typeof times)[number]) =>
  eb.cast<number | null>(pg`extract(epoch from ${eb.ref(column)}) * 1000000`, 'bigint').as(column);

/** Writes the decisions as JSON, one per line, in batches. Returns the period they cover. */
async function spoolDecisions(
  { database }: ArchivingDeps,
  company: string,
  { fromId, toId }: Due,
  spool: string,
  signal: AbortSignal,
): Promise<{ from_time: Date; to_time: Date }> {
  const handle = await open(spool, 'w', 0o600);
  let [earliest, latest] = [Infinity, -Infinity];
  try {
    for (let after = fromId; ;) {
      signal.throwIfAborted();
      const from = after;
      const { rows, outcomes } = await database.company(company, async (trx) => {
        const rows = await trx
          .selectFrom('price_decisions')
          .select(plain)
          .select((eb) => times.map((column) => microseconds(eb, column)))
          .where('company', '=', company)
          .where('id', '>', from)
          .where('id', '<=', toId)
          .orderBy('id')
          .limit(PIECE)
          .execute();
        const to = rows.at(-1)?.id ?? from;
        return { rows, outcomes: await outcomesOf(trx, company, { from, to }) };
      });
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      for (const { decided_at: at } of rows) {
        earliest = Math.min(earliest, Number(at));
        latest = Math.max(latest, Number(at));
      }
      await handle.writeFile(
        `${rows.map((row) => JSON.stringify({ ...row, outcome: outcomes.get(row.id) ?? null })).join('\n')}\n`,
      );
    }
  } finally {
    await handle.close();
  }
  return { from_time: new Date(Math.floor(earliest / 1000)), to_time: new Date(Math.ceil(latest / 1000)) };
}

/** Deletes files of attempts that were killed: their decisions are still in the database, or in another file. */
async function removeLeft({ database, storagePaths, clock, log }: ArchivingDeps, company: string): Promise<void> {
  const { root, store } = storagePaths;
  const files = await store.list(storagePaths.decisionArchives(company));
  const rows = await database.company(company, (trx) =>
    trx.selectFrom('decision_archives').select('key').where('company', '=', company).execute(),
  );
  const known = new Set(rows.map(({ key }) => key));
  const left = files.filter(
    ({ path, at }) => !known.has(relative(root, path)) && clock.now().getTime() - at.getTime() > LEFT_MS,
  );
  await store.remove(left.map(({ path }) => path));
  if (left.length > 0) log.info({ company, removed: left.length }, 'files of interrupted archiving runs removed');
}
