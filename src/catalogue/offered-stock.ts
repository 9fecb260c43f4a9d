import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Database, Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { type Made, MakeFirst } from '#platform/db/make-first.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import type { StoragePaths } from './storage-paths.ts';

/**
 * The stock that Kontor offers of each article on a channel fed by files: a CSV file with lines of item number and pieces,
 * written once per revision. `computing`: it does not reflect the newest snapshot and settings yet; `held`: why it waits for a
 * user, in German, or ''.
 */
export type OfferedStock = {
  readonly path: string;
  readonly revision: number;
  readonly computing: boolean;
  readonly held: string;
};

type Channel = { company: string; masterid: string; id: string };

/** `basis`: snapshot and settings that the numbers were computed from. */
type StockState = Omit<OfferedStock, 'path'> & { readonly basis: string };
type Written = Pick<OfferedStock, 'path' | 'revision'> & { readonly basis: string };

/** Files written for a transaction that is then repeated, by channel. */
const writtenFor = new WeakMap<Trx, Map<string, Written>>();

/** Lines per statement: few enough that no other one waits long. */
const BATCH_SIZE = 20_000;
/** Approximate time for which runs can be explained. */
const UNUSED_MS = 30 * 24 * 60 * 60_000;

/**
 * Returns the present numbers; undefined: no stock is computed for this channel.
 * @throws MakeFirst if no file has them yet: it may have to be uploaded to a bucket, which must not happen inside a transaction
 */
export async function offeredStock(
  trx: Trx,
  storagePaths: StoragePaths,
  channel: Channel,
): Promise<OfferedStock | undefined> {
  const { company, masterid, id } = channel;
  const offers = await trx
    .selectFrom('stock_offers')
    .select('item')
    .where((eb) => eb.and({ company, master: masterid, channel: id }))
    .limit(1)
    .executeTakeFirst();
  const state = offers && (await readState(trx, channel));
  if (state === undefined) return undefined;
  const { basis, ...told } = state;
  const path = storagePaths.offeredStock(company, id, state.revision);
  if (await storagePaths.store.has(path, trx)) return { ...told, path };
  const written = writtenFor.get(trx)?.get(id);
  if (written === undefined) throw new MakeFirst((database) => writeOffers(database, storagePaths, channel));
  // Orders may have changed the numbers again; a caller waiting for the newest ones could wait forever.
  const { revision } = written;
  return { ...told, path: written.path, revision, computing: told.computing || written.basis !== basis };
}

/** Returns the numbers of a revision, if its file is still stored. */
export async function offeredStockAt(
  trx: Trx,
  storagePaths: StoragePaths,
  { company, id }: Omit<Channel, 'masterid'>,
  revision: number,
): Promise<OfferedStock | undefined> {
  const path = storagePaths.offeredStock(company, id, revision);
  return (await storagePaths.store.has(path, trx)) ? { path, revision, computing: false, held: '' } : undefined;
}

/** @throws if the numbers wait for a user or are being computed for the newest snapshot: the previous file stays in use */
export function requireReleased(stock: OfferedStock | undefined): void {
  if (stock?.computing === true) throw new KontorError(409, 'stock_computing', computing, { retryAfter: 60 });
  if (stock !== undefined && stock.held !== '') throw new KontorError(409, 'stock_held', `${heldBack} ${stock.held}`);
}

/** Deletes files of numbers that no run has used for long; the newest one stays. */
export async function clearOfferedStock(storagePaths: StoragePaths, company: string, id: string, now: Date) {
  const { store } = storagePaths;
  const made = (await store.list(storagePaths.offeredStockFolder(company, id)))
    .filter(({ path }) => /^\d+\.csv$/.test(basename(path)))
    .toSorted((one, other) => Number.parseInt(basename(other.path), 10) - Number.parseInt(basename(one.path), 10));
  const unused = made.slice(1).filter(({ at }) => now.getTime() - at.getTime() > UNUSED_MS);
  await store.remove(unused.map(({ path }) => path));
}

async function readState(trx: Trx, { company, masterid }: Channel): Promise<StockState | undefined> {
  const state = await trx
    .selectFrom('stock_states as s')
    .innerJoin('masters as m', (join) => join.onRef('m.company', '=', 's.company').onRef('m.id', '=', 's.master'))
    .select(['s.feed_revision', 's.held', 's.revision', 's.snapshot', 'm.live_snapshot'])
    .where((eb) => eb.and({ 's.company': company, 's.master': masterid }))
    .executeTakeFirst();
  if (state === undefined) return undefined;
  const { revision } = await loadDocument(trx, company, 'stock', `master:${masterid}`);
  const outdated = state.snapshot !== state.live_snapshot || state.revision !== revision;
  const basis = `${state.snapshot} ${state.revision}`;
  return { revision: state.feed_revision, computing: outdated, held: state.held, basis };
}

const computing =
  'Der Bestand wird gerade neu berechnet, und diese Datei gibt ihn weiter. Bitte starten Sie den Lauf in einer Minute noch einmal.';
const heldBack =
  'Der Bestand ist angehalten, und diese Datei gibt ihn weiter; die bisherige Datei wird weiter ausgeliefert. Bitte prüfen Sie ihn unter „Bestand“ und geben Sie ihn frei.';

/** Writes a file of the numbers; readers see it complete or not at all. */
async function writeOffers(database: Database, storagePaths: StoragePaths, channel: Channel): Promise<Made> {
  const { store } = storagePaths;
  const { company, id } = channel;
  const folder = storagePaths.offeredStockFolder(company, id);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `${randomUUID()}.tmp`);
  try {
    const state = await database.company(company, (trx) => writeLines(trx, channel, temporary));
    const path = storagePaths.offeredStock(company, id, state.revision);
    if (!(await store.has(path))) await store.keep(temporary, path);
    const written = { path, revision: state.revision, basis: state.basis };
    return (trx) => void writtenFor.set(trx, new Map([...(writtenFor.get(trx) ?? []), [id, written]]));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes the lines page by page. Until all are written, the numbers cannot be recomputed. */
async function writeLines(trx: Trx, channel: Channel, temporary: string): Promise<StockState> {
  const { company, masterid, id } = channel;
  await trx
    .selectFrom('stock_states')
    .select('feed_revision')
    .where((eb) => eb.and({ company, master: masterid }))
    .forShare()
    .executeTakeFirst();
  const state = await readState(trx, channel);
  if (state === undefined) throw notFound('Dieses Projekt');
  const file = await open(temporary, 'w');
  try {
    for (let last = '', more = true; more;) {
      const rows = await trx
        .selectFrom('stock_offers')
        .select(['item', 'offered'])
        .where((eb) => eb.and({ company, master: masterid, channel: id }))
        .where('item', '>', last)
        .orderBy('item')
        .limit(BATCH_SIZE)
        .execute();
      await file.appendFile(rows.map(({ item, offered }) => `"${item.replaceAll('"', '""')}",${offered}\n`).join(''));
      last = rows.at(-1)?.item ?? last;
      more = rows.length === BATCH_SIZE;
    }
  } finally {
    await file.close();
  }
  return state;
}
