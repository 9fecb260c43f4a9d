import { Button } from '@mantine/core';
import IconZoomQuestion from 'virtual:icons/zoom-question';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import type { ExplainQuery } from './explain-query.ts';

type NotExplainedProps = { message: string; masterid: string; itemid: string; query: ExplainQuery };

/** Shown if an item, run or export does not exist (any more): what happened, and the next step. */
export function NotExplained({ message, masterid, itemid, query }: NotExplainedProps) {
  const search = new URLSearchParams({ suche: itemid });
  return (
    <div role="alert">
      <EmptyState
        icon={IconZoomQuestion}
        title="Das lässt sich nicht erklären"
        action={
          <div className="k-row">
            {query.runid !== null && (
              <Button component={Link} to={explainPath(masterid, itemid, { ...query, runid: null })}>
                Aktuellen Stand erklären
              </Button>
            )}
            <Button component={Link} variant="default" to={`${pathTo(pages.items, { masterid })}?${search.toString()}`}>
              „{itemid}“ in den Artikeln suchen
            </Button>
          </div>
        }
      >
        <p>{message}</p>
      </EmptyState>
    </div>
  );
}
