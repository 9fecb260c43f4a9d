import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument } from '#platform/db/documents.ts';
import { KontorError } from '#platform/errors.ts';
import type { StoragePaths } from './storage-paths.ts';

/**
 * What Kontor offers of each article on a channel that is fed by file: a CSV file with lines of item number and pieces, made once a
 * revision. `computing`: they are not yet those of the newest state and settings; `held`: why they wait for people, in German; '': they
 * do not.
 */
export type OfferedStock = {
  readonly path: string;
  readonly revision: number;
  readonly computing: boolean;
  readonly held: string;
};

type Channel = { company: string; masterid: string; id: string };

/** Lines of one statement: nobody shall wait long for it. */
const TOGETHER = 20_000;
/** Runs are explained for about so long. */
const UNUSED_MS = 30 * 24 * 60 * 60_000;

/** The numbers of now; undefined: no stock is computed for this channel. */
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
  const path = storagePaths.offeredStock(company, id, state.revision);
  if (await storagePaths.store.has(path, trx)) return { ...state, path };
  // Until the numbers are read, nobody may compute others.
  const locked = await trx
    .selectFrom('stock_states')
    .select('feed_revision as revision')
    .where((eb) => eb.and({ company, master: masterid }))
    .forShare()
    .executeTakeFirstOrThrow();
  const made = storagePaths.offeredStock(company, id, locked.revision);
  if (!(await storagePaths.store.has(made, trx))) await writeOffers(trx, storagePaths, channel, made);
  return { ...state, path: made, revision: locked.revision };
}

/** The numbers of a revision, while they are kept. */
export async function offeredStockAt(
  trx: Trx,
  storagePaths: StoragePaths,
  { company, id }: Omit<Channel, 'masterid'>,
  revision: number,
): Promise<OfferedStock | undefined> {
  const path = storagePaths.offeredStock(company, id, revision);
  return (await storagePaths.store.has(path, trx)) ? { path, revision, computing: false, held: '' } : undefined;
}

/** @throws where numbers wait for people, or for being computed from the newest state: the file of before is served on */
export function requireReleased(stock: OfferedStock | undefined): void {
  if (stock?.computing === true) throw new KontorError(409, 'stock_computing', computing, { retryAfter: 60 });
  if (stock !== undefined && stock.held !== '') throw new KontorError(409, 'stock_held', `${heldBack} ${stock.held}`);
}

/** Removes numbers that no run worked with for long; the newest stay. */
export async function clearOfferedStock(storagePaths: StoragePaths, company: string, id: string, now: Date) {
  const { store } = storagePaths;
  const made = (await store.list(storagePaths.offeredStockFolder(company, id)))
    .filter(({ path }) => /^\d+\.csv$/.test(basename(path)))
    .toSorted((one, other) => Number.parseInt(basename(other.path), 10) - Number.parseInt(basename(one.path), 10));
  const unused = made.slice(1).filter(({ at }) => now.getTime() - at.getTime() > UNUSED_MS);
  await store.remove(unused.map(({ path }) => path));
}

async function readState(trx: Trx, { company, masterid }: Channel): Promise<Omit<OfferedStock, 'path'> | undefined> {
  const state = await trx
    .selectFrom('stock_states as s')
    .innerJoin('masters as m', (join) => join.onRef('m.company', '=', 's.company').onRef('m.id', '=', 's.master'))
    .select(['s.feed_revision', 's.held', 's.revision', 's.snapshot', 'm.live_snapshot'])
    .where((eb) => eb.and({ 's.company': company, 's.master': masterid }))
    .executeTakeFirst();
  if (state === undefined) return undefined;
  const { revision } = await loadDocument(trx, company, 'stock', `master:${masterid}`);
  const behind = state.snapshot !== state.live_snapshot || state.revision !== revision;
  return { revision: state.feed_revision, computing: behind, held: state.held };
}

const computing =
  'Der Bestand wird gerade neu berechnet, und diese Datei gibt ihn weiter. Bitte starten Sie den Lauf in einer Minute noch einmal.';
const heldBack =
  'Der Bestand ist angehalten, und diese Datei gibt ihn weiter; die bisherige Datei wird weiter ausgeliefert. Bitte prüfen Sie ihn unter „Bestand“ und geben Sie ihn frei.';

/** Writes a page after the other; whoever reads the file finds it whole or not at all. */
async function writeOffers(
  trx: Trx,
  { store }: StoragePaths,
  { company, masterid, id }: Channel,
  path: string,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `${randomUUID()}.tmp`);
  const file = await open(temporary, 'w');
  try {
    for (let last = '', more = true; more;) {
      const rows = await trx
        .selectFrom('stock_offers')
        .select(['item', 'offered'])
        .where((eb) => eb.and({ company, master: masterid, channel: id }))
        .where('item', '>', last)
        .orderBy('item')
        .limit(TOGETHER)
        .execute();
      await file.write(rows.map(({ item, offered }) => `"${item.replaceAll('"', '""')}",${offered}\n`).join(''));
      last = rows.at(-1)?.item ?? last;
      more = rows.length === TOGETHER;
    }
    await file.close();
    // Nobody's transaction waits for a disk: what a power cut takes is made anew.
    await store.keepWithin(trx, temporary, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}
