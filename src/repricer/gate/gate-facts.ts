import { anyOf, pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { GateInput } from './gate.ts';

export type PriceFacts = Pick<GateInput, 'before' | 'dayAgo' | 'sends' | 'inFlight'>;
export const noFacts: PriceFacts = { before: null, dayAgo: null, sends: [], inFlight: false };

type Sent = Row<
  'price_submissions',
  'id' | 'item' | 'from_cents' | 'price_cents' | 'min_cents' | 'max_cents' | 'sent_at' | 'created_at' | 'state'
>;

const columns = pg`s.id, s.item, s.from_cents, s.price_cents, s.min_cents, s.max_cents, s.sent_at, s.created_at, s.state`;

/** Returns what was sent for these items lately, in the form the gate needs. */
export async function priceFacts(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  { marketplace, items, now }: { marketplace: string; items: readonly string[]; now: Date },
): Promise<Map<string, PriceFacts>> {
  const since = new Date(now.getTime() - 24 * 60 * 60_000).toISOString();
  // A submission made earlier has long been sent, replaced or given up.
  const madeSince = new Date(now.getTime() - 8 * 24 * 60 * 60_000).toISOString();
  const ofItem = pg`from price_submissions s where s.item = wanted.item and s.company = ${company} and s.master = ${masterid}
    and s.marketplace = ${marketplace}`;
  // Raw SQL: three queries in a lateral union per element of an array, each using its index.
  const { rows: submissions } =
    await pg<Sent>`select s.* from unnest(${items}::text[]) wanted(item) cross join lateral (
      (select ${columns} ${ofItem} and s.created_at > ${madeSince}::timestamptz and s.sent_at > ${since}::timestamptz)
      union all (select ${columns} ${ofItem} and s.state in ('sending', 'accepted', 'unknown'))
      union all (select ${columns} ${ofItem} and s.sent_at is not null order by s.created_at desc limit 1)) s`.execute(
      trx,
    );
  const rows = [...new Map(submissions.map((row) => [row.id, row])).values()].sort(
    (one, other) => one.created_at.getTime() - other.created_at.getTime(),
  );
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
      // If the price that the first one replaced is unknown, the first one counts as the price of 24 hours ago.
      dayAgo: sent[0]?.from ?? sent[0]?.to ?? null,
      sends: sent,
      inFlight: list.some(({ state }) => state === 'sending' || state === 'accepted' || state === 'unknown'),
    });
  }
  return facts;
}

/**
 * Returns the items for which a price was sent that `facts` lack: the gate's verdict is outdated for them. Read after the lock on
 * the waiting rows, which the sender takes too.
 */
export async function sentMeanwhile(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  { marketplace, items, now }: { marketplace: string; items: readonly string[]; now: Date },
  facts: ReadonlyMap<string, PriceFacts>,
): Promise<Set<string>> {
  const since = new Date(now.getTime() - 60 * 60_000);
  const rows = await trx
    .selectFrom('price_submissions')
    .select((eb) => ['item', eb.fn.max<Date>('sent_at').as('sent_at')])
    .where((eb) => eb.and({ company, master: masterid, marketplace }))
    .where('item', '=', anyOf(items))
    .where('sent_at', '>', since)
    .groupBy('item')
    .execute();
  const known = ({ item, sent_at }: { item: string; sent_at: Date }) =>
    facts.get(item)?.sends.some(({ at }) => at >= sent_at.getTime()) === true;
  return new Set(rows.filter((row) => !known(row)).map(({ item }) => item));
}

/**
 * Returns how far the present revision of the rules has come: the first items are sent alone, the others wait until these have
 * proved it.
 */
export async function canaryFacts(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  since: Date | undefined,
): Promise<{ since: number; total: number; sent: Set<string> } | undefined> {
  if (since === undefined) return undefined;
  const { total } = await trx
    .selectFrom('listings')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where((eb) => eb.and({ company, master: masterid }))
    .executeTakeFirstOrThrow();
  const rows = await trx
    .selectFrom('price_submissions')
    .select(['marketplace', 'item'])
    .distinct()
    .where((eb) => eb.and({ company, master: masterid }))
    .where('created_at', '>=', since)
    .where('state', '<>', 'held')
    .limit(10_000)
    .execute();
  return {
    since: since.getTime(),
    total,
    sent: new Set(rows.map(({ marketplace, item }) => `${marketplace}\n${item}`)),
  };
}
