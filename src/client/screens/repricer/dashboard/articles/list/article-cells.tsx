import IconExternalLink from 'virtual:icons/external-link';
import type { ReactNode } from 'react';
import { type RepricedArticle, percentDifference } from '#shared/repricer/dashboard.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatInteger, formatChange, formatTime } from '#client/ui/text/formats.ts';
import { type ArticleColumn, type ArticleColumnId, boxWord, centsOf } from './article-columns.ts';
import { productAddress } from './product-address.ts';

type Cell = { article: RepricedArticle; marketplaceName: string };

/** Renders a cell; the first column, whose cell has the button that expands the row, is not made here. */
export function articleCell({ id, kind }: ArticleColumn, { article, marketplaceName }: Cell): ReactNode {
  const value = article[id];
  if (id === 'asin') return <ProductLink article={article} marketplaceName={marketplaceName} />;
  if (id === 'my_offer_listing_price') return <OwnPrice article={article} />;
  if (id === 'comp_name') return <span title={article.comp_seller_id ?? undefined}>{value ?? '–'}</span>;
  if (kind === 'box') return hasNoRival(article, id) ? '–' : <Box holds={value === 1} seen={article.offers_at} />;
  if (typeof value === 'string' || value === null) return value ?? '–';
  return kind === 'money' ? moneyText(centsOf(value), article.currency) : formatInteger(value);
}

const hasNoRival = ({ comp_seller_id }: RepricedArticle, id: ArticleColumnId) =>
  id === 'comp_buybox' && comp_seller_id === null;

/** Our price in the same row may be newer than the message in which the box was seen. */
function Box({ holds, seen }: { holds: boolean; seen: string | null }) {
  const title = seen === null ? 'Noch keine Meldung des Marktplatzes' : `Gesehen am ${formatTime(seen)}`;
  return (
    <span title={title}>
      <Badge tone={holds ? 'green' : 'gray'}>{boxWord(holds)}</Badge>
    </span>
  );
}

/** RDA-08: followed by the difference from the standard price. */
function OwnPrice({ article }: { article: RepricedArticle }) {
  const { my_offer_listing_price: price, worker_price: standard, currency } = article;
  const percent = percentDifference(price, standard);
  return (
    <>
      {moneyText(centsOf(price), currency)}
      {percent !== undefined && (
        <span className="k-muted" title="Abstand zum Standart Price">
          {' '}
          ({formatChange(percent / 100)})
        </span>
      )}
    </>
  );
}

function ProductLink({ article: { asin }, marketplaceName }: Cell) {
  const address = productAddress(marketplaceName, asin);
  if (address === undefined) return asin;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      title={`${asin} bei ${marketplaceName} (neues Fenster)`}
    >
      {asin}
      <IconExternalLink size={13} aria-hidden style={{ marginLeft: 4, verticalAlign: -2 }} />
      <span className="k-hidden"> bei {marketplaceName}, neues Fenster</span>
    </a>
  );
}
