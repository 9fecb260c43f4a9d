import { Link, useSearchParams } from 'react-router';
import { orderPath } from '#shared/orders/order-path.ts';
import type { OrderRow } from '#shared/orders/schema.ts';
import type { ItemAction } from '#client/screens/orders/forms/item-mode.ts';
import { LineActions } from '#client/screens/orders/forms/line-actions.tsx';
import classes from './list.module.css';
import { lineWords } from './order-words.ts';
import { listedBy } from './orders-query.ts';

type LineListProps = { order: OrderRow; onForm: (action: ItemAction) => void };

/** Every line of an order, with its state and actions. */
export function LineList({ order, onForm }: LineListProps) {
  const [address] = useSearchParams();
  const more = order.line_count - order.lines.length;
  return (
    <ul className={classes.lineList} aria-label={`Positionen der Bestellung ${order.orderid}`}>
      {order.lines.map((line) => (
        <li key={line.productid} className={classes.line}>
          <div className={classes.lineWords}>
            <span className={classes.title}>
              {line.ordered} × {line.title === '' ? line.sku : line.title}
            </span>
            <span className={classes.second}>{lineWords(line, order.currency)}</span>
          </div>
          <LineActions order={order} line={line} onForm={onForm} />
        </li>
      ))}
      {more > 0 && (
        <li className={classes.line}>
          <Link to={orderPath(order.channel, order.orderid) + listedBy(address)}>
            Alle {order.line_count} Positionen
          </Link>
        </li>
      )}
    </ul>
  );
}
