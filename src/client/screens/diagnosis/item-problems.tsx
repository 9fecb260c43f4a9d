import { Button, Loader, TextInput } from '@mantine/core';
import IconSearch from 'virtual:icons/search';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { call } from '#client/call.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from './diagnosis.module.css';
import type { DiagnosedRun } from './problem-items.tsx';
import { SeverityBadge } from './problem-list.tsx';

type ItemProblemsProps = { shown: DiagnosedRun; itemid: string | null; onItem: (itemid: string | null) => void };

/** One item with all its problems in the run. */
export function ItemProblems({ shown, itemid, onItem }: ItemProblemsProps) {
  const [text, setText] = useState(itemid ?? '');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onItem(text.trim() === '' ? null : text.trim());
  };
  return (
    <section className="k-card k-stack" aria-labelledby="einzeln">
      <h2 id="einzeln">Ein Artikel</h2>
      <form className={classes.search} role="search" aria-label="Artikel prüfen" onSubmit={submit}>
        <TextInput
          label="Artikelnummer"
          value={text}
          maxLength={2000}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="default" aria-label="Probleme dieses Artikels zeigen" px={10}>
          <IconSearch size={16} aria-hidden />
        </Button>
      </form>
      {itemid !== null && <Answer key={`${itemid} ${shown.runid}`} shown={shown} itemid={itemid} />}
    </section>
  );
}

function Answer({ shown, itemid }: { shown: DiagnosedRun; itemid: string }) {
  const { id, runid, masterid } = shown;
  const [answer, setAnswer] = useState<AnswerOf<typeof api.itemProblems> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const query = runid === null ? {} : { run: runid };
    call(api.itemProblems, { params: { id, itemid }, query, signal: stop.signal })
      .then(setAnswer)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      });
    return () => stop.abort();
  }, [id, itemid, runid]);
  if (failure !== null) return <ErrorNotice failure={failure} />;
  if (answer === null) return <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />;
  const { problems } = answer;
  if (problems === null)
    return (
      <p role="status">
        „{itemid}“ war nicht im Lauf. <Link to={explainPath(masterid, itemid, { exportId: id })}>Warum nicht?</Link>
      </p>
    );
  return (
    <div className="k-stack">
      <p role="status">
        {problems.length === 0 ? 'Nichts zu beanstanden.' : formatCount(problems.length, 'Problem', 'Probleme')}
      </p>
      <ul className={classes.own}>
        {problems.map(({ key, severity, sentence, todo, field, values }) => (
          <li key={key}>
            <div className={classes.head}>
              <SeverityBadge severity={severity} />
              <strong>{sentence}</strong>
            </div>
            {values.map(
              (one) =>
                one.value !== null && (
                  <p key={one.field} className="k-small">
                    <code className={classes.field}>{one.field}</code>{' '}
                    <mark className={classes.value}>{one.value.slice(0, 300)}</mark>
                  </p>
                ),
            )}
            <p className="k-muted k-small">
              {todo}{' '}
              <Link to={explainPath(masterid, itemid, { exportId: id, field, runid })}>Woher kommt der Wert?</Link>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
