import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';

/** Tables with rows of a company. Accounts of people, companies and memberships have no such column. */
type CompanyTable = { [Name in keyof Tables]: Tables[Name] extends { company: unknown } ? Name : never }[keyof Tables];
/** Who may call the program is no data of the catalogue, nor is what was done with it: it stays when examples go. */
type RetainedTable =
  | 'api_tokens'
  | 'company_deletions'
  | 'deletion_records'
  | 'security_anchors'
  | 'security_checkpoints'
  | 'security_events'
  | 'security_log_heads';
/**
 * What the export of a company's data does with a table. 'opened': what is sealed is written as it reads. 'left out': secrets, what only
 * the program itself needs and what it can compute again.
 */
type InExport = 'exported' | 'opened' | 'left out';

/**
 * Every table whose rows go with a company's data; a new one without a line here is a type error. Decisions go before the jobs, by
 * which the database knows that they are examples.
 */
const tables: Record<Exclude<CompanyTable, RetainedTable>, InExport> = {
  price_decisions: 'exported',
  decision_archives: 'exported',
  decision_anchors: 'left out',
  decision_seals: 'left out',
  article_offers: 'left out',
  cancellations: 'exported',
  decision_audits: 'left out',
  decision_samples: 'left out',
  deliveries: 'exported',
  documents: 'exported',
  export_files: 'exported',
  exports: 'exported',
  image_checks: 'left out',
  import_pieces: 'left out',
  import_uploads: 'left out',
  item_alarms: 'exported',
  item_sales: 'exported',
  listings: 'exported',
  mail_settings: 'exported',
  marketplace_accounts: 'exported',
  masters: 'exported',
  notes: 'exported',
  noticed_catalogues: 'left out',
  notifications: 'exported',
  offer_messages: 'left out',
  old_feed_addresses: 'left out',
  offer_minutes: 'exported',
  order_actions: 'exported',
  order_days: 'exported',
  order_events: 'exported',
  order_hints: 'left out',
  order_lines: 'exported',
  order_persons: 'opened',
  order_polls: 'left out',
  orders: 'exported',
  own_exchange_rates: 'exported',
  person_readings: 'exported',
  price_breakers: 'exported',
  price_previews: 'left out',
  price_restores: 'exported',
  price_stops: 'exported',
  price_submissions: 'exported',
  rank_history: 'exported',
  refunds: 'exported',
  request_keys: 'left out',
  reprice_queue: 'left out',
  repricer_counters: 'exported',
  repricer_simulations: 'left out',
  repricer_states: 'exported',
  returns: 'exported',
  saved_view_defaults: 'exported',
  saved_views: 'exported',
  schedules: 'exported',
  secrets: 'left out',
  shipment_lines: 'exported',
  shipments: 'exported',
  snapshots: 'exported',
  stock_dirty: 'left out',
  stock_files: 'exported',
  stored_files: 'left out',
  stock_items: 'exported',
  stock_feeds: 'exported',
  stock_offers: 'exported',
  stock_states: 'left out',
  transfer_results: 'exported',
  webhooks: 'exported',
  jobs: 'exported',
};
/** What goes only with the company itself. Checkpoints go last: the database lets nobody remove an event otherwise. */
const keptTables: Record<RetainedTable, InExport> = {
  api_tokens: 'left out',
  company_deletions: 'left out',
  deletion_records: 'exported',
  security_anchors: 'left out',
  security_events: 'exported',
  security_log_heads: 'left out',
  security_checkpoints: 'left out',
};
export const dataTables: readonly string[] = Object.keys(tables);

/** Every table of a company with what its export does with it. */
export const exportedTables: readonly (readonly [table: string, how: InExport])[] = Object.entries({
  ...tables,
  ...keptTables,
});

/** Every table whose rows go with the company itself. What is written of the deletion stays. */
export const companyTables: readonly string[] = [
  ...dataTables,
  ...Object.keys(keptTables).filter((name) => name !== 'deletion_records' && name !== 'company_deletions'),
];

/** Deletes every row of a company but its members and API tokens. Decisions about prices refuse it, unless they are examples. */
export async function deleteRows(trx: Trx, company: string): Promise<void> {
  // What lies in the trash goes as well.
  await pg`select set_config('kontor.examples_go', ${company}, true), set_config('kontor.trash', 'shown', true)`.execute(
    trx,
  );
  for (const table of dataTables) await pg`delete from ${pg.table(table)} where company = ${company}`.execute(trx);
}
