import { RIVAL_MARK, rivalEntry } from '#repricer/model/offer-rank.ts';
import type { Row } from '#platform/db/row.ts';
import { api } from '#shared/http/api.ts';
import type { TestKontor } from '../kontor.ts';

type Counter = Pick<Row<'repricer_counters'>, 'day' | 'kind' | 'n'>;
type Hour = Omit<Row<'rank_history'>, 'company' | 'master' | 'seller'>;
type OwnOffer = { item: string; rank: number | null; box: boolean; rivals?: readonly [seller: string, box: boolean][] };
type Figures = {
  masterid: string;
  account: string;
  seller: string;
  counters?: readonly Counter[];
  hours?: readonly Hour[];
  offers?: readonly OwnOffer[];
};

const MARKETPLACE = 'A1PA6795UKMFR9';

/** Inserts what the repricer's dashboard shows: daily counters, hourly ranks, and own offers with their competitors. */
export async function insertRepricerFigures(kontor: TestKontor, figures: Figures): Promise<void> {
  const { masterid: master, account, seller, counters = [], hours = [], offers = [] } = figures;
  const company = (await kontor.ask(api.session)).company.id;
  const place = { company, master, marketplace: MARKETPLACE };
  await kontor.database.company(company, async (trx) => {
    if (counters.length > 0)
      await trx
        .insertInto('repricer_counters')
        .values(counters.map((one) => ({ ...one, ...place })))
        .execute();
    if (hours.length > 0)
      await trx
        .insertInto('rank_history')
        .values(hours.map((one) => ({ ...one, company, master, seller })))
        .execute();
    for (let from = 0; from < offers.length; from += 500) {
      const rows = offers.slice(from, from + 500).map(({ item, rank, box, rivals = [] }) => ({
        ...place,
        item,
        account,
        sku: item,
        product_id: `B-${item}`,
        messages: 1,
        offers_at: new Date(),
        own_rank: rank,
        own_box: box,
        price_cents: 1500,
        rivals: rivals.map(([id, holds]) => rivalEntry(id, holds)).join(RIVAL_MARK),
      }));
      await trx.insertInto('listings').values(rows).execute();
    }
  });
}
