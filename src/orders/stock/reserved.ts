import type { RawBuilder } from 'kysely';
import { pg } from '#platform/db/pg.ts';

/** The catalogue whose orders count, and the moment of its stock number. */
export type Reserving = {
  company: string;
  master: string;
  sourceAt: Date;
  containsOpenOrders: boolean;
  /** Undefined: all items. */
  items?: readonly string[] | undefined;
};

export const someItems = (column: string, items: readonly string[] | undefined): RawBuilder<unknown> =>
  items === undefined ? pg`` : pg` and ${pg.ref(column)} = any(${[...items]}::text[])`;

/**
 * Returns a query of the lines that reduce the catalogue's stock number, each once: `open`, still to be shipped; `left`, shipped
 * since the number was taken. If the number already excludes open orders, only later orders count. Pieces that a marketplace
 * ships from its own warehouse are not our stock.
 */
export function reservingLines({
  company,
  master,
  sourceAt,
  containsOpenOrders,
  items,
}: Reserving): RawBuilder<unknown> {
  const since = pg`${sourceAt.toISOString()}::timestamptz`;
  const newOrders = containsOpenOrders ? pg` and o.placed_at >= ${since}` : pg``;
  // Starts from the parcels since then instead of from all lines of the catalogue.
  return pg`with recent as materialized (select s.id, s.channel, s.order_id from shipments s
      where s.company = ${company} and s.shipped_at >= ${since} and s.state <> 'cancelled')
    select l.item, l.channel, l.order_id, l.line_id, l.ordered - l.shipped - l.cancelled as open, 0 as "left"
    from order_lines l join orders o on o.company = l.company and o.channel = l.channel and o.order_id = l.order_id
    where l.company = ${company} and l.master = ${master} and l.item is not null and l.ordered > l.shipped + l.cancelled
      and o.fulfilled_by = 'merchant'${newOrders}${someItems('l.item', items)}
    union all
    select l.item, l.channel, l.order_id, l.line_id, 0, least(sum(p.quantity), max(l.shipped))::int
    from recent s join shipment_lines p on p.company = ${company} and p.shipment = s.id
      join order_lines l on l.company = ${company} and l.channel = s.channel and l.order_id = s.order_id and l.line_id = p.line_id
      join orders o on o.company = l.company and o.channel = l.channel and o.order_id = l.order_id
    where l.master = ${master} and l.item is not null and o.fulfilled_by = 'merchant'${newOrders}${someItems('l.item', items)}
    group by l.item, l.channel, l.order_id, l.line_id`;
}
