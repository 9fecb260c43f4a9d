import { Checkbox } from '@mantine/core';
import IconChevronDown from 'virtual:icons/chevron-down';
import IconChevronRight from 'virtual:icons/chevron-right';
import { Fragment, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { orderPath } from '#shared/orders/order-path.ts';
import type { OrderRow } from '#shared/orders/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import type { ItemAction } from '#client/screens/orders/forms/item-mode.ts';
import { LineActions } from '#client/screens/orders/forms/line-actions.tsx';
import { useMay } from '#client/shell/session.ts';
import { formatCount, formatShortTime, formatTime } from '#client/ui/text/formats.ts';
import { LineList } from './line-list.tsx';
import classes from './list.module.css';
import { DueTime, OrderMarks } from './order-marks.tsx';
import { orderKey } from './order-words.ts';
import { listedBy } from './orders-query.ts';
import type { Selection } from './use-selection.ts';

type OrdersTableProps = {
  rows: readonly OrderRow[];
  /** In milliseconds. */
  now: number;
  busy: boolean;
  selection: Selection;
  onForm: (action: ItemAction) => void;
};

/** One row per order; a card on a narrow screen. */
export function OrdersTable({ rows, now, busy, selection, onForm }: OrdersTableProps) {
  const mayOrders = useMay('orders');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpened((keys) => new Set(keys.has(key) ? [...keys].filter((one) => one !== key) : [...keys, key]));
  const some = rows.some(selection.has);
  return (
    <div className="k-renewing" aria-busy={busy}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.check}>
              <Checkbox
                aria-label="Alle auf dieser Seite auswählen"
                checked={rows.length > 0 && rows.every(selection.has)}
                indeterminate={some && !rows.every(selection.has)}
                onChange={({ currentTarget }) => selection.set(rows, currentTarget.checked)}
              />
            </th>
            <th scope="col">Bestellung</th>
            <th scope="col">Artikel</th>
            <th scope="col">Status</th>
            <th scope="col">Versand</th>
            <th scope="col" className={classes.number}>
              {mayOrders ? 'Betrag' : 'Stücke'}
            </th>
            <th scope="col">Aktionen</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((order) => {
            const key = orderKey(order);
            return (
              <Fragment key={key}>
                <Row
                  order={order}
                  now={now}
                  selection={selection}
                  opened={opened.has(key)}
                  onToggle={() => toggle(key)}
                  onForm={onForm}
                />
                {opened.has(key) && (
                  <tr className={classes.lines}>
                    <td colSpan={7}>
                      <LineList order={order} onForm={onForm} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = {
  order: OrderRow;
  now: number;
  selection: Selection;
  opened: boolean;
  onToggle: () => void;
  onForm: (action: ItemAction) => void;
};

function Row({ order, now, selection, opened, onToggle, onForm }: RowProps) {
  const mayOrders = useMay('orders');
  const [only] = order.lines;
  const [address] = useSearchParams();
  return (
    <tr>
      <td className={classes.check}>
        <Checkbox
          aria-label={`Bestellung ${order.orderid} auswählen`}
          checked={selection.has(order)}
          onChange={({ currentTarget }) => selection.set([order], currentTarget.checked)}
        />
      </td>
      <td className={classes.name}>
        <Link
          to={orderPath(order.channel, order.orderid) + listedBy(address)}
          className={classes.orderid}
          data-order={orderKey(order)}
        >
          {order.orderid}
        </Link>
        <span className={classes.second} title={`Bestellt ${formatTime(order.placed_at)}, ${order.channel_name}`}>
          {formatShortTime(order.placed_at)} · {order.channel_name}
        </span>
      </td>
      <td className={classes.article}>
        <Article order={order} />
      </td>
      <td className={classes.marks}>
        <OrderMarks order={order} />
      </td>
      <td className={classes.due}>
        <DueTime order={order} now={now} />
      </td>
      <td className={classes.number}>
        {mayOrders && (order.total_cents === null ? 'noch offen' : moneyText(order.total_cents, order.currency))}
        {order.open_pieces > 0 && <span className={classes.second}>{order.open_pieces} offen</span>}
      </td>
      <td className={classes.act}>
        {order.line_count === 1 && only !== undefined ? (
          <LineActions order={order} line={only} onForm={onForm} />
        ) : (
          <button type="button" className={classes.expand} aria-expanded={opened} onClick={onToggle}>
            {opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
            {formatCount(order.line_count, 'Position', 'Positionen')}
            <span className="k-hidden"> der Bestellung {order.orderid}</span>
          </button>
        )}
      </td>
    </tr>
  );
}

/** The first article, and the number of others. */
function Article({ order: { lines, line_count: count } }: { order: OrderRow }) {
  const [first] = lines;
  if (first === undefined) return null;
  const name = first.title === '' ? first.sku : first.title;
  return (
    <>
      <span className={classes.title} title={name}>
        {first.ordered} × {name}
      </span>
      <span className={classes.second}>
        {first.sku}
        {count > 1 && ` · und ${formatCount(count - 1, 'weitere Position', 'weitere Positionen')}`}
      </span>
    </>
  );
}
