import IconChevronDown from 'virtual:icons/chevron-down';
import IconChevronRight from 'virtual:icons/chevron-right';
import { memo, type MouseEvent } from 'react';
import { Link } from 'react-router';
import type { RepricedArticle } from '#shared/repricer/dashboard.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import classes from './article-table.module.css';
import { articleCell } from './article-cells.tsx';
import { articleColumns, articleKey } from './article-columns.ts';
import { MiniRuler } from './mini-ruler.tsx';

type ArticleRowProps = {
  article: RepricedArticle;
  /** Index among all rows of the table, heads included. */
  rowIndex: number;
  opened: boolean;
  marketplaceName: string;
  /** The list has articles of several marketplaces: the marketplace's name tells equal numbers apart. */
  severalMarkets: boolean;
  /** Must stay the same function, so that unchanged rows are not rendered again. */
  onToggle: (key: string) => void;
};

/** Returns the id of the row that a button expands. */
export const detailId = (key: string): string => `artikel-${encodeURIComponent(key)}`;

/** An article; a click anywhere in the row or on the button in its first cell expands it. */
export const ArticleRow = memo(function ArticleRow(props: ArticleRowProps) {
  const { article, rowIndex, opened, marketplaceName, severalMarkets, onToggle } = props;
  const key = articleKey(article);
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  const onClick = (event: MouseEvent) => {
    // Selecting text in a cell or following a link in it must not expand the row.
    if (event.target instanceof Element && event.target.closest('a, button') !== null) return;
    if (window.getSelection()?.isCollapsed !== false) onToggle(key);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the first cell has the button for keyboards
    <tr
      className={classes.row}
      aria-rowindex={rowIndex}
      data-opened={opened || undefined}
      data-row={key}
      onClick={onClick}
    >
      {articleColumns.map((column) =>
        column.id === '_id' ? (
          <th key={column.id} scope="row" className={classes.first}>
            <button
              type="button"
              className={classes.open}
              aria-expanded={opened}
              aria-controls={opened ? detailId(key) : undefined}
              title={`${article._id}: Preisverlauf ${opened ? 'schließen' : 'zeigen'}`}
              onClick={() => onToggle(key)}
            >
              <Chevron size={16} aria-hidden />
              <span>{article._id}</span>
              {severalMarkets && <small className={classes.market}>{marketplaceName}</small>}
            </button>
          </th>
        ) : (
          <td key={column.id} data-kind={column.kind}>
            {articleCell(column, { article, marketplaceName })}
          </td>
        ),
      )}
      <td className="k-screen">
        <MiniRuler article={article} />
      </td>
      <td className="k-screen">
        <Link to={pricePath(article.masterid, article._id)} aria-label={`Warum dieser Preis? ${article._id}`}>
          Warum dieser Preis?
        </Link>
      </td>
    </tr>
  );
});
