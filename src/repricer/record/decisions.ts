import { z } from 'zod';
import type { AliasedExpression, InferResult, Selectable } from 'kysely';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';
import { archivedUpTo } from '#repricer/archive/archives.ts';
import { PriceDecision } from '#shared/repricer/history.ts';
import { readBody } from './decision-codec.ts';
import { revisionsIn } from '#repricer/model/pricing-inputs-version.ts';

const Issues = z.array(z.object({ code: z.string(), message: z.string(), field: z.string().optional() }));

type Place = { company: string; masterid: string };

/**
 * Returns the decisions of an item in the database, newest first, those before `before` (an id) if given;
 * archive/decision-history.ts includes the archived ones.
 */
export async function decisionsOf(
  trx: Trx,
  ref: Place,
  item: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<PriceDecision[]> {
  const newest = trx
    .selectFrom('price_decisions')
    .selectAll()
    .where((eb) => eb.and({ company: ref.company, master: ref.masterid, item }))
    .where('id', '>', archivedUpTo(trx, ref.company))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .as('d');
  return (await explanations(trx, newest).execute()).map(toDecision);
}

/** A decision from an archive file in the form of the table's row; times as texts. */
export type Recorded = Record<string, string | number | null>;

/** Returns decisions of an item that were read from an archive file. */
export async function explained(
  trx: Trx,
  { company, masterid }: Place,
  item: string,
  records: readonly Recorded[],
): Promise<PriceDecision[]> {
  const rows = JSON.stringify(records.map((record) => ({ ...record, company, master: masterid, item })));
  // Raw SQL: the builder cannot express a relation of given rows.
  const given = pg<
    Selectable<Tables['price_decisions']>
  >`json_populate_recordset(null::price_decisions, ${rows}::json)`;
  return (await explanations(trx, given.as('d')).execute()).map(toDecision);
}

/** Query of decisions with the results of their prices, and their seals. */
const explanations = (trx: Trx, decisions: AliasedExpression<Selectable<Tables['price_decisions']>, 'd'>) =>
  trx
    .selectFrom(decisions)
    .leftJoin('price_submissions as s', (join) =>
      join
        .onRef('s.company', '=', 'd.company')
        .onRef('s.master', '=', 'd.master')
        .onRef('s.marketplace', '=', 'd.marketplace')
        .onRef('s.item', '=', 'd.item')
        .onRef('s.decision', '=', 'd.id'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('decision_seals as seal')
          .select(['seal.number', 'seal.sealed_at'])
          .whereRef('seal.company', '=', 'd.company')
          .whereRef('seal.to_id', '>=', 'd.id')
          .orderBy('seal.to_id')
          .limit(1)
          .as('sealed'),
      (join) => join.onTrue(),
    )
    .leftJoin('decision_audits as audit', (join) =>
      join.onRef('audit.company', '=', 'd.company').onRef('sealed.number', '<=', 'audit.seals'),
    )
    .select(['d.id', 'd.decided_at', 'd.marketplace', 'd.cause', 'd.rule', 'd.rule_revision', 'd.snapshot'])
    .select(['d.limits_version', 'd.offers_at', 'd.price_cents', 'd.reason', 'd.target_seller', 'd.body', 'd.verdict'])
    .select(['d.held', 'd.program', 's.price_cents as sent_price', 's.from_cents', 's.state', 's.held as sent_held'])
    .select(['s.message', 's.issues', 's.sends', 's.sent_at', 's.ended_at'])
    .select(['sealed.number as seal', 'sealed.sealed_at', 'audit.verified_at'])
    .orderBy('d.id', 'desc');
type Row = InferResult<ReturnType<typeof explanations>>[number];

function toDecision(row: Row): PriceDecision {
  const { ruleName, arithmetic } = readBody(row.body);
  return PriceDecision.parse({
    id: row.id,
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
