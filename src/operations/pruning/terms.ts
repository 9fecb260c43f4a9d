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

const ofOrders = 'one per sale: merchants search orders of past years; personal data has its own term';
const ofItems = 'at most one row for each article, updated in place';
const ofSettings = 'created by users only';
const ofAccounts = 'one for each user, deleted with the user';

/**
 * Every table of the database with its term; a new table without a line here is a type error. The nightly maintenance takes its
 * terms from here, and docs/operations.md describes them.
 */
export const terms = {
  // After its expiry, so that the list still explains why a program was refused.
  api_tokens: { days: 30 },
  article_offers: { stays: 'one row for each product and marketplace, updated in place' },
  cancellations: { stays: ofOrders },
  company_deletions: { ends: 'when the company is deleted or its deletion is cancelled (company-data/deletion.ts)' },
  decision_anchors: { stays: 'one row for each change of the secret: earlier seals are verified with it' },
  decision_archives: { stays: 'one row for each file of 20,000 to 100,000 decisions; the files are kept' },
  decision_audits: { stays: 'one row for each company, updated in place' },
  decision_samples: { stays: 'a fixed number of slots, overwritten in turn' },
  decision_seals: { stays: 'at most one a minute, and only while prices are decided: the hash chain needs each' },
  deletion_records: { stays: 'one row for each deletion that users requested, as proof' },
  deliveries: { days: 90 },
  documents: { days: 365 },
  exchange_rates: {
    stays: 'about thirty rows a bank day for the whole installation: old orders are converted with them',
  },
  export_files: { days: 365 },
  exports: { ends: 'after 30 days in the trash (trash/purge.ts)' },
  // Checked again after a week at the latest while a catalogue contains it: a picture that was not checked is in no catalogue.
  image_checks: { days: 90 },
  import_pieces: { ends: 'with its upload' },
  // After the last piece. An upload whose import is waiting or running stays until the import ends.
  import_uploads: { days: 1 },
  installation_facts: { stays: 'one row for each of a few names' },
  installation_keys: { stays: 'one row for each change of the secret: earlier seals are verified with it' },
  invitations: { ends: 'when they are accepted or withdrawn, or 30 days after they expire (pruneSignIns in prune.ts)' },
  item_alarms: { stays: 'each held an article until a user released it with a reason: kept as proof' },
  item_sales: { ends: 'after the number of days that alarms evaluate (repricer/sales)' },
  jobs: { days: { runs: 90, others: 14 } },
  leases: { stays: 'one row for each of a few names' },
  listings: { ends: 'with the account, or when the offer no longer exists' },
  mail_settings: { stays: 'one row for each company' },
  marketplace_accounts: { stays: ofSettings },
  masters: { ends: 'after 30 days in the trash (trash/purge.ts)' },
  member: { stays: ofAccounts },
  migrations: { stays: 'one row for each migration' },
  notes: { stays: ofSettings },
  noticed_catalogues: { stays: 'one row for each catalogue' },
  notifications: { days: { read: 180, unread: 730 } },
  offer_messages: { ends: 'after the days in which a message may be delivered twice (repricer/intake/offers.ts)' },
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
  order_persons: { ends: 'each at its own term (orders/persons)' },
  order_polls: { stays: 'one row for each account' },
  orders: { stays: ofOrders },
  organization: { stays: 'one row for each company' },
  own_exchange_rates: { stays: 'one row for each currency' },
  passkeys: { stays: ofAccounts },
  password_resets: { ends: 'when it is used, replaced or expired' },
  person_readings: { ends: 'after 366 days (orders/persons/erase-persons.ts)' },
  price_breakers: { stays: 'each held a catalogue until a user released it with a reason: kept as proof' },
  price_decisions: { ends: 'into archives after KONTOR_DECISIONS_DAYS (repricer/archive)' },
  price_previews: { stays: 'one row for each account and rule, updated in place' },
  price_restores: { stays: 'one row for each time a user restored prices' },
  price_stops: { ends: 'when the stop is ended' },
  // Only after the archive of its decision contains the outcome. Kept as long as users can return to good prices.
  price_submissions: { days: GOOD_PRICE_DAYS, by: 'repricer/archive/delete-submissions.ts' },
  processes: { ends: 'when a process has not reported for long (platform/processes)' },
  // Three years, so that each season can be compared with the one before.
  rank_history: { days: 1096 },
  recovery_codes: { stays: ofAccounts },
  refunds: { stays: ofOrders },
  reprice_queue: { ends: 'when the price is decided; at most one row for each offer' },
  // As long as the ranks shown next to them on the dashboard.
  repricer_counters: { days: 1096 },
  repricer_simulations: { stays: 'one row for each rule, updated in place' },
  repricer_states: { stays: 'one row for each catalogue' },
  request_keys: { days: 1 },
  returns: { stays: ofOrders },
  saved_view_defaults: { ends: 'with its view, its user or its API token, by the rule of prune.ts' },
  saved_views: {
    ends: 'with its user or, by the rule of prune.ts, its API token; shared ones when a user deletes them',
  },
  schedules: { stays: 'one row for each catalogue and export' },
  secrets: { stays: 'one row for each place that has one' },
  security_anchors: { stays: 'one row for each change of the secret: earlier seals are verified with it' },
  security_checkpoints: { stays: 'at most one a night: 365 rows a year' },
  security_events: { ends: 'after 13 months, while the hash chain is valid (auth/security-log.ts)' },
  security_log_heads: { stays: 'one row for each company' },
  sessions: { ends: 'when it expires or its user signs out (auth/sessions.ts)' },
  shared_counts: { ends: 'when the minute has passed' },
  shipment_lines: { stays: ofOrders },
  shipments: { stays: ofOrders },
  sign_in_tickets: { ends: 'when it is used or expired' },
  sign_in_tries: { ends: 'when they expire (pruneSignIns in prune.ts)' },
  snapshots: { days: 365 },
  stock_dirty: { ends: 'when the stock is computed' },
  stock_feeds: { ends: "when the feed's result is read; one row for each channel" },
  stock_files: { stays: 'one row for each export, updated in place' },
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
