import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { orderPath } from '#shared/orders/order-path.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatShortTime } from '#client/ui/text/formats.ts';
import { itemOrders, LISTED } from './item-orders.ts';
import { PageCard } from './page-card.tsx';
import classes from './orders-card.module.css';
import pageClasses from './page.module.css';

/** The last orders that contain the item. */
export function OrdersCard({ masterid, itemid }: { masterid: string; itemid: string }) {
  const search = new URLSearchParams({ filter: 'alle', katalog: masterid, artikel: itemid });
  const query = { filter: 'alle' as const, masterid, item: itemid, limit: LISTED };
  return (
    <PageCard
      anchor="bestellungen"
      title="Letzte Bestellungen"
      more={
        <Link className="k-small" to={`${pages.orders.path}?${search.toString()}`}>
          Alle Bestellungen
        </Link>
      }
      ask={async (signal) => itemOrders((await call(api.orders, { query, signal })).rows, { masterid, itemid })}
    >
      {(orders) =>
        orders.length === 0 ? (
          <p className="k-muted">Dieser Artikel wurde noch nicht bestellt.</p>
        ) : (
          <ul className={pageClasses.plain}>
            {orders.slice(0, LISTED).map(({ orderid, channel, channel_name, placed_at, pieces, state }) => (
              <li key={`${channel} ${orderid}`} className={classes.order}>
                <div>
                  <Link to={orderPath(channel, orderid)}>{orderid}</Link>
                  <span className={pageClasses.second}>
                    {channel_name} · <time dateTime={placed_at}>{formatShortTime(placed_at)}</time>
                  </span>
                </div>
                <span className={pageClasses.amount}>{formatCount(pieces, 'Stück', 'Stück')}</span>
                <Badge tone={state.tone}>{state.text}</Badge>
              </li>
            ))}
          </ul>
        )
      }
    </PageCard>
  );
}
