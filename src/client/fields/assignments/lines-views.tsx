import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { linesQuery, readLines } from './lines/lines-query.ts';
import type { Line } from './lines/lines.ts';
import type { Counts } from './lines/use-counts.ts';
import type { LinesForm } from './lines/use-lines.ts';
import { useLinesAddress } from './lines/use-lines-address.ts';
import type { LinesView } from './lines/use-view.ts';

type LinesViewsProps = { view: LinesView<Line>; loading: LinesForm<Line>['loading']; counts: Counts };

/** Saved views of the assignment tables: which rows are shown. A view fits each of these tables. */
export function LinesViews({ view, loading, counts }: LinesViewsProps) {
  const { query, opened, untouched, open } = useLinesAddress(view, loading, counts);
  return (
    <SavedViews
      table="assignments"
      small
      query={query}
      opened={opened}
      untouched={untouched && opened === ''}
      fit={(stored) => ({ query: linesQuery(readLines(stored)), gone: [] })}
      onOpen={open}
    />
  );
}
