import IconArrowDown from 'virtual:icons/arrow-down';
import IconArrowUp from 'virtual:icons/arrow-up';
import IconArrowsSort from 'virtual:icons/arrows-sort';
import classes from './article-table.module.css';
import { type ArticleColumn, articleGroups } from './article-columns.ts';
import type { ArticleQuery } from '#client/screens/repricer/dashboard/articles/selection/article-query.ts';

type ArticleHeadProps = {
  sort: ArticleQuery['sort'];
  direction: ArticleQuery['direction'];
  onQuery: (changed: Partial<ArticleQuery>) => void;
};

/** Two rows of heads: the groups, and the sortable columns. A column without a group spans both. */
export function ArticleHead({ sort, direction, onQuery }: ArticleHeadProps) {
  const head = (column: ArticleColumn, group: string) => (
    <ColumnHead
      key={column.id}
      column={column}
      group={group}
      direction={column.id === sort ? direction : undefined}
      onPress={() =>
        onQuery({ sort: column.id, direction: column.id === sort && direction === 'asc' ? 'desc' : 'asc', opened: '' })
      }
    />
  );
  return (
    <thead>
      <tr aria-rowindex={1}>
        {articleGroups.map(({ title, columns }) =>
          title === '' ? (
            columns.map((column) => head(column, title))
          ) : (
            <th key={title} scope="colgroup" colSpan={columns.length} className={classes.group}>
              <span>{title}</span>
            </th>
          ),
        )}
        <th scope="colgroup" colSpan={2} className={`k-screen ${classes.group}`}>
          <span>Vergleich</span>
        </th>
      </tr>
      <tr aria-rowindex={2}>
        {articleGroups.flatMap(({ title, columns }) =>
          title === '' ? [] : columns.map((column) => head(column, title)),
        )}
        <th scope="col" className="k-screen">
          Preislage
        </th>
        <th scope="col" className="k-screen">
          Erklärung
        </th>
      </tr>
    </thead>
  );
}

type ColumnHeadProps = {
  column: ArticleColumn;
  group: string;
  direction: ArticleQuery['direction'] | undefined;
  onPress: () => void;
};

function ColumnHead({ column: { id, kind, title }, group, direction, onPress }: ColumnHeadProps) {
  const sorted = direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      rowSpan={group === '' ? 2 : undefined}
      aria-sort={sorted}
      className={id === '_id' ? classes.first : undefined}
      data-kind={kind}
    >
      <button
        type="button"
        className={classes.sort}
        title={`Nach ${group === '' ? '' : `${group}: `}${title} sortieren`}
        onClick={onPress}
      >
        <span>{title}</span>
        <SortIcon direction={direction} />
      </button>
    </th>
  );
}

function SortIcon({ direction }: { direction: 'asc' | 'desc' | undefined }) {
  if (direction === undefined) return <IconArrowsSort size={13} aria-hidden className={classes.unsorted} />;
  return direction === 'asc' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />;
}
