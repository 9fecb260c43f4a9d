import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { StockSettings } from '#shared/stock/settings.ts';

const SUBJECT = 'stock';
const scopeOf = (masterid: string) => `master:${masterid}`;

/** Loads the stock settings of a catalogue; empty until a stock field is chosen. */
export async function loadStockSettings(
  trx: Trx,
  company: string,
  masterid: string,
): Promise<{ settings: StockSettings; revision: number }> {
  const { body, revision } = await loadDocument(trx, company, SUBJECT, scopeOf(masterid));
  return { settings: StockSettings.parse(body === undefined ? {} : JSON.parse(body)), revision };
}

/**
 * Saves the settings; the worker recomputes when it sees the new revision. @throws 409 if the save was based on an older revision
 */
export async function saveStockSettings(
  trx: Trx,
  ref: { company: string; masterid: string },
  settings: StockSettings,
  save: { author: string; expected: number | undefined },
): Promise<number> {
  const { company, masterid: master } = ref;
  const place = { company, subject: SUBJECT, scope: scopeOf(master) };
  const revision = await saveDocument(trx, place, { body: JSON.stringify(settings), ...save });
  await trx
    .insertInto('stock_states')
    .values({ company, master })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return revision;
}
