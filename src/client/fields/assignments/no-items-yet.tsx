import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import type { Failure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';

/** Before the first import there is nothing to show yet, which is no error: says so, with the next step. */
export const NoItemsYet = ({ masterid }: { masterid: string }) => (
  <p className="k-muted" role="status">
    Dieser Katalog hat noch keine Artikel. <Link to={pathTo(pages.import, { masterid })}>Zum Import</Link>
  </p>
);

type ItemsFailureProps = { failure: Failure | null; masterid: string; onRetry: () => void };

/** The failure of a call about a catalogue's items. Trying again does not help while there are none. */
export function ItemsFailure({ failure, masterid, onRetry }: ItemsFailureProps) {
  if (failure?.code === 'no_items') return <NoItemsYet masterid={masterid} />;
  return <ErrorNotice failure={failure} onRetry={onRetry} />;
}
