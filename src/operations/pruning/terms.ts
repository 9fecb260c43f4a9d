import type { Tables } from '#platform/db/tables.ts';
import { ORDER_DAYS_KEPT } from '#shared/orders/statistic.ts';
import { GOOD_PRICE_DAYS } from '#shared/repricer/state.ts';

/**
 * How a table is kept from growing without end. `days`: rows older than that are deleted at night, by the rule in prune.ts, or by
 * the file `by`. `ends`: what else deletes its rows, and when. `stays`: rows that are never deleted: why they are few, or why
 * they are needed.
 */
type Term =
  | { readonly days: number | Readonly<Record<string, number>>; readonly by?: string }
  | { readonly ends: string }
  | { readonly stays: string };

const ofOrders = 'as many as were sold: a merchant wants to find an order of years ago; persons go by their own term';
const ofItems = 'a row for each article at most, written anew';
const ofSettings = 'as many as people made';
const ofAccounts = 'as many as there are people; goes with them';

/**
 * Every table of the database with its term; a new table without a line here is a type error. The nightly maintenance takes its
 * terms from here, and docs/operations.md describes them.
 */
export const terms = {
  // After its expiry, so that the list still explains why a program was refused.
  api_tokens: { days: 30 },
  article_offers: { stays: 'a row for each product and marketplace, written anew' },
  cancellations: { stays: ofOrders },
  company_deletions: { ends: 'when the company is deleted or the deletion called off (company-data/deletion.ts)' },
  decision_anchors: { stays: 'a row for each change of the secret: what was sealed before is verified by it' },
  decision_archives: { stays: 'a row for each file of 20,000 to 100,000 decisions; the files are kept' },
  decision_audits: { stays: 'one row for each company, written anew' },
  decision_samples: { stays: 'a ring of slots, written anew' },
  decision_seals: { stays: 'one a minute at most, and only while prices are decided: the chain is verified by each' },
  deletion_records: { stays: 'a row for each deletion that people asked for: the proof of it' },
  deliveries: { days: 90 },
  documents: { days: 365 },
  exchange_rates: { stays: 'some thirty rows a bank day for the whole installation: old orders are converted by them' },
  export_files: { days: 365 },
  exports: { ends: 'with what lies in the trash, after 30 days (trash/purge.ts)' },
  // Checked again after a week at the latest while a catalogue contains it: a picture that was not checked is in no catalogue.
  image_checks: { days: 90 },
  import_pieces: { ends: 'with its upload' },
  // After the last piece. An upload whose import is waiting or running stays until the import ends.
  import_uploads: { days: 1 },
  installation_facts: { stays: 'a row for each of a few names' },
  installation_keys: { stays: 'a row for each change of the secret: what was sealed before is verified by it' },
  invitations: { ends: 'when they are taken or withdrawn, or 30 days after their end (pruneSignIns in prune.ts)' },
  item_alarms: { stays: 'each held an article until a person said why it may go on: the proof of that' },
  item_sales: { ends: 'after the days that alarms look back (repricer/sales)' },
  jobs: { days: { runs: 90, others: 14 } },
  leases: { stays: 'a row for each of a few names' },
  listings: { ends: 'with the account, or when the offer is gone' },
  mail_settings: { stays: 'one row for each company' },
  marketplace_accounts: { stays: ofSettings },
  masters: { ends: 'with what lies in the trash, after 30 days (trash/purge.ts)' },
  member: { stays: ofAccounts },
  migrations: { stays: 'a row for each change of the tables' },
  notes: { stays: ofSettings },
  noticed_catalogues: { stays: 'one row for each catalogue' },
  notifications: { days: { read: 180, unread: 730 } },
  offer_messages: { ends: 'after the days in which a message may come twice (repricer/intake/offers.ts)' },
  offer_minutes: { ends: 'after KONTOR_OFFER_MINUTES_DAYS (repricer/intake/delete-offer-minutes.ts)' },
  old_feed_addresses: { ends: 'when they no longer answer, by the rule of prune.ts' },
  order_actions: { stays: ofOrders },
  // Ten years, the legal retention period of accounts, so that the statistic covers the same years.
  order_days: { days: ORDER_DAYS_KEPT },
  // Claims from a sale expire three years after the end of its year (§§ 195, 199 BGB): after four years the history is not
  // needed.
  order_events: { days: 1461 },
  order_hints: { ends: 'when the order is fetched' },
  order_lines: { stays: ofOrders },
  order_persons: { ends: 'by the term of each (orders/persons)' },
  order_polls: { stays: 'one row for each account' },
  orders: { stays: ofOrders },
  organization: { stays: 'one row for each company' },
  own_exchange_rates: { stays: 'one row for each currency' },
  passkeys: { stays: ofAccounts },
  password_resets: { ends: 'when it is used, replaced, or over' },
  person_readings: { ends: 'after 366 days (orders/persons/erase-persons.ts)' },
  price_breakers: { stays: 'each held a catalogue until a person said why it may go on: the proof of that' },
  price_decisions: { ends: 'into archives after KONTOR_DECISIONS_DAYS (repricer/archive)' },
  price_previews: { stays: 'a row for each account and rule, written anew' },
  price_restores: { stays: 'a row for each time that a person put prices back' },
  price_stops: { ends: 'when prices may go again' },
  // Only after the archive of its decision contains the outcome. Kept as long as users can return to good prices.
  price_submissions: { days: GOOD_PRICE_DAYS, by: 'repricer/archive/delete-submissions.ts' },
  processes: { ends: 'when a process has been silent for long (platform/processes)' },
  // Three years, so that each season can be compared with the one before.
  rank_history: { days: 1096 },
  recovery_codes: { stays: ofAccounts },
  refunds: { stays: ofOrders },
  reprice_queue: { ends: 'when the price is decided; a row for each offer at most' },
  // As long as the ranks shown next to them on the dashboard.
  repricer_counters: { days: 1096 },
  repricer_simulations: { stays: 'one row for each rule, written anew' },
  repricer_states: { stays: 'one row for each catalogue' },
  request_keys: { days: 1 },
  returns: { stays: ofOrders },
  saved_view_defaults: { ends: 'with its view, its person or its API token, by the rule of prune.ts' },
  saved_views: {
    ends: 'with its person or, by the rule of prune.ts, its API token; shared ones when somebody deletes them',
  },
  schedules: { stays: 'one row for each catalogue and export' },
  secrets: { stays: 'a row for each place that has one' },
  security_anchors: { stays: 'a row for each change of the secret: what was sealed before is verified by it' },
  security_checkpoints: { stays: 'one a night at most: 365 rows a year' },
  security_events: { ends: 'after 13 months, while the chain is whole (auth/security-log.ts)' },
  security_log_heads: { stays: 'one row for each company' },
  sessions: { ends: 'when it is over or its person signs out (auth/sessions.ts)' },
  shared_counts: { ends: 'when the minute is over' },
  shipment_lines: { stays: ofOrders },
  shipments: { stays: ofOrders },
  sign_in_tickets: { ends: 'when it is used or over' },
  sign_in_tries: { ends: 'when they are over (pruneSignIns in prune.ts)' },
  snapshots: { days: 365 },
  stock_dirty: { ends: 'when the stock is computed' },
  stock_feeds: { ends: 'when the feed is answered; one row for each channel' },
  stock_files: { stays: 'one row for each export, written anew' },
  stock_items: { stays: ofItems },
  stock_offers: { stays: ofItems },
  stock_states: { stays: 'one row for each catalogue' },
  stored_files: { ends: 'with the file' },
  token_buckets: { ends: 'a week after the last call (pruneSignIns in prune.ts)' },
  totp_factors: { stays: ofAccounts },
  // Written again while the channel reports on the item: one of that age left the export, or the channel forgot it.
  transfer_results: { days: 730 },
  unknown_sign_ins: { ends: 'after 13 months (pruneSignIns in prune.ts)' },
  user: { stays: ofAccounts },
  webhooks: { stays: ofSettings },
} as const satisfies Record<keyof Tables, Term>;

type WithDays = {
  [Name in keyof typeof terms]: (typeof terms)[Name] extends { days: unknown } ? Name : never;
}[keyof typeof terms];
type ElsewherePruned = {
  [Name in keyof typeof terms]: (typeof terms)[Name] extends { by: string } ? Name : never;
}[keyof typeof terms];
/** Tables whose term a rule in prune.ts implements. */
export type PrunedTable = Exclude<WithDays, ElsewherePruned>;
