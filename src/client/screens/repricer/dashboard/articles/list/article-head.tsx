import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import classes from '#client/screens/repricer/dashboard/articles/articles.module.css';
import { type ArticleColumn, articleGroups } from './article-columns.ts';
import type { ArticleQuery } from './article-query.ts';

type ArticleHeadProps = {
  sort: ArticleQuery['sort'];
  direction: ArticleQuery['direction'];
  onQuery: (changed: Partial<ArticleQuery>) => void;
};

/** Two rows of heads: the groups, and the columns to sort by. */
export function ArticleHead({ sort, direction, onQuery }: ArticleHeadProps) {
  const press = ({ id }: ArticleColumn) =>
    onQuery({ sort: id, direction: id === sort && direction === 'asc' ? 'desc' : 'asc', opened: '' });
  return (
    <thead>
      <tr aria-rowindex={1}>
        {articleGroups.map(({ title, columns }) =>
          title === '' ? (
            columns.map((column, index) => (
              <td key={column.id} className={index === 0 ? classes.first : undefined} />
            ))
          ) : (
            <th key={title} scope="colgroup" colSpan={columns.length} className={classes.group}>
              {title}
            </th>
          ),
        )}
        <th scope="colgroup" colSpan={2} className={classes.group}>
          Vergleich
        </th>
      </tr>
      <tr aria-rowindex={2}>
        {articleGroups.flatMap((group) =>
          group.columns.map((column) => {
            const sorted = column.id === sort ? direction : undefined;
            return (
              <th
                key={column.id}
                scope="col"
                aria-sort={sorted === undefined ? undefined : sorted === 'asc' ? 'ascending' : 'descending'}
                className={column.id === '_id' ? classes.first : undefined}
                data-kind={column.kind}
              >
                <button
                  type="button"
                  className={classes.sort}
                  title={`Nach ${group.title === '' ? '' : `${group.title}: `}${column.title} sortieren`}
                  onClick={() => press(column)}
                >
                  <span>{column.title}</span>
                  <SortIcon direction={sorted} />
                </button>
              </th>
            );
          }),
        )}
        <th scope="col">Preislage</th>
        <th scope="col">Erklärung</th>
      </tr>
    </thead>
  );
}

function SortIcon({ direction }: { direction: 'asc' | 'desc' | undefined }) {
  if (direction === undefined) return <IconArrowsSort size={13} aria-hidden className={classes.unsorted} />;
  return direction === 'asc' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />;
}
