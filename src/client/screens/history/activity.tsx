import { Button } from '@mantine/core';
import IconHistory from 'virtual:icons/history';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type Activity, documentSubjects } from '#shared/history/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import classes from './history.module.css';
import { LaterChanges } from './later-changes.tsx';
import { historyPath } from './scope-path.ts';

const chunk = 30;

export async function loader(args: LoaderFunctionArgs) {
  return asking(args)(api.activity, { query: { limit: chunk } });
}

/** Keyed by the newest save: opened again from itself, the list starts with what was saved meanwhile. */
export default function ActivityPage() {
  const first = useLoaderData<typeof loader>();
  const [newest] = first;
  return <Activities key={newest === undefined ? '' : keyOf(newest)} first={first} />;
}

/** Everything that was saved in the company, newest first. */
function Activities({ first }: { first: readonly Activity[] }) {
  const [entries, setEntries] = useState(first);
  const [busy, setBusy] = useState(false);
  const [complete, setComplete] = useState(first.length < chunk);
  const loadMore = async () => {
    setBusy(true);
    try {
      const more = await call(api.activity, { query: { offset: entries.length, limit: chunk } });
      setComplete(more.length < chunk);
      // A save in the meantime shifts the pages, so entries may arrive twice.
      setEntries((list) => [...list, ...more.filter((entry) => !list.some((known) => keyOf(known) === keyOf(entry)))]);
    } catch (error) {
      showFailure(failureOf('Fehler beim Laden', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader title="Verlauf" lead="Wer hat wann was geändert, im ganzen Unternehmen." />
      {entries.length === 0 ? (
        <EmptyState icon={IconHistory} title="Noch nichts gespeichert">
          <p>Sobald jemand Regeln, einen Feldaufbau oder Einstellungen speichert, steht es hier.</p>
        </EmptyState>
      ) : (
        <section className="k-card" aria-label="Änderungen">
          <ol className={classes.list}>
            {entries.map((entry) => (
              <Entry key={keyOf(entry)} entry={entry} />
            ))}
          </ol>
          {!complete && (
            <Button variant="default" loading={busy} onClick={() => void loadMore()}>
              Ältere laden
            </Button>
          )}
        </section>
      )}
    </div>
  );
}

const keyOf = ({ subject, scope, revision }: Activity): string => `${subject} ${scope} ${revision}`;

function Entry({ entry }: { entry: Activity }) {
  const { subject, scope, revision, owner, author, createdAt } = entry;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <h2 className="k-strong" style={{ fontSize: 'inherit' }}>
          <Link to={historyPath(subject, scope)}>
            {documentSubjects[subject].title} · {owner}
          </Link>
        </h2>
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
        <span className="k-muted">
          {author}, Stand {revision}
        </span>
      </div>
      <LaterChanges subject={subject} scope={scope} saved={entry} />
    </li>
  );
}
