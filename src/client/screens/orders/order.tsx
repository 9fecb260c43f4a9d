import { Button } from '@mantine/core';
import IconPrinter from 'virtual:icons/printer';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { OrderDetails } from '#shared/orders/schema.ts';
import { pages } from '#shared/pages.ts';
import { paramOf } from '#client/address.ts';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { ActionList } from './details/action-list.tsx';
import classes from './details/details.module.css';
import { GoneNotice } from './details/gone-notice.tsx';
import { Losses, Parcels } from './details/movements.tsx';
import { PersonsCard } from './details/persons-card.tsx';
import { Timeline } from './details/timeline.tsx';
import { WishNotice } from './details/wish-notice.tsx';
import { ItemModal } from './forms/item-form.tsx';
import type { ItemAction } from './forms/item-mode.ts';
import { RefundButton } from './forms/refund-form.tsx';
import { LineList } from './list/line-list.tsx';
import { DueTime, OrderMarks } from './list/order-marks.tsx';
import { amountFacts } from './list/order-words.ts';
import { listedBy } from './list/orders-query.ts';
import { useFreshOrder } from './list/use-fresh-orders.ts';
import { useNow } from './list/use-now.ts';
import { printAddress } from './print/print-orders.ts';

export async function loader(args: LoaderFunctionArgs) {
  const orderid = paramOf(args.params, 'orderid');
  const channel = paramOf(args.params, 'channel');
  const details = await asking(args)(api.order, { params: { orderid }, query: { channel } });
  return { details, at: new Date().toISOString() };
}

/** Keyed by the order: open dialogs and forms belong to one order. */
export default function OrderPage() {
  const { details, at } = useLoaderData<typeof loader>();
  const { channel, orderid } = details.order;
  return <Order key={`${channel} ${orderid}`} details={details} at={at} />;
}

/** Everything about one order except personal data, which is shown only on request. */
function Order({ details, at }: { details: OrderDetails; at: string }) {
  const { order, shipments, actions, events } = details;
  const { orderid, channel } = order;
  const { revalidate } = useRevalidator();
  const now = useNow(at);
  const mayOrders = useMay('orders');
  const [form, setForm] = useState<ItemAction | null>(null);
  const [address] = useSearchParams();
  useFreshOrder(actions);
  const anew = () => void revalidate();
  const nameOf = (productid: string) => {
    const line = order.lines.find((one) => one.productid === productid);
    return line === undefined ? productid : line.title === '' ? line.sku : line.title;
  };
  return (
    <div className="k-stack">
      <PageHeader
        title={`Bestellung ${orderid}`}
        badge={<OrderMarks order={order} />}
        lead={<Link to={pages.orders.path + listedBy(address)}>Alle Bestellungen</Link>}
        actions={
          <Button
            component={Link}
            to={printAddress(pages.packingSlips, [order])}
            variant="default"
            leftSection={<IconPrinter size={16} aria-hidden />}
          >
            Lieferschein
          </Button>
        }
      />
      {details.channel_gone && <GoneNotice />}
      {order.hold === 'cancel_requested' && order.open_pieces > 0 && (
        <WishNotice orderid={orderid} channel={channel} onDone={anew} />
      )}
      <div className={classes.columns}>
        <div className="k-stack">
          <section className="k-card k-stack" aria-labelledby="positionen">
            <h2 id="positionen">Positionen</h2>
            <LineList order={order} onForm={setForm} />
            {mayOrders && <RefundButton details={details} onDone={anew} />}
          </section>
          <section className="k-card k-stack" aria-labelledby="aktionen">
            <h2 id="aktionen">Aktionen</h2>
            <ActionList actions={actions} currency={order.currency} />
          </section>
          <section className="k-card k-stack" aria-labelledby="sendungen">
            <h2 id="sendungen">Sendungen</h2>
            <Parcels shipments={shipments} nameOf={nameOf} />
          </section>
          <Losses {...details} nameOf={nameOf} />
        </div>
        <div className="k-stack">
          <Facts details={details} now={now} />
          <PersonsCard orderid={orderid} channel={channel} until={details.persons_until} onErased={anew} />
          {mayOrders && (
            <section className="k-card k-stack" aria-labelledby="verlauf">
              <h2 id="verlauf">Verlauf</h2>
              <Timeline events={events} />
            </section>
          )}
        </div>
      </div>
      <ItemModal action={form} orders={[order]} onDone={anew} onClose={() => setForm(null)} />
    </div>
  );
}

function Facts({ details: { order }, now }: { details: OrderDetails; now: number }) {
  const mayOrders = useMay('orders');
  const facts: [string, string][] = [
    ['Kanal', order.channel_name],
    ['Bestellt', formatTime(order.placed_at)],
    ...(order.ship_by === null ? [] : [['Zu versenden bis', formatTime(order.ship_by)] as [string, string]]),
    ...(order.shipped_at === null ? [] : [['Versandt', formatTime(order.shipped_at)] as [string, string]]),
    ...(order.delivered_at === null ? [] : [['Zugestellt', formatTime(order.delivered_at)] as [string, string]]),
    ...(mayOrders ? amountFacts(order) : []),
    ...(order.country === '' ? [] : [['Land', order.country] as [string, string]]),
    ...(order.buyer_order_number === ''
      ? []
      : [['Bestellnummer des Käufers', order.buyer_order_number] as [string, string]]),
  ];
  return (
    <section className="k-card k-stack" aria-labelledby="eckdaten">
      <div className="k-between">
        <h2 id="eckdaten">Eckdaten</h2>
        {order.open_pieces > 0 && order.ship_by !== null && <DueTime order={order} now={now} />}
      </div>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
