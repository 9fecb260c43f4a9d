import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { pg } from '#platform/db/pg.ts';
import { KontorError } from '#platform/errors.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Decision } from '#shared/repricer/decision.ts';
import type { RestorePreview } from '#shared/repricer/state.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { loadSafety } from './safety.ts';

/** 'Letzte gute Preise': until somebody ends it, every offer of the catalogue gets the price that was live before `moment`. */
export type Restore = { id: string; moment: Date; reason: string; author: string; startedAt: Date };

export async function openRestore(trx: Trx, { company, masterid }: CatalogueRef): Promise<Restore | undefined> {
  type Row = Omit<Restore, 'startedAt'> & { started_at: Date };
  const { rows } = await pg<Row>`select id, moment, reason, author, started_at from price_restores
    where company = ${company} and master = ${masterid} and ended_at is null`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { started_at, ...restore } = row;
  return { ...restore, startedAt: started_at };
}

/**
 * The last price of an offer `l` that was live before a moment; where none was ever sent before, the one that the first send after it
 * found. Null: it was never changed by us, so there is nothing to put back.
 */
const goodPrice = (moment: Date) => {
  const at = pg`${moment.toISOString()}::timestamptz`;
  const ofOffer = pg`from price_submissions s where s.item = l.item and s.company = l.company and s.master = l.master
    and s.marketplace = l.marketplace`;
  return pg`coalesce(
    (select s.price_cents ${ofOffer} and s.state = 'live' and s.ended_at <= ${at} order by s.created_at desc limit 1),
    (select s.from_cents ${ofOffer} and s.sent_at > ${at} order by s.created_at limit 1))`;
};

/** The prices that offers are put back to; an offer that is missing is left alone. */
export async function goodPrices(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  { marketplace, items, moment }: { marketplace: string; items: readonly string[]; moment: Date },
): Promise<Map<string, number>> {
  const { rows } = await pg<{
    item: string;
    cents: number;
  }>`select * from (select l.item, ${goodPrice(moment)} as cents
      from listings l where l.company = ${company} and l.master = ${masterid} and l.marketplace = ${marketplace}
        and l.item = any(${items}::text[])) good where cents is not null`.execute(trx);
  return new Map(rows.map(({ item, cents }) => [item, Number(cents)]));
}

/** How many offers of a catalogue would change, and what the first of them would. */
export async function previewRestore(trx: Trx, place: CatalogueRef, moment: Date): Promise<RestorePreview> {
  await disableSeqScans(trx);
  const { figures: safety } = await loadSafety(trx, place);
  const good = pg`(select l.item, l.marketplace, l.price_cents as old, ${goodPrice(moment)} as good from listings l
    where l.company = ${place.company} and l.master = ${place.masterid}) o`;
  const differs = pg`good is not null and old is not null and good <> old`;
  type Counts = { total: number; changed: number; unknown: number; steps: number };
  const { rows: counted } = await pg<Counts>`select count(*) as total, count(*) filter (where ${differs}) as changed,
      count(*) filter (where good is null or old is null) as unknown,
      count(*) filter (where ${differs} and abs(good - old)::bigint * 100 > old::bigint * ${safety.step}::int) as steps from ${good}`.execute(
    trx,
  );
  type Row = { item: string; marketplace: string; from_cents: number; to_cents: number };
  const { rows } = await pg<Row>`select item, marketplace, old as from_cents, good as to_cents from ${good}
    where ${differs} order by marketplace, item limit 20`.execute(trx);
  const number = (name: keyof Counts) => Number(counted[0]?.[name] ?? 0);
  return {
    total: number('total'),
    changed: number('changed'),
    unknown: number('unknown'),
    steps: number('steps'),
    rows: rows.map((row) => ({ ...row, from_cents: Number(row.from_cents), to_cents: Number(row.to_cents) })),
  };
}

/** @throws 409 while another one is open */
export async function startRestore(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  { id, moment, reason, author, startedAt }: Restore,
): Promise<void> {
  if ((await openRestore(trx, { company, masterid })) !== undefined)
    throw new KontorError(409, 'restoring', 'Es wird schon wiederhergestellt. Beenden Sie das zuerst.');
  await pg`insert into price_restores (company, id, master, moment, reason, author, started_at)
    values (${company}, ${id}, ${masterid}, ${moment.toISOString()}::timestamptz, ${reason}, ${author},
      ${startedAt.toISOString()}::timestamptz)`.execute(trx);
}

export async function endRestore(trx: Trx, { company, masterid }: CatalogueRef, by: string, now: Date): Promise<void> {
  await pg`update price_restores set ended_at = ${now.toISOString()}::timestamptz, ended_by = ${by}
    where company = ${company} and master = ${masterid} and ended_at is null`.execute(trx);
}

/** The good price instead of the rule's. The limits stay those of the rule: what lies outside of them is not sent. */
export function restored(decision: Decision, price: number): Decision {
  const { min_cents: min, max_cents: max } = decision.arithmetic;
  const held = decision.reason.startsWith('HOLD_') || min === null || max === null;
  if (held) return decision;
  const arithmetic = { ...decision.arithmetic, target: null, first_target: null, computed_cents: null };
  const inside = price >= min && price <= max;
  return {
    price_cents: inside ? price : null,
    reason: inside ? 'RESTORED' : 'HOLD_RESTORE_BOUNDS',
    target_seller_id: null,
    arithmetic,
  };
}
