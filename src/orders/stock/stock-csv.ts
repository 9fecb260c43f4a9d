import type { Database } from '#platform/db/database.ts';
import type { StockChannelName } from '#shared/stock/schema.ts';
import type { StockPlace } from './compute.ts';
import { findStock } from './find-stock.ts';

const PAGE = 1000;

/** Returns all articles as a table, read page by page: what each channel offers and shows in columns of its own. */
export function stockCells(database: Database, place: StockPlace, channels: readonly StockChannelName[]) {
  const header = [
    'Artikelnummer',
    'Bestand',
    'Reserviert',
    'Puffer',
    'Verfügbar',
    ...channels.flatMap(({ name, account }) => [`${name}: angeboten`, ...(account ? [`${name}: zeigt`] : [])]),
  ];
  async function* rows(): AsyncGenerator<string[]> {
    for (let offset = 0; ; offset += PAGE) {
      const wanted = { filter: 'alle' as const, search: '', offset, limit: PAGE };
      const page = await database.company(place.company, (trx) => findStock(trx, place, wanted));
      for (const { item, on_hand, reserved, buffer, available, offers } of page.rows) {
        const cells = channels.flatMap(({ id, account }) => {
          const offer = offers.find(({ channel }) => channel === id);
          return [String(offer?.offered ?? ''), ...(account ? [String(offer?.shown ?? '')] : [])];
        });
        yield [item, ...[on_hand, reserved, buffer, available].map(String), ...cells];
      }
      if (page.rows.length < PAGE) return;
    }
  }
  return { header, rows: rows() };
}
