import { Button } from '@mantine/core';
import IconArrowDown from 'virtual:icons/arrow-down';
import IconArrowUp from 'virtual:icons/arrow-up';
import IconDownload from 'virtual:icons/download';
import IconExternalLink from 'virtual:icons/external-link';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import { csvOfCells, downloadText } from '#client/csv-download.ts';
import { useConnectors } from '#client/marketplaces.ts';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from '#client/screens/repricer/dashboard/dashboard.module.css';
import type { ArticlesOf } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import { AsOf } from '#client/screens/repricer/dashboard/statistic-frame.tsx';
import { type OwnSeller, sellerPage } from './own-sellers.ts';
import { readSellerQuery, sellerPageSizes, type SellerQuery, viewQuery, writeSellerQuery } from './seller-query.ts';
import {
  type NamedSeller,
  orderAfter,
  sellerCells,
  type SellerColumn,
  sellerColumns,
  sellerHeads,
  type SellerOrder,
  visibleSellers,
} from './seller-rows.ts';

type SellersTabProps = {
  masterid: string;
  seller: OwnSeller;
  sellers: readonly NamedSeller[];
  at: string;
  onList: (of: ArticlesOf) => void;
  onReload: () => void;
};

/** RDA-03: who else offers our articles, and in how many of them who holds the buy box. The view is kept in the URL. */
export function SellersTab({ masterid, seller, sellers, at, onList, onReload }: SellersTabProps) {
  const [address, setAddress] = useSearchParams();
  const query = useMemo(() => readSellerQuery(address), [address]);
  const { size } = query;
  const requestedAddress = useAskedAddress();
  const change = (changed: Partial<SellerQuery>, replace = false) =>
    setAddress(writeSellerQuery(requestedAddress, { ...readSellerQuery(requestedAddress), page: 0, ...changed }), {
      preventScrollReset: true,
      replace,
    });
  const shown = useMemo(() => visibleSellers(sellers, query.search, query.order), [sellers, query]);
  const last = Math.max(0, Math.ceil(shown.length / size) - 1);
  const page = Math.min(query.page, last);
  const from = page * size;
  return (
    <section className="k-card k-stack" aria-labelledby="haendler">
      <div className="k-between">
        <h2 id="haendler">Händler in Ihren Artikeln</h2>
        <AsOf at={at} onReload={onReload} />
      </div>
      <div className="k-between">
        <div className="k-row">
          <SavedViews
            table="repricer-sellers"
            masterid={masterid}
            query={viewQuery(query)}
            opened={query.savedView}
            untouched={query.savedView === '' && query.page === 0 && viewQuery(query).size === 0}
            fit={(stored) => ({ query: viewQuery(readSellerQuery(stored)), gone: [] })}
            onOpen={(view, savedView, replace) => change({ ...readSellerQuery(view), savedView }, replace)}
          />
          <SearchField label="Händler suchen" search={query.search} onSearch={(text) => change({ search: text })} />
        </div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadText(`Händler ${seller.id}.csv`, csvOfCells(sellerCells(shown)))}
        >
          Als CSV exportieren
        </Button>
      </div>
      <SellerTable
        seller={seller}
        rows={shown.slice(from, from + size)}
        order={query.order}
        onOrder={(column) => change({ order: orderAfter(query.order, column) })}
        onList={onList}
      />
      {shown.length === 0 && (
        <p className="k-muted">{sellers.length === 0 ? 'Noch keine Händler bekannt.' : 'Kein Händler gefunden.'}</p>
      )}
      <Pager
        page={page}
        size={size}
        total={shown.length}
        sizes={sellerPageSizes}
        onPage={(next) => change({ page: next })}
        onSize={(next) => change({ size: next })}
        noun="Händlern"
      />
      <p className="k-muted k-small">
        Gezählt sind Ihre Artikel, in denen der Händler auch anbietet; bis zu einer Minute alt. Teilen sich mehrere eine
        BuyBox, zählt sie bei jedem.
      </p>
    </section>
  );
}

type SellerTableProps = {
  seller: OwnSeller;
  rows: readonly NamedSeller[];
  order: SellerOrder;
  onOrder: (column: SellerColumn) => void;
  onList: (of: ArticlesOf) => void;
};

function SellerTable({ seller, rows, order, onOrder, onList }: SellerTableProps) {
  const connectors = useConnectors();
  const Arrow = order.descending ? IconArrowDown : IconArrowUp;
  return (
    <ScrollRegion label="Händler" className="k-figures">
      <table className={classes.table} data-sellers>
        <thead>
          <tr>
            {sellerColumns.map((column) => (
              <th
                key={column}
                scope="col"
                aria-sort={order.by !== column ? 'none' : order.descending ? 'descending' : 'ascending'}
              >
                <button type="button" className={classes.sort} onClick={() => onOrder(column)}>
                  {sellerHeads[column]}
                  {order.by === column && <Arrow size={14} aria-hidden />}
                </button>
              </th>
            ))}
            <th scope="col">
              <span className="k-hidden">Artikel</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row._id}>
              <th scope="row">
                <SellerLink id={row.comp_seller_id} href={sellerPage(seller, connectors, row.comp_seller_id)} />
              </th>
              <td className={classes.name}>
                <span title={row.name}>{row.name}</span>
              </td>
              <td>{formatInteger(row.total_count)}</td>
              <td>{formatInteger(row.buybox_count)}</td>
              <td>{formatInteger(row.non_buybox_count)}</td>
              <td>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Liste der Artikel mit ${row.name === '' ? row.comp_seller_id : row.name}`}
                  onClick={() => onList({ kind: 'competitor', id: row.comp_seller_id })}
                >
                  Liste
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SellerLink({ id, href }: { id: string; href: string | undefined }) {
  if (href === undefined) return id;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title="Händlerseite in neuem Fenster">
      {id} <IconExternalLink size={14} aria-hidden />
      <span className="k-hidden"> (neues Fenster)</span>
    </a>
  );
}
