import type { Clock } from '#platform/clock.ts';
import type { Trx } from '#platform/db/database.ts';
import { recogniseLines } from '#orders/intake/catalogue-items.ts';
import { pg } from '#platform/db/pg.ts';
import type { Log } from '#platform/telemetry/log.ts';
import type { StockSettings } from '#shared/stock/settings.ts';
import { computeItems, computeOffers, followSales, noteFeedChange, type StockPlace } from './compute.ts';
import { holdReasons, setHold } from './hold.ts';
import { loadStockSettings } from './settings.ts';
import { readSource, type SourceDeps, type StockSource, storeSource, stockSource } from './source.ts';

export type StockDeps = SourceDeps & { clock: Clock; log: Log };

/** What no watermark shows (a new listing, a source that grows old) is found after so long. */
const AGAIN_MS = 60 * 60_000;
/** Articles whose orders changed, of one turn. */
const TOGETHER = 5000;

/**
 * Computes anew where the catalogue, its settings or its orders changed. Returns how many catalogues were touched. Several workers
 * may do it at once: each holds its catalogue's row.
 */
export async function recomputeStock(deps: StockDeps): Promise<number> {
  const { database, clock } = deps;
  const now = clock.now();
  const { whole, dirty } = await database.system(async (trx) => ({
    whole: await changedCatalogues(trx, now),
    dirty: await dirtyCatalogues(trx),
  }));
  let done = 0;
  for (const place of whole) done += await attempt(deps, place, recomputeWhole);
  for (const place of dirty) done += await attempt(deps, place, recomputeDirty);
  return done;
}

/** One catalogue with which something is wrong, a file that cannot be read, does not stand in the way of the others. */
async function attempt(
  deps: StockDeps,
  place: StockPlace,
  work: (deps: StockDeps, place: StockPlace) => Promise<void>,
): Promise<number> {
  try {
    await work(deps, place);
    return 1;
  } catch (error) {
    deps.log.error({ err: error, ...place }, 'the stock of a catalogue could not be computed');
    return 0;
  }
}

/** Catalogues whose live state or newest settings are not those their numbers came from. */
async function changedCatalogues(trx: Trx, now: Date): Promise<StockPlace[]> {
  // A lateral join on the newest revision.
  const { rows } = await pg<StockPlace>`select s.company, s.master from stock_states s
    join masters m on m.company = s.company and m.id = s.master
    cross join lateral (select max(d.revision) as revision from documents d
      where d.company = s.company and d.subject = 'stock' and d.scope = 'master:' || s.master) d
    where d.revision is distinct from s.revision or m.live_snapshot is distinct from s.snapshot
      or s.computed_at is null or s.computed_at < ${new Date(now.getTime() - AGAIN_MS).toISOString()}::timestamptz
    limit 20`.execute(trx);
  return rows;
}

async function dirtyCatalogues(trx: Trx): Promise<StockPlace[]> {
  return trx.selectFrom('stock_dirty').select(['company', 'master']).distinct().limit(20).execute();
}

const lockState = (trx: Trx, { company, master }: StockPlace) =>
  trx
    .selectFrom('stock_states')
    .selectAll()
    .where((eb) => eb.and({ company, master }))
    .forUpdate()
    .executeTakeFirst();

async function recomputeWhole(deps: StockDeps, place: StockPlace): Promise<void> {
  const { database, clock } = deps;
  const { company, master } = place;
  const { settings, source } = await database.company(company, async (trx) => ({
    settings: (await loadStockSettings(trx, company, master)).settings,
    source: await stockSource(trx, place),
  }));
  const numbers =
    source === undefined || settings.field === '' ? undefined : await readSource(deps, source, settings.field);
  await database.company(company, async (trx) => {
    const state = await lockState(trx, place);
    if (state === undefined) return;
    const { revision, settings: newest } = await loadStockSettings(trx, company, master);
    // What changed while the file was read is computed at the next turn.
    if (JSON.stringify(newest) !== JSON.stringify(settings)) return;
    const snapshot = source?.snapshot.number ?? null;
    const now = clock.now();
    if (source === undefined || settings.field === '') await clear(trx, place);
    else {
      if (numbers !== undefined) await storeSource(trx, place, numbers);
      await recogniseLines(trx, company, master);
      const basis = { ...place, settings, sourceAt: source.sourceAt };
      await computeItems(trx, basis);
      await computeOffers(trx, basis, now);
      const anew = state.revision !== revision || state.snapshot !== snapshot;
      const judged = { settings, sourceAt: source.sourceAt, fieldThere: numbers !== undefined, now };
      await setHold(trx, place, { reason: await holdReasons(trx, place, judged), anew, now });
    }
    await trx
      .updateTable('stock_states')
      .set({ revision, snapshot, source_at: source?.sourceAt ?? null, computed_at: now })
      .where((eb) => eb.and({ company, master }))
      .execute();
  });
}

/** Nobody says (any more) where the stock stands: there is none to tell. */
async function clear(trx: Trx, { company, master }: StockPlace): Promise<void> {
  await noteFeedChange(trx, { company, master });
  for (const table of ['stock_offers', 'stock_items'] as const)
    await trx
      .deleteFrom(table)
      .where((eb) => eb.and({ company, master }))
      .execute();
  await trx
    .updateTable('stock_states')
    .set({ held: '', held_at: null })
    .where((eb) => eb.and({ company, master }))
    .execute();
}

async function recomputeDirty({ database, clock }: StockDeps, place: StockPlace): Promise<void> {
  const { company, master } = place;
  await database.company(company, async (trx) => {
    const state = await lockState(trx, place);
    // A queue takes its oldest rows away in one statement.
    const { rows } = await pg<{ item: string }>`delete from stock_dirty where company = ${company} and id in (
      select id from stock_dirty where company = ${company} and master = ${master} order by id limit ${TOGETHER})
      returning item`.execute(trx);
    const { settings } = await loadStockSettings(trx, company, master);
    if (state?.source_at == null || settings.field === '' || rows.length === 0) return;
    // So many are faster computed with all others than picked out of them.
    const many = rows.length === TOGETHER;
    if (many)
      await trx
        .deleteFrom('stock_dirty')
        .where((eb) => eb.and({ company, master }))
        .execute();
    const items = many ? undefined : [...new Set(rows.map(({ item }) => item))];
    await recomputeItems(trx, place, { settings, sourceAt: state.source_at, items, now: clock.now() });
  });
}

type SomeItems = {
  settings: StockSettings;
  sourceAt: StockSource['sourceAt'];
  /** Undefined: all. */
  items: readonly string[] | undefined;
  now: Date;
};

/** Computes some items anew whose orders changed. */
export async function recomputeItems(trx: Trx, place: StockPlace, some: SomeItems): Promise<void> {
  const basis = { ...place, ...some };
  await computeItems(trx, basis);
  await computeOffers(trx, basis, some.now);
  await followSales(trx, place, some.items);
}
