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

/** Interval of a recomputation that finds what no revision shows: a new listing, an ageing source. */
const AGAIN_MS = 60 * 60_000;
/** Articles with changed orders per poll. */
const BATCH_SIZE = 5000;

/**
 * Recomputes the stock of catalogues whose source, settings or orders changed. Returns how many. Several workers may run it: each
 * locks the catalogue's row.
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

/** Recomputes one catalogue. A failing one, such as one with an unreadable file, does not block the others. */
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

/**
 * Returns catalogues whose live snapshot or latest settings differ from those their numbers were computed from, or that were
 * computed too long ago.
 */
async function changedCatalogues(trx: Trx, now: Date): Promise<StockPlace[]> {
  // Raw SQL: a lateral join on the latest revision.
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
    // The settings changed while the file was read: the next poll computes them.
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

/** Clears the numbers: no field of stock is set (any more), so there is nothing to report. */
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
    // Raw SQL: a queue takes its oldest rows in one statement.
    const { rows } = await pg<{ item: string }>`delete from stock_dirty where company = ${company} and id in (
      select id from stock_dirty where company = ${company} and master = ${master} order by id limit ${BATCH_SIZE})
      returning item`.execute(trx);
    const { settings } = await loadStockSettings(trx, company, master);
    if (state?.source_at == null || settings.field === '' || rows.length === 0) return;
    // For this many articles a computation of all is faster.
    const many = rows.length === BATCH_SIZE;
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
  /** Undefined: all items. */
  items: readonly string[] | undefined;
  now: Date;
};

/** Recomputes items whose orders changed. */
export async function recomputeItems(trx: Trx, place: StockPlace, some: SomeItems): Promise<void> {
  const basis = { ...place, ...some };
  await computeItems(trx, basis);
  await computeOffers(trx, basis, some.now);
  await followSales(trx, place, some.items);
}
