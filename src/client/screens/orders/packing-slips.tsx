import { Button } from '@mantine/core';
import IconPrinter from 'virtual:icons/printer';
import IconShoppingCart from 'virtual:icons/shopping-cart';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Person } from '#shared/orders/persons.ts';
import type { OrderRow } from '#shared/orders/schema.ts';
import { asking } from '#client/loading.ts';
import { useMay, useSession } from '#client/shell/session.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { formatCount, formatDay } from '#client/ui/text/formats.ts';
import { orderKey } from './list/order-words.ts';
import { leftOutWords, loadPrinted, othersWords } from './print/load-printed.ts';
import { packed } from './print/packed.ts';
import classes from './print/print.module.css';
import { sheetName, useSheetNumbers } from './print/sheet-numbers.ts';
import { Receiver } from './print/receiver.tsx';
import { usePersons } from './print/use-persons.ts';

export const loader = (args: LoaderFunctionArgs) => loadPrinted(asking(args), new URL(args.request.url).searchParams);

/** A sheet for each order, with the contents of its parcel and the address. */
export default function PackingSlipsPage() {
  const { orders, ...others } = useLoaderData<typeof loader>();
  const mayPersons = useMay('ship');
  const { receivers, busy, failure, retry } = usePersons(orders, mayPersons);
  useSheetNumbers(orders.length);
  const company = useSession()?.company.name ?? '';
  return (
    <div className="k-stack">
      <div className={`${classes.tools} k-stack`}>
        <PageHeader
          title="Lieferscheine"
          lead={
            (mayPersons
              ? 'Eine Seite je Bestellung. Dass Sie die Adressen lesen, wird vermerkt.'
              : 'Eine Seite je Bestellung, ohne Adresse: Kundendaten sieht nur, wer das Recht dazu hat.') +
            (others.more > 0 ? ` ${othersWords(others, ['fehlt', 'fehlen'])} hier.` : '') +
            leftOutWords(others)
          }
          actions={
            <Button
              leftSection={<IconPrinter size={16} aria-hidden />}
              disabled={busy && mayPersons && orders.length > 0}
              onClick={() => print()}
            >
              Drucken
            </Button>
          }
        />
        <ErrorNotice failure={failure} onRetry={retry} />
      </div>
      {orders.length === 0 ? (
        <EmptyState icon={IconShoppingCart} title="Keine Bestellungen">
          <p>Es ist keine Bestellung offen, die Sie packen können.</p>
        </EmptyState>
      ) : (
        <div className={classes.sheets} aria-busy={busy && mayPersons}>
          {orders.map((order, index) => (
            <Slip
              key={orderKey(order)}
              order={order}
              receiver={receivers?.get(orderKey(order))}
              company={company}
              page={sheetName(index)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

type SlipProps = { order: OrderRow; receiver: Person | null | undefined; company: string; page: string };

function Slip({ order, receiver, company, page }: SlipProps) {
  const lines = packed(order);
  const all = lines.reduce((sum, { pieces }) => sum + pieces, 0);
  return (
    <article className={classes.sheet} style={{ page }} aria-label={`Lieferschein ${order.orderid}`}>
      <div className={classes.head}>
        <address className={classes.address}>
          <div className={classes.sender}>{company}</div>
          <Receiver receiver={receiver} />
        </address>
        <dl className={classes.facts}>
          <dt>Bestellung</dt>
          <dd>{order.orderid}</dd>
          {order.buyer_order_number !== '' && (
            <>
              <dt>Ihre Bestellnummer</dt>
              <dd>{order.buyer_order_number}</dd>
            </>
          )}
          <dt>Bestellt am</dt>
          <dd>{formatDay(order.placed_at)}</dd>
          <dt>Über</dt>
          <dd>{order.channel_name}</dd>
        </dl>
      </div>
      <h2>Lieferschein</h2>
      <table className={classes.table}>
        <thead>
          <tr className={classes.whose}>
            <td colSpan={3}>Bestellung {order.orderid}</td>
          </tr>
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
          {lines.map(({ productid, sku, title, pieces }) => (
            <tr key={productid}>
              <td className={classes.sku}>
                <span className={classes.code}>{sku}</span>
              </td>
              <td>{title}</td>
              <td className={classes.pieces}>{pieces}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* A missing last sheet is noticed: the sheets of several slips have numbers without a total. */}
      <p className={classes.small}>
        {formatCount(lines.length, 'Position', 'Positionen')}, {formatCount(all, 'Stück', 'Stück')}
      </p>
      {receiver?.gifts !== undefined && (
        <section className={classes.gifts}>
          <h3>Geschenk</h3>
          {receiver.gifts.map((gift) => (
            <p key={gift}>{gift}</p>
          ))}
        </section>
      )}
    </article>
  );
}
