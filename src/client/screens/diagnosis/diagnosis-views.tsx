import { useSearchParams } from 'react-router';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { readQuery, viewQuery, withView } from './diagnosis-query.ts';

/** The saved views of the list of problems. A field without problems in this run is not reported as removed. */
export function DiagnosisViews() {
  const [address, setAddress] = useSearchParams();
  const query = readQuery(address);
  const shown = viewQuery(query);
  return (
    <SavedViews
      table="diagnosis"
      query={shown}
      opened={query.savedView}
      untouched={shown.size === 0 && query.savedView === ''}
      fit={(stored) => ({ query: viewQuery(readQuery(stored)), gone: [] })}
      onOpen={(view, id, replace) =>
        setAddress((now) => withView(now, view, id), { preventScrollReset: true, replace })
      }
    />
  );
}
