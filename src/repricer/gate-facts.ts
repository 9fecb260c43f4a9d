import { sql } from 'kysely';
import type { Trx } from '#platform/db.ts';
import type { GateQuestion } from './gate.ts';

export type PriceFacts = Pick<GateQuestion, 'before' | 'dayAgo' | 'sends' | 'inFlight'>;
export const noFacts: PriceFacts = { before: null, dayAgo: null, sends: [], inFlight: false };

type Row = {
  item: string;
  from_cents: number | null;
  price_cents: number;
  min_cents: number;
  max_cents: number;
  sent_at: Date | null;
  state: string;
};

/** What was sent for these items lately, as the gate asks for it. `confirmed`: limits of snapshots up to this one were looked at. */
export async function priceFacts(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  { marketplace, items, now }: { marketplace: string; items: readonly string[]; now: Date },
): Promise<Map<string, PriceFacts>> {
  const since = new Date(now.getTime() - 24 * 60 * 60_000).toISOString();
  const { rows } = await sql<Row>`
    select s.item, s.from_cents, s.price_cents, s.min_cents, s.max_cents, s.sent_at, s.state
    from json_array_elements_text(${JSON.stringify(items)}::json) wanted
    cross join lateral (
      select * from price_submissions s where s.company = ${company} and s.master = ${masterid} and s.marketplace = ${marketplace}
        and s.item = wanted.value and (s.sent_at > ${since}::timestamptz or s.state in ('sending', 'accepted', 'unknown')
          or s.created_at = (select max(created_at) from price_submissions n where n.company = s.company and n.master = s.master
            and n.marketplace = s.marketplace and n.item = s.item and n.sent_at is not null))
    ) s order by s.item, s.created_at`.execute(trx);
  const facts = new Map<string, PriceFacts>();
  for (const [item, list] of Map.groupBy(rows, (row) => row.item)) {
    const sent = list.flatMap((row) =>
      row.sent_at === null || row.sent_at.toISOString() <= since
        ? []
        : [{ at: row.sent_at.getTime(), from: row.from_cents, to: row.price_cents }],
    );
    const last = list.findLast((row) => row.sent_at !== null);
    facts.set(item, {
      before: last === undefined ? null : { min: last.min_cents, max: last.max_cents },
      dayAgo: sent[0]?.from ?? null,
      sends: sent,
      inFlight: list.some(({ state }) => state === 'sending' || state === 'accepted' || state === 'unknown'),
    });
  }
  return facts;
}

/** How far the present revision of the rules has come: the first items go ahead, the others wait until these have proved it. */
export async function canaryFacts(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  since: Date | undefined,
): Promise<{ since: number; total: number; sent: Set<string> } | undefined> {
  if (since === undefined) return undefined;
  const { rows: total } = await sql<{ n: number }>`select count(*) as n from listings
    where company = ${company} and master = ${masterid}`.execute(trx);
  const { rows } = await sql<{
    marketplace: string;
    item: string;
  }>`select distinct marketplace, item from price_submissions
    where company = ${company} and master = ${masterid} and created_at >= ${since.toISOString()}::timestamptz
      and state <> 'held' limit 10000`.execute(trx);
  return {
    since: since.getTime(),
    total: Number(total[0]?.n ?? 0),
    sent: new Set(rows.map(({ marketplace, item }) => `${marketplace}\n${item}`)),
  };
}
