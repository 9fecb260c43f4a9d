import { useMemo, useState } from 'react';
import type { ArticleListProps } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import classes from './articles.module.css';
import { ListHead } from './list/list-head.tsx';
import { ListProgress } from './loading/list-progress.tsx';
import { ListTools } from './list/list-tools.tsx';
import { NoArticles } from './list/no-articles.tsx';
import { ArticleTable } from './list/article-table.tsx';
import { articlePageSizes, readArticleQuery, viewQuery } from './selection/article-query.ts';
import { useArticleQuery } from './selection/use-article-query.ts';
import { useArticles } from './loading/use-articles.ts';
import { useDelayedTrue, useSelected } from './selection/use-selected.ts';

/** Milliseconds that sorting may take before a spinner appears. */
const spinnerAfter = 500;

/** RDA-04, RDA-05: our articles compared with those of competitors. Keyed by its source: loaded rows belong to one list. */
export function ArticleList(props: ArticleListProps) {
  const [version, setVersion] = useState(0);
  const { masterid, sellerId, of } = props;
  const key = JSON.stringify([masterid, sellerId, of, version]);
  return <Articles key={key} {...props} onReload={() => setVersion(version + 1)} />;
}

function Articles({ masterid, sellerId, of, onBack, onReload }: ArticleListProps & { onReload: () => void }) {
  const load = useArticles({ masterid, sellerId, of });
  const [query, change] = useArticleQuery();
  const { places, busy } = useSelected(load.rows, query);
  const sorting = useDelayedTrue(busy && load.rows.articles.length > 0, spinnerAfter);
  const { rows, failure } = load;
  const last = Math.max(0, Math.ceil(places.length / query.size) - 1);
  const page = Math.min(query.page, last);
  const shown = Array.from(
    places.subarray(page * query.size, (page + 1) * query.size),
    (place) => rows.articles[place],
  );
  const severalMarkets = useMemo(
    () => rows.articles.some(({ marketplace }) => marketplace !== rows.articles[0]?.marketplace),
    [rows],
  );
  const settled = !load.busy && !busy;
  return (
    <section className={classes.list} aria-labelledby="artikelliste">
      <ListHead of={of} at={load.at} busy={load.busy} onBack={onBack} onReload={onReload} />
      <ListProgress load={load} />
      <ErrorNotice failure={failure} onRetry={load.resume} />
      <SavedViews
        table="repricer-articles"
        masterid={masterid}
        query={viewQuery(query)}
        opened={query.savedView}
        untouched={query.savedView === '' && query.page === 0 && query.opened === '' && viewQuery(query).size === 0}
        fit={(stored) => ({ query: viewQuery(readArticleQuery(stored)), gone: [] })}
        onOpen={(view, savedView, replace) => change({ ...readArticleQuery(view), savedView }, replace)}
      />
      <ListTools query={query} onQuery={change} rows={rows} places={places} complete={load.progress.finished} of={of} />
      <ArticleTable
        sellerId={sellerId}
        articles={shown.filter((article) => article !== undefined)}
        firstRow={page * query.size}
        total={places.length}
        severalMarkets={severalMarkets}
        query={query}
        busy={(load.busy && rows.articles.length === 0) || sorting}
        sorting={sorting}
        onQuery={change}
        empty={
          settled &&
          failure === null && (
            <NoArticles
              loaded={rows.articles.length}
              onReset={() => change({ search: '', ownBox: 'all', rivalBox: 'all', opened: '' })}
            />
          )
        }
      />
      {places.length > 0 && (
        <Pager
          page={page}
          size={query.size}
          total={places.length}
          sizes={articlePageSizes}
          noun="Datensätzen"
          onPage={(next) => change({ page: next, opened: '' })}
          onSize={(size) => change({ size })}
        />
      )}
    </section>
  );
}
