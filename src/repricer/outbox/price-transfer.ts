import { z } from 'zod';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { itemTitles } from '#catalogue/titles/item-titles.ts';
import type { TransferSelection, TransferSource } from '#catalogue/transfer-results.ts';
import type { Account } from '#marketplaces/accounts/accounts.ts';
import type { Connectors } from '#marketplaces/connectors.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import {
  MAX_REASONS,
  transferStateNames,
  transferStates,
  type TransferReason,
  type TransferRow,
  type TransferView,
} from '#shared/transfer/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { disableSeqScans } from '#repricer/model/disable-seq-scans.ts';
import { submissionStates, type SubmissionState } from './submission.ts';

type TransferDeps = {
  database: Database;
  duckdb: DuckDb;
  storagePaths: StoragePaths;
  connectors: Pick<Connectors, 'marketplaceName'>;
};

/**
 * TRA for a marketplace account: its answers to the latest price of each article. Nothing is stored for it: they are in the
 * outbox. A price that waits or was held was never sent and does not count; one refused before it was sent does.
 */
export async function priceTransfer(deps: TransferDeps, account: Account): Promise<TransferSource> {
  const inCompany = <T>(work: (trx: Trx) => Promise<T>) => deps.database.company(account.company, work);
  const { counts, at } = await inCompany((trx) => countAnswers(trx, account));
  return {
    sum: {
      SEND: counts.list,
      ACCEPTED: counts.ready,
      INVALID: counts.failure,
      source: counts.list === 0 ? 'none' : 'channel',
      at: at?.toISOString() ?? null,
      channel: deps.connectors.marketplaceName(account.marketplace),
    },
    totals: counts,
    isStored: true,
    nothing: 'Über dieses Konto wurde noch kein Preis gesendet.',
    page: async (request) => {
      const answers = await inCompany((trx) => listAnswers(trx, account, request));
      const titles = await titlesOf(deps, account, answers);
      return answers.map((answer) => rowOf(answer, titles.get(answer.item) ?? null));
    },
    count: (selection) => inCompany((trx) => countSelected(trx, account, selection)),
    reasons: () => inCompany((trx) => listReasons(trx, account)),
    csv: (selection) => ({ rows: allAnswers(deps, account, selection) }),
  };
}

const stateWords = pg`case when s.state in ('accepted', 'live') then 'accepted' when s.state = 'invalid' then 'invalid' else 'sent' end`;
const moment = pg`coalesce(s.ended_at, s.accepted_at, s.sent_at, s.created_at)`;

/** SQL of the latest price of each own offer of the account that was sent or refused. */
const newest = ({
  company,
  masterid,
  id,
}: Account) => pg`from listings l cross join lateral (select * from price_submissions s
      where s.item = l.item and s.company = l.company and s.master = l.master and s.marketplace = l.marketplace and s.account = l.account
        and (s.sent_at is not null or s.state = 'invalid') order by s.created_at desc limit 1) s
    where l.company = ${company} and l.master = ${masterid} and l.account = ${id}`;

async function countAnswers(trx: Trx, account: Account) {
  await disableSeqScans(trx);
  type Row = Record<TransferView, number> & { at: Date | null };
  // Raw SQL: the state words, the time and the lateral join are shared with the page of answers.
  const { rows } = await pg<Row>`select count(*) as list, count(*) filter (where ${stateWords} = 'accepted') as ready,
      count(*) filter (where ${stateWords} = 'invalid') as failure, max(${moment}) as at ${newest(account)}`.execute(
    trx,
  );
  const { at, ...counts } = rows[0] ?? { list: 0, ready: 0, failure: 0, at: null };
  return { counts, at };
}

/** The marketplace's objection to a price. */
const Refusal = z.object({
  message: z.string().nullable(),
  issues: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(z.object({ code: z.string(), message: z.string() }))),
});

const Answer = Refusal.extend({
  item: z.string(),
  state: z.enum(transferStateNames),
  sent: z.enum(submissionStates),
  price_cents: z.number(),
  currency: z.string(),
  at: z.date(),
});
type Answer = z.infer<typeof Answer>;

const stateOf = { list: null, ready: 'accepted', failure: 'invalid' } as const satisfies Record<
  TransferView,
  string | null
>;

/** Two refusals have the same key if the marketplace's texts are equal. */
const reasonKey = pg`md5(coalesce(s.message, '') || chr(31) || s.issues)`;

function isSelected({ view, search, reason }: TransferSelection) {
  const state = stateOf[view];
  return pg`(${state}::text is null or ${stateWords} = ${state}::text) and strpos(lower(l.item), lower(${search})) > 0
    and (${reason} = '' or (s.state = 'invalid' and ${reasonKey} = ${reason}))`;
}

async function countSelected(trx: Trx, account: Account, selection: TransferSelection): Promise<number> {
  await disableSeqScans(trx);
  const { rows } = await pg`select count(*) as n ${newest(account)} and ${isSelected(selection)}`.execute(trx);
  return z.array(z.object({ n: z.number() })).parse(rows)[0]?.n ?? 0;
}

const Reason = Refusal.extend({ key: z.string(), items: z.number() });

async function listReasons(trx: Trx, account: Account): Promise<TransferReason[]> {
  await disableSeqScans(trx);
  const { rows } = await pg`select ${reasonKey} as key, s.message, s.issues, count(*) as items
    ${newest(account)} and s.state = 'invalid' group by s.message, s.issues order by items desc, key limit ${MAX_REASONS}`.execute(
    trx,
  );
  return z
    .array(Reason)
    .parse(rows)
    .map(({ key, items, ...refusal }) => ({
      key,
      field: '',
      sentence: whyOf(refusal) || 'Der Marktplatz nennt keinen Grund.',
      items,
    }));
}

/** Returns a page of answers by item number; those after `after` if given (for iterating over all). */
async function listAnswers(
  trx: Trx,
  account: Account,
  {
    offset = 0,
    after = '',
    limit,
    ...selection
  }: TransferSelection & { offset?: number; after?: string; limit: number },
): Promise<Answer[]> {
  await disableSeqScans(trx);
  const { rows } =
    await pg`select l.item, ${stateWords} as state, s.state as sent, s.price_cents, s.currency, s.message, s.issues,
      ${moment} as at ${newest(account)} and l.item > ${after} and ${isSelected(selection)}
    order by l.item limit ${limit} offset ${offset}`.execute(trx);
  return z.array(Answer).parse(rows);
}

const titlesOf = (deps: TransferDeps, { company, masterid }: Account, answers: readonly Answer[]) =>
  itemTitles(
    deps,
    { company, masterid },
    answers.map(({ item }) => item),
  );

const sentences: Readonly<Record<SubmissionState, string>> = {
  new: 'wird noch einmal gesendet.',
  sending: 'wird gerade gesendet.',
  accepted: 'angenommen, aber noch nicht angezeigt.',
  live: 'gilt.',
  invalid: 'abgelehnt.',
  unknown: 'ungeklärt, es kam keine Antwort; es wird nachgesehen.',
  held: 'durch einen neueren ersetzt, bevor er galt.',
};

/** Returns the price and its result; a refusal in the marketplace's words. */
function wordsOf({ price_cents, currency, sent, state, ...refusal }: Answer): string {
  const reasonText = whyOf(refusal);
  return `${moneyText(price_cents, currency)}: ${state === 'invalid' && reasonText !== '' ? reasonText : sentences[sent]}`;
}

function whyOf({ message, issues }: z.infer<typeof Refusal>): string {
  const codes = issues.map(({ code }) => code).filter((code) => code !== '' && code !== 'REFUSED');
  return [message ?? '', codes.length === 0 ? '' : `(${codes.join(', ')})`].filter((text) => text !== '').join(' ');
}

function rowOf(answer: Answer, title: string | null): TransferRow {
  const { item, state, sent, at } = answer;
  const sentence = wordsOf(answer);
  const row = { _id: item, title, state, message: sentence, at: at.toISOString() };
  if (state !== 'invalid' && sent !== 'unknown') return { ...row, problems: [] };
  const todo =
    state === 'invalid'
      ? 'Sehen Sie nach, woraus der Preis entstand. Nach dem Beheben wird er mit der nächsten Entscheidung erneut gesendet.'
      : 'Kontor liest den Preis beim Marktplatz nach, bevor es noch einmal sendet.';
  const severity = state === 'invalid' ? ('error' as const) : ('warning' as const);
  return {
    ...row,
    problems: [{ key: item, severity, field: '', sentence, todo, fix: { kind: 'price', itemid: item } }],
  };
}

const chunk = 1000;

async function* allAnswers(
  deps: TransferDeps,
  account: Account,
  selection: TransferSelection,
): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const answers = await deps.database.company(account.company, (trx) =>
      listAnswers(trx, account, { ...selection, after, limit: chunk }),
    );
    const titles = await titlesOf(deps, account, answers);
    for (const answer of answers)
      yield [answer.item, titles.get(answer.item) ?? '', transferStates[answer.state].label, wordsOf(answer)];
    after = answers.at(-1)?.item ?? '';
    if (answers.length < chunk) return;
  }
}
