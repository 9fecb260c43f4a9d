import { pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import type { Decision } from '#shared/repricer/decision.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { bodyOf } from './decision-codec.ts';
import { storeReplaySamples } from './replay-samples.ts';
import type { Verdict } from '#repricer/gate/gate.ts';
import type { Listing } from '#repricer/model/listings.ts';
import type { PricingInput } from '#repricer/decide/evaluate-price.ts';

/** A decision with what the gate said to it; `verdict` undefined: there is no price to look at. */
export type DecisionRecord = {
  listing: Listing;
  rule: RepricerRule;
  decision: Decision;
  verdict: Verdict | undefined;
  basis: PricingInput;
  offersAt: Date | undefined;
  cause: string;
  /** A good price put back, not one that a rule decided. */
  restored: boolean;
  again?: Date;
};
type Batch = {
  company: string;
  masterid: string;
  marketplace: string;
  now: Date;
  version: string;
  revision: number;
  snapshot: number;
  /** Name of the version of the program that decided. */
  program: string;
};

/**
 * What waits in the outbox for these items is out of date. The rows are locked in the order in which the sender locks them, so
 * that the two never wait for each other.
 */
export async function supersede(
  trx: Trx,
  { company, masterid, marketplace, now }: Pick<Batch, 'company' | 'masterid' | 'marketplace' | 'now'>,
  items: readonly string[],
): Promise<void> {
  await pg`update price_submissions set state = 'held', held = 'SUPERSEDED', ended_at = ${now.toISOString()}::timestamptz
    where company = ${company} and state = 'new' and id = any(array(select id from price_submissions where company = ${company}
      and master = ${masterid} and marketplace = ${marketplace} and state = 'new' and item = any(${items}::text[])
      order by id for update))`.execute(trx);
}

/** Writes decisions, then what of them may be sent into the outbox, where nothing waits for these items (see `supersede`). */
export async function saveDecisions(
  trx: Trx,
  ids: Ids,
  batch: Batch,
  records: readonly DecisionRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const { company, masterid, marketplace, now, version, revision, snapshot, program } = batch;
  const at = now.toISOString();
  const rows = records.map(rowOf);
  // Up to a thousand rows as one parameter.
  const { rows: saved } = await pg<Row<'price_decisions', 'id' | 'item'>>`insert into price_decisions
      (company, master, marketplace, item, product_id, decided_at, cause, rule, rule_revision, snapshot, limits_version, offers_at,
       min_cents, max_cents, standard_cents, current_cents, price_cents, stock, reason, target_seller, body, verdict, held, program)
    select ${company}, ${masterid}, ${marketplace}, r.item, r.product_id, ${at}::timestamptz, r.cause, r.rule, ${revision}::int,
      ${snapshot}::int, ${version}, r.offers_at, r.min, r.max, r.standard, r.current, r.price, r.stock, r.reason, r.target,
      r.body, r.verdict, r.held, ${program}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(item text, product_id text, cause text, rule text, offers_at timestamptz,
      min int, max int, standard int, current int, price int, stock int, reason text, target text, body text, verdict text, held text)
    returning id, item`.execute(trx);
  const decisions = new Map(saved.map(({ id, item }) => [item, Number(id)]));
  await addSubmissions(
    trx,
    batch,
    records.flatMap((record) => outgoing(record, ids, decisions)),
  );
  await storeReplaySamples(trx, batch, records);
  await count(
    trx,
    batch,
    rows.flatMap(({ reason, verdict, held }) => [reason, held === '' ? verdict : `held:${held}`]),
  );
}

const verdictOf = (verdict: Verdict | undefined): { verdict: string; held: string } => {
  if (verdict === undefined) return { verdict: 'none', held: '' };
  if (verdict.kind !== 'hold') return { verdict: verdict.kind, held: '' };
  return verdict.reason === 'DRY_RUN' ? { verdict: 'dry_run', held: '' } : { verdict: 'hold', held: verdict.reason };
};

function rowOf({ listing, rule, decision, verdict, offersAt, cause }: DecisionRecord) {
  const { arithmetic } = decision;
  const bounds = [arithmetic.min_cents, arithmetic.max_cents, arithmetic.standard_cents];
  // Bounds beyond all prices are refused by the gate, and no column could hold them: they stand in the body alone.
  const fits = bounds.every((cents) => cents === null || cents <= BEYOND);
  return {
    item: listing.item,
    product_id: listing.productId,
    cause,
    rule: rule.id,
    offers_at: offersAt?.toISOString() ?? null,
    min: fits ? arithmetic.min_cents : null,
    max: fits ? arithmetic.max_cents : null,
    standard: fits ? arithmetic.standard_cents : null,
    current: arithmetic.current_cents,
    price: fits ? decision.price_cents : null,
    stock: listing.stock,
    reason: decision.reason,
    target: decision.target_seller_id,
    body: bodyOf(rule.name, arithmetic),
    ...verdictOf(verdict),
  };
}

const BEYOND = 2_000_000_000;

type Outgoing = {
  id: string;
  item: string;
  account: string;
  sku: string;
  decision: number;
  rule: string;
  currency: string;
  from: number | null;
  price: number;
  min: number | null;
  max: number | null;
  stock: number | null;
  reached_min: boolean;
  restored: boolean;
};

function outgoing(
  { listing, rule, decision, verdict, restored }: DecisionRecord,
  ids: Ids,
  decisions: ReadonlyMap<string, number>,
): Outgoing[] {
  const id = decisions.get(listing.item);
  if (id === undefined || (verdict?.kind !== 'submit' && verdict?.kind !== 'step')) return [];
  const { min_cents, max_cents } = decision.arithmetic;
  return [
    {
      id: ids.id(),
      item: listing.item,
      account: listing.account,
      sku: listing.sku,
      decision: id,
      rule: rule.id,
      currency: listing.currency,
      from: listing.price,
      price: verdict.price,
      min: min_cents,
      max: max_cents,
      stock: listing.stock,
      reached_min: verdict.price === min_cents,
      restored,
    },
  ];
}

async function addSubmissions(
  trx: Trx,
  { company, masterid, marketplace, now, version }: Batch,
  rows: readonly Outgoing[],
): Promise<void> {
  if (rows.length === 0) return;
  await pg`insert into price_submissions (company, id, master, marketplace, item, account, sku, decision, rule, limits_version,
      currency, from_cents, price_cents, min_cents, max_cents, state, reached_min, restored, stock, created_at)
    select ${company}, r.id, ${masterid}, ${marketplace}, r.item, r.account, r.sku, r.decision, r.rule, ${version}, r.currency,
      r."from", r.price, r.min, r.max, 'new', r.reached_min, r.restored, r.stock, ${now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id text, item text, account text, sku text, decision bigint, rule text,
      currency text, "from" int, price int, min int, max int, stock int, reached_min boolean, restored boolean)`.execute(
    trx,
  );
}

/** What happened on this day, for the pages that show it. */
export async function count(
  trx: Trx,
  { company, masterid, marketplace, now }: Pick<Batch, 'company' | 'masterid' | 'marketplace' | 'now'>,
  kinds: readonly string[],
): Promise<void> {
  const rows = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, list]) => ({ kind, n: list.length }));
  await pg`insert into repricer_counters (company, master, marketplace, day, kind, n)
    select ${company}, ${masterid}, ${marketplace}, ${now.toISOString().slice(0, 10)}::date, r.kind, r.n
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(kind text, n bigint) order by r.kind
    on conflict (company, master, marketplace, day, kind) do update set n = repricer_counters.n + excluded.n`.execute(
    trx,
  );
}
