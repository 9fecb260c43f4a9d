import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';

/** Tables with rows of a company. Users, companies and memberships have no such column. */
type CompanyTable = { [Name in keyof Tables]: Tables[Name] extends { company: unknown } ? Name : never }[keyof Tables];
/** Tables that stay when the examples are removed: access to the program and the security log are no catalogue data. */
type RetainedTable =
  | 'api_tokens'
  | 'company_deletions'
  | 'deletion_records'
  | 'security_anchors'
  | 'security_checkpoints'
  | 'security_events'
  | 'security_log_heads';
/**
 * What the export of a company's data does with a table. 'opened': encrypted values are written in plain text. 'left out':
 * secrets, and data that only the program needs or can compute again.
 */
type InExport = 'exported' | 'opened' | 'left out';

/**
 * Every table whose rows belong to a company's data; a new table without a line here is a type error. Decisions are deleted
 * before the jobs, by which the database recognises them as examples.
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
/** Tables that are deleted only with the company itself. Checkpoints come last: before, the database refuses to delete events. */
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

/** Every table of a company, and what its export does with it. */
export const exportedTables: readonly (readonly [table: string, how: InExport])[] = Object.entries({
  ...tables,
  ...keptTables,
});

/** Every table whose rows are deleted with the company itself. The records of the deletion stay. */
export const companyTables: readonly string[] = [
  ...dataTables,
  ...Object.keys(keptTables).filter((name) => name !== 'deletion_records' && name !== 'company_deletions'),
];

/** Deletes every row of a company except its members and API tokens. Price decisions prevent it, unless they are examples. */
export async function deleteRows(trx: Trx, company: string): Promise<void> {
  // Includes the entries of the trash.
  await pg`select set_config('kontor.examples_go', ${company}, true), set_config('kontor.trash', 'shown', true)`.execute(
    trx,
  );
  for (const table of dataTables) await pg`delete from ${pg.table(table)} where company = ${company}`.execute(trx);
}
