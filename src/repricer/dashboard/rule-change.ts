import { loadMaster } from '#catalogue/masters.ts';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { listRevisions, loadDocument } from '#platform/db/documents.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import { notFound } from '#platform/errors.ts';
import type { ArchiveDeps } from '#repricer/archive/archive-file.ts';
import { archivedPrices, type SidePrices } from '#repricer/archive/archived-prices.ts';
import { archivedUpTo } from '#repricer/archive/archives.ts';
import { berlinDay } from '#repricer/model/berlin-day.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { repricerRuleChanges } from '#shared/repricer/difference.ts';
import type { RuleChange } from '#shared/repricer/rule-change.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
type DayRange = { start: string; end: string };
export type Spans = { before: DayRange; after: DayRange };

const DAY_MS = 24 * 60 * 60_000;
/** Saves before and as many after the compared one that are searched for others within the compared days. */
const SAVES = 200;

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

type Question = { revision: number; days: number; now: Date };
type Changed = { spans: Spans | undefined; changed: readonly string[] };

/**
 * Compares the days before and after a save of a catalogue's repricing rules, however long ago. @throws 404 for an unknown save,
 * 503 if an archive of its decisions is damaged
 */
export async function ruleChange(
  deps: ArchiveDeps & { database: Database },
  ref: CatalogueRef,
  question: Question,
  signal: AbortSignal,
): Promise<RuleChange> {
  const inside = <T>(work: (trx: Trx) => Promise<T>) => deps.database.company(ref.company, work);
  const { change, spans, changed } = await inside((trx) => changeOf(trx, ref, question));
  if (spans === undefined) return change;
  const archived = await archivedPrices(deps, ref, { spans, changed }, signal);
  return { ...change, ...(await inside((trx) => pricesIn(trx, ref, { spans, changed }, archived))) };
}

/** Returns the comparison without the prices. */
async function changeOf(
  trx: Trx,
  ref: CatalogueRef,
  { revision, days, now }: Question,
): Promise<Changed & { change: RuleChange }> {
  await loadMaster(trx, ref.company, ref.masterid);
  const document = await loadDocument(trx, ref.company, 'repricer', `master:${ref.masterid}`, revision);
  const { rules: after, savedAt } = await loadRepricerRules(trx, ref, revision);
  if (savedAt === undefined) throw notFound('Diesen Stand der Repricing-Regeln');
  const { rules: before } = await loadRepricerRules(trx, ref, revision - 1);
  const spans = spansAround(savedAt, days, now);
  const changed = changedRules(before, after);
  const change = {
    revision,
    at: savedAt.toISOString(),
    author: document.author,
    changes: repricerRuleChanges(before, after),
    spans: spans ?? null,
    narrowed: changed.length > 0,
    ...nothing,
    ...(spans === undefined
      ? {}
      : {
          others: await othersIn(trx, ref, revision, spans),
          box: await boxIn(trx, ref, spans),
          messages: await messagesIn(trx, ref, spans),
        }),
  };
  return { change, spans, changed };
}

const none = { observed: 0, box: 0, decided: 0, held: 0, articles: 0, at_minimum: 0 };
const nothing = {
  others: [],
  box: { before: none, after: none },
  messages: { before: none, after: none },
  prices: [],
  minimum: { before: none, after: none },
} satisfies Partial<RuleChange>;

/** Returns the same number of whole days before and after the day of the save; undefined if there is none yet. */
export function spansAround(savedAt: Date, days: number, now: Date): Spans | undefined {
  const day = berlinDay(savedAt);
  const whole = Math.round((Date.parse(berlinDay(now)) - Date.parse(day)) / DAY_MS) - 1;
  const length = Math.min(days, whole);
  if (length < 1) return undefined;
  return {
    before: { start: addDays(day, -length), end: addDays(day, -1) },
    after: { start: addDays(day, 1), end: addDays(day, length) },
  };
}

/** Returns the ids of rules that are new, deleted or changed. */
function changedRules(before: readonly RepricerRule[], after: readonly RepricerRule[]): string[] {
  const texts = (rules: readonly RepricerRule[]) => new Map(rules.map((rule) => [rule.id, JSON.stringify(rule)]));
  const [old, fresh] = [texts(before), texts(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((id) => old.get(id) !== fresh.get(id));
}

async function othersIn(trx: Trx, { company, masterid }: CatalogueRef, revision: number, { before, after }: Spans) {
  const saves = await listRevisions(
    trx,
    { company, subject: 'repricer', scope: `master:${masterid}` },
    { before: revision + SAVES + 1, limit: 2 * SAVES + 1 },
  );
  return saves
    .filter((save) => save.revision !== revision)
    .filter(({ createdAt }) => before.start <= berlinDay(createdAt) && berlinDay(createdAt) <= after.end)
    .map((save) => ({ revision: save.revision, at: save.createdAt.toISOString() }));
}

/** Returns SQL for the side of a moment: 'before', 'after', or null on the day of the save. `moment`: a column name. */
const sideOf = (moment: 'hour' | 'decided_at', { before, after }: Spans) => pg<string>`
  case when ${pg.ref(moment)} < (${before.end}::date + 1)::timestamp at time zone 'Europe/Berlin' then 'before'
    when ${pg.ref(moment)} >= ${after.start}::date::timestamp at time zone 'Europe/Berlin' then 'after' end`;
const within = (moment: 'hour' | 'decided_at', { before, after }: Spans) => pg<boolean>`
  ${pg.ref(moment)} >= ${before.start}::date::timestamp at time zone 'Europe/Berlin'
  and ${pg.ref(moment)} < (${after.end}::date + 1)::timestamp at time zone 'Europe/Berlin'`;

async function boxIn(trx: Trx, { company, masterid: master }: CatalogueRef, spans: Spans): Promise<RuleChange['box']> {
  const rows = await trx
    .selectFrom('rank_history')
    .select(sideOf('hour', spans).as('side'))
    .select(({ fn }) => [
      fn.sum<number | null>('observed').as('observed'),
      fn.sum<number | null>('observed_box').as('box'),
    ])
    .where((eb) => eb.and({ company, master }))
    .where(within('hour', spans))
    .groupBy('side')
    .execute();
  const at = (side: string) => {
    const row = rows.find((one) => one.side === side);
    return { observed: Number(row?.observed ?? 0), box: Number(row?.box ?? 0) };
  };
  return { before: at('before'), after: at('after') };
}

async function messagesIn(
  trx: Trx,
  { company, masterid: master }: CatalogueRef,
  { before, after }: Spans,
): Promise<RuleChange['messages']> {
  const rows = await trx
    .selectFrom('repricer_counters')
    .select((eb) => ['day', 'kind', eb.cast<number>(eb.fn.sum('n'), 'bigint').as('n')])
    .where((eb) => eb.and({ company, master }))
    .where((eb) => eb.between('day', before.start, after.end))
    .groupBy(['day', 'kind'])
    .execute();
  const sum = ({ start, end }: DayRange, counts: (kind: string) => boolean) =>
    rows
      .filter(({ day, kind }) => start <= day && day <= end && counts(kind))
      .reduce((total, { n }) => total + Number(n), 0);
  // Reasons of decisions are in capitals; see `messagesOf`.
  const isReason = (kind: string) => !kind.includes(':') && kind !== kind.toLowerCase();
  const isHeld = (kind: string) => kind.startsWith('held:');
  const at = (range: DayRange) => ({ decided: sum(range, isReason), held: sum(range, isHeld) });
  return { before: at(before), after: at(after) };
}

type PriceRow = {
  currency: string;
  articles: number;
  before_cents: number | null;
  after_cents: number | null;
  before_known: number;
  before_minimum: number;
  after_known: number;
  after_minimum: number;
};

/** Compares the articles that the changed rules decided on either side; all articles if no rule itself changed. */
async function pricesIn(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  { spans, changed }: { spans: Spans; changed: readonly string[] },
  archived: readonly SidePrices[],
): Promise<Pick<RuleChange, 'prices' | 'minimum'>> {
  const chosen = changed.length === 0 ? pg`true` : pg`coalesce(bool_or(rule = ${anyOf([...changed])}), false)`;
  // Raw SQL: the builder cannot take the first element of an ordered array.
  const { rows } = await pg<PriceRow>`
    with sided as (
      select marketplace, item, id, rule, price_cents, min_cents, ${sideOf('decided_at', spans)} as side
      from price_decisions where company = ${company} and master = ${masterid} and ${within('decided_at', spans)}
        and id > (${archivedUpTo(trx, company)})),
    sides as (
      select marketplace, item, side, count(price_cents) as n, sum(price_cents) as total, ${chosen} as chosen,
        max(id) filter (where price_cents is not null) as last,
        (array_agg(price_cents <= min_cents order by id desc) filter (where price_cents is not null))[1] as low
      from sided where side is not null group by marketplace, item, side
      union all select * from json_to_recordset(${JSON.stringify(archived)}::json)
        as a(marketplace text, item text, side text, n bigint, total numeric, chosen boolean, last bigint, low boolean)),
    articles as (
      select marketplace, item,
        sum(total) filter (where side = 'before') / nullif(sum(n) filter (where side = 'before'), 0) as before_cents,
        sum(total) filter (where side = 'after') / nullif(sum(n) filter (where side = 'after'), 0) as after_cents,
        (array_agg(low order by last desc) filter (where side = 'before' and last is not null))[1] as before_low,
        (array_agg(low order by last desc) filter (where side = 'after' and last is not null))[1] as after_low
      from sides group by marketplace, item having bool_or(chosen))
    select coalesce(l.currency, 'EUR') as currency,
      (count(*) filter (where before_cents is not null and after_cents is not null))::int as articles,
      round(avg(before_cents) filter (where after_cents is not null))::bigint as before_cents,
      round(avg(after_cents) filter (where before_cents is not null))::bigint as after_cents,
      count(before_low)::int as before_known, (count(*) filter (where before_low))::int as before_minimum,
      count(after_low)::int as after_known, (count(*) filter (where after_low))::int as after_minimum
    from articles a left join listings l
      on l.company = ${company} and l.master = ${masterid} and l.marketplace = a.marketplace and l.item = a.item
    group by 1 order by 2 desc, 1`.execute(trx);
  const sum = (of: (row: PriceRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    prices: rows
      .filter(({ articles }) => articles > 0)
      .map(({ currency, articles, before_cents, after_cents }) => ({
        currency,
        articles,
        before_cents: Number(before_cents),
        after_cents: Number(after_cents),
      })),
    minimum: {
      before: { articles: sum((row) => row.before_known), at_minimum: sum((row) => row.before_minimum) },
      after: { articles: sum((row) => row.after_known), at_minimum: sum((row) => row.after_minimum) },
    },
  };
}
