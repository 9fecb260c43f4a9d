import { accountsToServe, byKey, type Account } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { MarketplaceError } from '#marketplaces/port.ts';
import { addNotification } from '#notifications/notifications.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { dayOf } from '#orders/model/order-state.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { type SendDeps, stockPort, type StockPort, stockRate } from './send-stock.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Stock numbers read of one account per poll. */
const BATCH_SIZE = 20;

type Read = { item: string; sku: string };
type Drift = { item: string; expected: number; shown: number };

/**
 * Reads once a day the stock that every channel shows and notifies people of a number that differs although Kontor did not change
 * it. Returns the number read.
 */
export async function compareStock(deps: SendDeps, turns = new SideBySide()): Promise<number> {
  return turns.turn(byKey(await accountsToServe(deps)), async (account) => {
    try {
      await judgeReadings(deps, account);
      return await readSome(deps, account);
    } catch (error) {
      deps.log.warn({ err: error, account: account.id }, 'stock of a channel could not be compared');
      return 0;
    }
  });
}

async function readSome(deps: SendDeps, account: Account): Promise<number> {
  const { database, clock, buckets } = deps;
  const now = clock.now();
  const some = await database.company(account.company, (trx) => toRead(trx, account, now));
  if (some.length === 0) return 0;
  const port = await stockPort(deps, account);
  if (port?.readStock === undefined) return 0;
  // Sending has priority: both share one rate, and reading has the whole day.
  const { rates, stockBatch } = port.support;
  const calls = await buckets.take(stockRate(account), rates.stock, Math.ceil(some.length / stockBatch), now);
  const chosen = some.slice(0, calls * stockBatch);
  if (chosen.length === 0) return 0;
  const shown = await readObserved(port, chosen).catch(async (error: unknown) => {
    // Sending waits as well.
    if (error instanceof MarketplaceError && error.delayMs !== undefined)
      await buckets.empty(stockRate(account), rates.stock, error.delayMs / 1000, clock.now());
    throw error;
  });
  await database.company(account.company, (trx) => storeReadings(trx, account, shown, clock.now()));
  return chosen.length;
}

/** Returns offers whose number is as we sent it and was not read for a day. */
async function toRead(trx: Trx, { company, id }: Account, now: Date): Promise<Read[]> {
  return trx
    .selectFrom('stock_offers')
    .select(['item', 'sku'])
    .where((eb) => eb.and({ company, channel: id, account: true, state: 'accepted' }))
    .whereRef('shown', '=', 'offered')
    .where((eb) => eb.or([eb('read_at', 'is', null), eb('read_at', '<', new Date(now.getTime() - DAY_MS))]))
    .where('base_at', '<', new Date(now.getTime() - 10 * 60_000))
    .orderBy('read_at', (order) => order.asc().nullsFirst())
    .limit(BATCH_SIZE)
    .execute();
}

async function readObserved(port: StockPort, some: readonly Read[]): Promise<{ item: string; read: number | null }[]> {
  const shown = (await port.readStock?.(some.map(({ sku }) => sku))) ?? [];
  const bySku = new Map(shown.map(({ sku, quantity }) => [sku, quantity]));
  return some.map(({ item, sku }) => ({ item, read: bySku.get(sku) ?? null }));
}

/**
 * Stores the readings. A differing one counts as the channel's number at once, and is judged when the orders up to then are
 * known.
 */
async function storeReadings(
  trx: Trx,
  { company, masterid, id }: Account,
  readings: readonly { item: string; read: number | null }[],
  now: Date,
): Promise<void> {
  const at = pg`${now.toISOString()}::timestamptz`;
  await pg`update stock_offers o set read = r.read, read_at = ${at},
      prior = case when r.read <> o.shown then o.base else o.prior end,
      prior_at = case when r.read <> o.shown then o.base_at else o.prior_at end,
      base = case when r.read <> o.shown then r.read else o.base end,
      base_at = case when r.read <> o.shown then ${at} else o.base_at end,
      shown = coalesce(r.read, o.shown)
    from json_to_recordset(${JSON.stringify(readings)}::json) as r(item text, read int)
    where o.company = ${company} and o.master = ${masterid} and o.channel = ${id} and o.item = r.item`.execute(trx);
}

/** Reports readings that the channel's own orders do not explain, once its orders were read up to a later moment. */
async function judgeReadings({ database, log }: SendDeps, account: Account): Promise<void> {
  const { company, id } = account;
  await database.company(company, async (trx) => {
    // Raw SQL: an update over a query, with a sum over orders per row, would take the query builder two steps.
    const { rows } = await pg<Drift & { read_at: Date }>`
      with judged as (
        update stock_offers o set prior = null, prior_at = null
        from (select f.master, f.item, f.prior, f.prior_at, f.read, f.read_at from stock_offers f
          join order_polls p on p.company = f.company and p.channel = f.channel
          where f.company = ${company} and f.channel = ${id} and f.prior is not null and p.cursor is null
            and p.failed_since is null and p.polled_at > f.read_at and p.reconciled_on is not null) b
        where o.company = ${company} and o.channel = ${id} and o.master = b.master and o.item = b.item
        returning b.master, b.item, b.prior, b.prior_at, b.read, b.read_at)
      select j.item, j.read as shown, j.read_at, greatest(0, j.prior - coalesce((select sum(l.ordered) from order_lines l
          join orders o on o.company = l.company and o.channel = l.channel and o.order_id = l.order_id
          where l.company = ${company} and l.channel = ${id} and l.master = j.master and l.item = j.item
            and o.fulfilled_by = 'merchant' and o.placed_at > j.prior_at and o.placed_at <= j.read_at), 0))::int as expected
      from judged j order by j.item`.execute(trx);
    const drifts = rows.filter(({ expected, shown }) => expected !== shown);
    const [first] = drifts;
    if (first === undefined) return;
    log.warn({ account: id, drifts: drifts.length }, 'a channel shows a different stock than the one sent');
    const others = drifts.length === 1 ? '' : ` und ${integerText(drifts.length - 1)} weitere`;
    await addNotification(trx, company, {
      id: `stock-drift-${id}-${dayOf(new Date(first.read_at))}-${first.item}`,
      event: 'deviation',
      title: `Bestand weicht ab: „${account.name}“`,
      text: `Artikel ${first.item}${others}: der Kanal zeigt ${integerText(first.shown)} statt ${integerText(first.expected)} Stück, obwohl Kontor nichts geändert hat. Kontor sendet seine Zahl erneut. Bitte prüfen Sie, ob jemand den Bestand dort von Hand oder mit einem anderen Programm ändert.`,
      path: `/bestand?katalog=${account.masterid}&filter=abweichend`,
    });
  });
}
