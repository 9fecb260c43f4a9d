import { Button } from '@mantine/core';
import { type LoaderFunctionArgs, Link, useLoaderData, useNavigate, useParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { asking } from '#client/loading.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ItemCard } from './item-card.tsx';

export function loader(args: LoaderFunctionArgs) {
  const { masterid = '', itemid = '' } = args.params;
  return asking(args)(api.item, { params: { id: itemid }, query: { masterid } });
}

/** One item under its own address. */
export default function Item() {
  const card = useLoaderData<typeof loader>();
  const { masterid = '', itemid = '' } = useParams();
  const navigate = useNavigate();
  const { previous, next } = card.neighbours;
  const grid = pathTo(pages.items, { masterid });
  const goTo = (id: string | null) =>
    id === null ? undefined : () => void navigate(pathTo(pages.item, { masterid, itemid: id }));
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
