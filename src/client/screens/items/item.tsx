import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { type LoaderFunctionArgs, Link, useLoaderData, useNavigate, useParams, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import { paramOf, pathTo } from '#client/address.ts';
import { asking } from '#client/loading.ts';
import pills from '#client/ui/figures/pills.module.css';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useMay } from '#client/shell/session.ts';
import { picturesOf } from '#client/screens/items/card/card-fields.ts';
import { ItemCard } from '#client/screens/items/card/item-card.tsx';
import { ExportsCard } from '#client/screens/items/page/exports-card.tsx';
import { Gallery } from '#client/screens/items/page/gallery.tsx';
import { HistoryCard } from './page/history-card.tsx';
import { OrdersCard } from '#client/screens/items/page/orders-card.tsx';
import { PriceCard } from '#client/screens/items/page/price-card.tsx';
import { StockCard } from '#client/screens/items/page/stock-card.tsx';
import classes from '#client/screens/items/page/page.module.css';
import { readQuery, selectionOf } from './items-query.ts';

export async function loader(args: LoaderFunctionArgs) {
  const masterid = paramOf(args.params, 'masterid');
  const itemid = paramOf(args.params, 'itemid');
  const selection = selectionOf(masterid, readQuery(new URL(args.request.url).searchParams));
  const { data, ...card } = await asking(args)(api.item, { params: { id: itemid }, query: selection });
  // As pairs: on the way into the page an object would lose a field that a file calls `__proto__`.
  return { ...card, data: Object.entries(data) };
}

/** Everything about one item at its own address; the cards next to its fields load independently. */
export default function Item() {
  const loaded = useLoaderData<typeof loader>();
  const card = useMemo(() => ({ ...loaded, data: Object.fromEntries(loaded.data) }), [loaded]);
  const params = useParams();
  const masterid = paramOf(params, 'masterid');
  const itemid = paramOf(params, 'itemid');
  const navigate = useNavigate();
  const { previous, next } = card.neighbours;
  // Order, search and filters of the grid are passed along and back.
  const [search] = useSearchParams();
  const selected = search.size === 0 ? '' : `?${search.toString()}`;
  const grid = pathTo(pages.items, { masterid }) + selected;
  const goTo = (id: string | null) =>
    id === null ? undefined : () => void navigate(pathTo(pages.item, { masterid, itemid: id }) + selected);
  const mayOrders = useMay('orders');
  const item = { masterid, itemid };
  /** Two catalogues may have the same item number. */
  const own = `${masterid} ${itemid}`;
  return (
    <div className={classes.page}>
      <PageHeader
        title={`Artikeldaten · ${itemid}`}
        actions={
          <Button component={Link} to={grid} variant="default">
            Zu den Artikeln
          </Button>
        }
      />
      <nav className={`${pills.pills} ${classes.jumps}`} aria-label="Auf dieser Seite">
        {jumps
          .filter(({ orders }) => mayOrders || !orders)
          .map(({ anchor, title }) => (
            <a key={anchor} className={pills.pill} href={`#${anchor}`}>
              {title}
            </a>
          ))}
      </nav>
      <div className={classes.grid}>
        <Gallery key={own} pictures={picturesOfItem(card)} itemid={itemid} marks={card.pictures} />
        <div id="felder" className={`k-card ${classes.fields}`}>
          <ItemCard
            masterid={masterid}
            card={card}
            onlyFields
            onClose={() => void navigate(grid)}
            onPrevious={goTo(previous)}
            onNext={goTo(next)}
          />
        </div>
        {/* Keyed by the item: data of another item must not show for a moment. */}
        <div key={`${own} beside`} className={classes.aside}>
          <PriceCard {...item} />
          {mayOrders && (
            <>
              <StockCard {...item} />
              <OrdersCard {...item} />
            </>
          )}
        </div>
        <ExportsCard key={`${own} exports`} {...item} />
        <HistoryCard key={`${own} history`} {...item} />
      </div>
    </div>
  );
}

/** The cards of the page; some only for users who may see orders. */
const jumps = [
  { anchor: 'felder', title: 'Felder', orders: false },
  { anchor: 'exporte', title: 'Exporte', orders: false },
  { anchor: 'verlauf', title: 'Verlauf', orders: false },
  { anchor: 'preise', title: 'Preis', orders: false },
  { anchor: 'bestand', title: 'Bestand', orders: true },
  { anchor: 'bestellungen', title: 'Bestellungen', orders: true },
] as const;

function picturesOfItem({ data, fields }: AnswerOf<typeof api.item>) {
  const values = Object.entries(data).map(([name, value]) => ({ name, value }));
  return picturesOf(values, new Map(fields.map(({ name, guess }) => [name, guess])));
}
