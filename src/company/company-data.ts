import { rm } from 'node:fs/promises';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';

/** Tables with rows of a company. Accounts of people, companies and memberships have no such column. */
type CompanyTable = { [Name in keyof Tables]: Tables[Name] extends { company: unknown } ? Name : never }[keyof Tables];
/** Who may call the program is no data of the catalogue, nor is what was done with it. */
type Kept = 'api_tokens' | 'security_events' | 'security_log_heads' | 'security_checkpoints';

/**
 * Every table whose rows go with a company's data; a new one without a line here is a type error. Decisions go before the jobs, by
 * which the database knows that they are examples.
 */
const tables: Record<Exclude<CompanyTable, Kept>, true> = {
  price_decisions: true,
  decision_seals: true,
  article_offers: true,
  cancellations: true,
  decision_audits: true,
  decision_samples: true,
  deliveries: true,
  documents: true,
  export_files: true,
  exports: true,
  image_checks: true,
  item_alarms: true,
  item_sales: true,
  listings: true,
  mail_settings: true,
  marketplace_accounts: true,
  masters: true,
  notes: true,
  notifications: true,
  offer_messages: true,
  old_feed_addresses: true,
  offer_minutes: true,
  order_actions: true,
  order_days: true,
  order_events: true,
  order_hints: true,
  order_lines: true,
  order_persons: true,
  order_polls: true,
  orders: true,
  person_readings: true,
  price_breakers: true,
  price_previews: true,
  price_restores: true,
  price_stops: true,
  price_submissions: true,
  rank_history: true,
  refunds: true,
  reprice_queue: true,
  repricer_counters: true,
  repricer_simulations: true,
  repricer_states: true,
  returns: true,
  saved_view_defaults: true,
  saved_views: true,
  schedules: true,
  secrets: true,
  shipment_lines: true,
  shipments: true,
  snapshots: true,
  stock_dirty: true,
  stock_files: true,
  stock_items: true,
  stock_offers: true,
  stock_states: true,
  transfer_results: true,
  webhooks: true,
  jobs: true,
};
export const dataTables: readonly string[] = Object.keys(tables);

/** Deletes every row of a company but its members and API tokens. Decisions about prices refuse it, unless they are examples. */
export async function deleteRows(trx: Trx, company: string): Promise<void> {
  await pg`select set_config('kontor.examples_go', ${company}, true)`.execute(trx);
  for (const table of dataTables) await pg`delete from ${pg.table(table)} where company = ${company}`.execute(trx);
}

/** Deletes what lies in the folder of a company: states, uploads and files. To be called once its rows are gone. */
export const deleteFiles = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
