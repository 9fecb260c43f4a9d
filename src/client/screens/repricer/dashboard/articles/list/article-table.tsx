import { Loader } from '@mantine/core';
import { type FocusEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { useMarketplaceName } from '#client/marketplaces.ts';
import classes from './article-table.module.css';
import { PriceHistoryPanel } from '#client/screens/repricer/dashboard/articles/history/price-history-panel.tsx';
import { useRowWindow } from '#client/ui/rows/row-window.ts';
import { useEvent } from '#client/ui/use-event.ts';
import { usePrinting } from '#client/ui/use-printing.ts';
import { articleColumns, articleKey } from './article-columns.ts';
import { ArticleHead } from './article-head.tsx';
import type { ArticleQuery } from '#client/screens/repricer/dashboard/articles/selection/article-query.ts';
import { ArticleRow, detailId } from './article-row.tsx';
import { drawnRows } from './drawn-rows.ts';

/** Pixels, as specified. */
const rowHeight = 36;
const openedHeight = 500;
const heads = 2;
const extraColumns = 2;

type ArticleTableProps = {
  sellerId: string;
  /** One page of articles. */
  articles: readonly RepricedArticle[];
  /** Number of rows on previous pages. */
  firstRow: number;
  total: number;
  severalMarkets: boolean;
  query: ArticleQuery;
  busy: boolean;
  sorting: boolean;
  onQuery: (changed: Partial<ArticleQuery>) => void;
  /** Shown instead of rows. */
  empty: ReactNode;
};

/**
 * A page of articles in a scroll region of its own; one of them may be expanded. Of 200 rows only
 * the visible ones are drawn, on paper all.
 */
export function ArticleTable(props: ArticleTableProps) {
  const { sellerId, articles, firstRow, total, severalMarkets, query, busy, sorting, onQuery, empty } = props;
  const region = useRef<HTMLElement>(null);
  const marketplaceName = useMarketplaceName();
  const opened = articles.findIndex((article) => articleKey(article) === query.opened);
  // The row last focused stays drawn wherever it is: its focus must not get lost.
  const [entered, setEntered] = useState('');
  const onFocus = ({ target }: FocusEvent) =>
    setEntered(target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? '');
  const heights = articles.map((_, index) => (index === opened ? rowHeight + openedHeight : rowHeight));
  const window = useRowWindow(heights, region);
  const focused = articles.findIndex((article) => articleKey(article) === entered);
  const printing = usePrinting();
  const drawn = drawnRows(articles.length, printing ? undefined : window, [opened, focused]);
  const toggle = useEvent((key: string) => onQuery({ page: query.page, opened: key === query.opened ? '' : key }));
  const close = () => {
    region.current?.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(detailId(query.opened))}"]`)?.focus();
    onQuery({ page: query.page, opened: '' });
  };
  if (articles.length === 0 && !busy) return empty;
  return (
    <div className={`k-renewing ${classes.frame}`} aria-busy={busy && articles.length > 0}>
      {sorting && (
        <div className={classes.spinner} role="status">
          <Loader size={16} color="var(--k-graphic)" aria-hidden /> Sortiere …
        </div>
      )}
      <section
        ref={region}
        className={classes.region}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: a scroll region needs the focus
        tabIndex={0}
        aria-label="Artikel"
        aria-busy={busy}
      >
        <table className={classes.table} aria-rowcount={total + heads}>
          <colgroup>
            {articleColumns.map(({ id, width }) => (
              <col
                key={id}
                className={id === '_id' ? classes.firstcol : undefined}
                style={id === '_id' ? undefined : { width }}
              />
            ))}
            <col className="k-screen" style={{ width: 170 }} />
            <col className="k-screen" style={{ width: 170 }} />
          </colgroup>
          <ArticleHead sort={query.sort} direction={query.direction} onQuery={onQuery} />
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only tracks the focus inside it */}
          <tbody onFocus={onFocus}>
            {articles.length === 0 && <Skeletons />}
            {drawn.map(({ index, gap }) => {
              const article = articles[index];
              if (article === undefined) return <Gap key="after" rows={gap} />;
              const key = articleKey(article);
              return (
                <Fragment key={key}>
                  {gap > 0 && <Gap rows={gap} />}
                  <ArticleRow
                    article={article}
                    rowIndex={firstRow + index + heads + 1}
                    opened={index === opened}
                    marketplaceName={marketplaceName(article.marketplace)}
                    severalMarkets={severalMarkets}
                    onToggle={toggle}
                  />
                  {index === opened && (
                    <tr id={detailId(key)} className={classes.detail}>
                      <td colSpan={articleColumns.length + extraColumns}>
                        <PriceHistoryPanel sellerId={sellerId} article={article} onClose={close} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** Keeps the height of rows that are not drawn. */
function Gap({ rows }: { rows: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={articleColumns.length + extraColumns} style={{ height: rows * rowHeight, padding: 0 }}>
        &nbsp;
      </td>
    </tr>
  );
}

const Skeletons = () =>
  Array.from({ length: 12 }, (_, index) => (
    <tr key={index} className={classes.row} aria-hidden>
      {articleColumns.map(({ id }) => (
        <td key={id}>
          <span className={classes.skeleton}>&nbsp;</span>
        </td>
      ))}
    </tr>
  ));
