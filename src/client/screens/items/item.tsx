import { Button } from '@mantine/core';
import { type LoaderFunctionArgs, Link, useLoaderData, useNavigate, useParams, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { asking } from '#client/loading.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ItemCard } from '#client/screens/items/card/item-card.tsx';
import { readQuery, selectionOf } from './items-query.ts';

export function loader(args: LoaderFunctionArgs) {
  const { masterid = '', itemid = '' } = args.params;
  const selection = selectionOf(masterid, readQuery(new URL(args.request.url).searchParams));
  return asking(args)(api.item, { params: { id: itemid }, query: selection });
}

/** One item under its own address. */
export default function Item() {
  const card = useLoaderData<typeof loader>();
  const { masterid = '', itemid = '' } = useParams();
  const navigate = useNavigate();
  const { previous, next } = card.neighbours;
  // Order, search and filters of the grid come along and go back with it.
  const [search] = useSearchParams();
  const selected = search.size === 0 ? '' : `?${search.toString()}`;
  const grid = pathTo(pages.items, { masterid }) + selected;
  const goTo = (id: string | null) =>
    id === null ? undefined : () => void navigate(pathTo(pages.item, { masterid, itemid: id }) + selected);
  return (
    <div style={{ maxWidth: 900 }}>
      <PageHeader
        title={`Artikeldaten · ${itemid}`}
        actions={
          <Button component={Link} to={grid} variant="default">
            Zu den Artikeln
          </Button>
        }
      />
      <div className="k-card">
        <ItemCard
          masterid={masterid}
          card={card}
          onClose={() => void navigate(grid)}
          onPrevious={goTo(previous)}
          onNext={goTo(next)}
        />
      </div>
    </div>
  );
}
