import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { Pager } from '#client/ui/grid/pager.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

export type ItemsPage = { readonly at: number; readonly size: number };

type FoundItemsProps = {
  masterid: string;
  /** Name of the table for screen readers. */
  label: string;
  items: readonly { readonly id: string; readonly title: string | null; readonly value: string | null }[];
  /** The field whose values are shown next to the items. */
  valueName: string;
  total: number;
  page: ItemsPage;
  onPage: (page: ItemsPage) => void;
};

/** A page of items with one of their values, each a link to its card. */
export function FoundItems({ masterid, label, items, valueName, total, page, onPage }: FoundItemsProps) {
  return (
    <>
      <ScrollRegion label={label}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Artikelnummer</th>
              <th scope="col">Titel</th>
              <th scope="col">{valueName}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, title, value }) => (
              <tr key={id}>
                <td>
                  <Link to={pathTo(pages.item, { masterid, itemid: id })}>{id}</Link>
                </td>
                <td>{title ?? '–'}</td>
                <td>{value ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {total > page.size && (
        <Pager
          page={page.at}
          size={page.size}
          total={total}
          noun="Artikeln"
          onPage={(at) => onPage({ ...page, at })}
          onSize={(size) => onPage({ at: 0, size })}
        />
      )}
    </>
  );
}
