import { z } from 'zod';
import type { Trx } from '#platform/db/database.ts';
import { PriceDecision } from '#shared/repricer/history.ts';
import type { SealedRange } from '#repricer/record/sealed-content.ts';

/** What an archive file says of a price's submission, in the form that pages show. */
type Outcome = PriceDecision['sent'];
const Outcome = PriceDecision.shape.sent;
const Issues = z.array(z.unknown());

/** Returns the outcomes of decisions with ids in (from, to], as JSON texts by id. */
export async function outcomesOf(trx: Trx, company: string, { from, to }: SealedRange): Promise<Map<number, string>> {
  const rows = await trx
    .selectFrom('price_decisions as d')
    .innerJoin('price_submissions as s', (join) =>
      join
        .onRef('s.item', '=', 'd.item')
        .onRef('s.company', '=', 'd.company')
        .onRef('s.master', '=', 'd.master')
        .onRef('s.marketplace', '=', 'd.marketplace')
        .onRef('s.decision', '=', 'd.id'),
    )
    .select(['d.id', 's.price_cents', 's.from_cents', 's.state', 's.held', 's.message', 's.issues', 's.sends'])
    .select(['s.sent_at', 's.ended_at'])
    .where('d.company', '=', company)
    .where('d.id', '>', from)
    .where('d.id', '<=', to)
    .execute();
  return new Map(
    rows.map(({ id, issues, sent_at, ended_at, ...sent }) => [
      id,
      JSON.stringify(
        Outcome.parse({
          ...sent,
          issues: Issues.parse(JSON.parse(issues)),
          sentAt: sent_at?.toISOString() ?? null,
          endedAt: ended_at?.toISOString() ?? null,
        }),
      ),
    ]),
  );
}

/** Parses the outcome in a file; null if nothing was to be sent, or the file's version did not contain it. */
export const readOutcome = (text: string | null): Outcome => (text === null ? null : Outcome.parse(JSON.parse(text)));
