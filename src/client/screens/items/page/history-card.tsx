import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ItemHistory } from '#shared/items/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import { WordDiffText } from '#client/ui/text/word-diff-text.tsx';
import { PageCard } from './page-card.tsx';
import classes from './history-card.module.css';
import pageClasses from './page.module.css';

type Entry = ItemHistory['entries'][number];

const words: Record<Entry['what'], string> = {
  first: 'ältester aufbewahrter Stand',
  new: 'neu hinzugekommen',
  gone: 'nicht mehr in der Datei',
  changed: 'geändert',
};

/** Which import changed which values of the item, from the stored states. */
export function HistoryCard({ masterid, itemid }: { masterid: string; itemid: string }) {
  const query = { masterid };
  return (
    <PageCard
      anchor="verlauf"
      title="Verlauf der Werte"
      more={
        <Link className="k-small" to={pathTo(pages.import, { masterid })}>
          Alle Importe
        </Link>
      }
      ask={(signal) => call(api.itemHistory, { params: { id: itemid }, query, signal })}
    >
      {({ entries, states, more }) => (
        <>
          <ol className={pageClasses.plain}>
            {entries.map((entry) => (
              <li key={entry.snapshot}>
                <strong>
                  Stand {entry.snapshot}: {words[entry.what]}
                </strong>
                <span className={pageClasses.second}>
                  <time dateTime={entry.at}>{formatTime(entry.at)}</time> · {entry.source}
                </span>
                {entry.changes.length > 0 && <Changes entry={entry} />}
              </li>
            ))}
          </ol>
          <p className="k-muted k-small">
            Verglichen {states === 1 ? 'ist' : 'sind'} {formatCount(states, 'aufbewahrter Stand', 'aufbewahrte Stände')}
            {more && '; ältere werden hier nicht gezeigt'}. Imports, die an diesem Artikel nichts änderten, stehen nicht
            in der Liste.
          </p>
        </>
      )}
    </PageCard>
  );
}

function Changes({ entry }: { entry: Entry }) {
  return (
    <dl className={classes.changes}>
      {entry.changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <WordDiffText before={before} after={after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
