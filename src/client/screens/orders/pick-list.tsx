import { Button } from '@mantine/core';
import IconListCheck from 'virtual:icons/list-check';
import IconPrinter from 'virtual:icons/printer';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { OrderRow } from '#shared/orders/schema.ts';
import { asking } from '#client/loading.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import { leftOutWords, loadPrinted, othersWords } from './print/load-printed.ts';
import { pickedOrders, picksOf } from './print/picks.ts';
import classes from './print/print.module.css';

export async function loader(args: LoaderFunctionArgs) {
  const printed = await loadPrinted(asking(args), new URL(args.request.url).searchParams);
  return { ...printed, at: new Date().toISOString() };
}

/** The picking list, by article and by order; contains no personal data. */
export default function PickListPage() {
  const { orders, at, ...others } = useLoaderData<typeof loader>();
  const picks = picksOf(orders);
  const picked = pickedOrders(orders);
  const total = picks.reduce((sum, { pieces }) => sum + pieces, 0);
  return (
    <div className="k-stack">
      <div className={classes.tools}>
        <PageHeader
          title="Pickliste"
          lead={`${formatCount(total, 'Stück', 'Stück')} für ${formatCount(picked.length, 'Bestellung', 'Bestellungen')}.${others.more > 0 ? ` ${othersWords(others, ['steht', 'stehen'])} nicht darauf.` : ''}${leftOutWords(others)}`}
          actions={
            <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => print()}>
              Drucken
            </Button>
          }
        />
      </div>
      {picks.length === 0 ? (
        <EmptyState icon={IconListCheck} title="Nichts zu packen">
          <p>Keine dieser Bestellungen hat Stücke, die versandt werden dürfen.</p>
        </EmptyState>
      ) : (
        <div className={classes.sheet}>
          <div className={classes.head}>
            <h2>Pickliste</h2>
            <span className={classes.small}>Stand {formatTime(at)}</span>
          </div>
          <table className={classes.table} aria-label="Je Artikel">
            <thead>
              <tr>
                <th scope="col" className={classes.sku}>
                  Artikelnummer
                </th>
                <th scope="col">Artikel</th>
                <th scope="col" className={classes.pieces}>
                  Menge
                </th>
              </tr>
            </thead>
            <tbody>
              {picks.map(({ sku, title, pieces, orders: of }) => (
                <tr key={sku}>
                  <th scope="row" className={classes.sku}>
                    <span className={classes.box} aria-hidden />
                    <span className={classes.code}>{sku}</span>
                  </th>
                  <td>
                    {title}
                    <div className={classes.small}>{of.map((one) => `${one.orderid} (${one.pieces})`).join(', ')}</div>
                  </td>
                  <td className={classes.pieces}>{pieces}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {picked.map((order) => (
            <PickedOrder key={`${order.channel} ${order.orderid}`} order={order} />
          ))}
        </div>
      )}
    </div>
  );
}

function PickedOrder({ order: { orderid, channel_name: channel, ship_by: shipBy, lines } }: { order: OrderRow }) {
  return (
    <section className={classes.order} aria-label={`Bestellung ${orderid}`}>
      <h3>
        {orderid}{' '}
        <span className={classes.small}>
          {channel}
          {shipBy !== null && ` · versenden bis ${formatTime(shipBy)}`}
        </span>
      </h3>
      <table className={classes.table}>
        <tbody>
          {lines
            .filter(({ open, sent }) => open > 0 && sent.possible)
            .map((line) => (
              <tr key={line.productid}>
                <td className={classes.sku}>
                  <span className={classes.box} aria-hidden />
                  <span className={classes.code}>{line.sku}</span>
                </td>
                <td>{line.title}</td>
                <td className={classes.pieces}>{line.open}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
