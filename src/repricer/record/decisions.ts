import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { PriceDecision } from '#shared/repricer/history.ts';
import { readBody } from './decision-codec.ts';
import { revisionsIn } from '#repricer/model/pricing-inputs-version.ts';

const Issues = z.array(z.object({ code: z.string(), message: z.string(), field: z.string().optional() }));

type Row = {
  id: number;
  decided_at: Date;
  marketplace: string;
  cause: string;
  rule: string | null;
  rule_revision: number;
  snapshot: number;
  limits_version: string;
  offers_at: Date | null;
  price_cents: number | null;
  reason: string;
  target_seller: string | null;
  body: string;
  verdict: string;
  held: string;
  sent_price: number | null;
  from_cents: number | null;
  state: string | null;
  sent_held: string | null;
  message: string | null;
  issues: string | null;
  sends: number | null;
  sent_at: Date | null;
  ended_at: Date | null;
  program: string;
  seal: number | null;
  sealed_at: Date | null;
  verified_at: Date | null;
};

/** 'Warum dieser Preis?': the decisions of an item, newest first, those before `before` (an id) if given. */
export async function decisionsOf(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  item: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<PriceDecision[]> {
  const { rows } =
    await pg<Row>`select d.id, d.decided_at, d.marketplace, d.cause, d.rule, d.rule_revision, d.snapshot, d.limits_version, d.offers_at,
      d.price_cents, d.reason, d.target_seller, d.body, d.verdict, d.held, s.price_cents as sent_price, s.from_cents, s.state,
      s.held as sent_held, s.message, s.issues, s.sends, s.sent_at, s.ended_at,
      d.program, sealed.number as seal, sealed.sealed_at, audit.verified_at
    from price_decisions d
    left join price_submissions s on s.company = d.company and s.master = d.master and s.marketplace = d.marketplace
      and s.item = d.item and s.decision = d.id
    left join lateral (select number, sealed_at from decision_seals where company = d.company and to_id >= d.id
      order by to_id limit 1) sealed on true
    left join decision_audits audit on audit.company = d.company and sealed.number <= audit.seals
    where d.company = ${company} and d.master = ${masterid} and d.item = ${item}
      and (${before ?? null}::bigint is null or d.id < ${before ?? null}::bigint)
    order by d.id desc limit ${limit}`.execute(trx);
  return rows.map(toDecision);
}

function toDecision(row: Row): PriceDecision {
  const { ruleName, arithmetic } = readBody(row.body);
  return PriceDecision.parse({
    id: Number(row.id),
    decidedAt: row.decided_at.toISOString(),
    marketplace: row.marketplace,
    cause: row.cause,
    rule: row.rule,
    ruleName,
    ruleRevision: row.rule_revision,
    snapshot: row.snapshot,
    ...revisionsIn(row.limits_version),
    offersAt: row.offers_at?.toISOString() ?? null,
    price_cents: row.price_cents,
    reason: row.reason,
    target_seller_id: row.target_seller,
    arithmetic,
    verdict: row.verdict,
    held: row.held,
    sent:
      row.sent_price === null
        ? null
        : {
            price_cents: row.sent_price,
            from_cents: row.from_cents,
            state: row.state,
            held: row.sent_held ?? '',
            message: row.message,
            issues: Issues.parse(JSON.parse(row.issues ?? '[]')),
            sends: row.sends,
            sentAt: row.sent_at?.toISOString() ?? null,
            endedAt: row.ended_at?.toISOString() ?? null,
          },
    program: row.program,
    seal:
      row.seal === null || row.sealed_at === null
        ? null
        : {
            number: row.seal,
            sealedAt: row.sealed_at.toISOString(),
            verifiedAt: row.verified_at?.toISOString() ?? null,
          },
  });
}
