import type { Row } from '#platform/db/row.ts';
import { api } from '#shared/http/api.ts';
import type { TestKontor } from '../kontor.ts';

type OrderDay = Row<'order_days', 'day' | 'channel' | 'pieces' | 'revenue_cents' | 'orders'> &
  Partial<Row<'order_days'>>;

/** Inserts daily counters as orders would. */
export async function insertOrderDays(kontor: TestKontor, days: readonly OrderDay[]): Promise<void> {
  const company = (await kontor.ask(api.session)).company.id;
  const none = { currency: 'EUR', cancelled: 0, returned: 0, unpriced: 0 };
  await kontor.database.company(company, (trx) =>
    trx
      .insertInto('order_days')
      .values(days.map((day) => ({ ...none, ...day, company })))
      .execute(),
  );
}
