import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { DiagnosedProblem, ProblemItem } from '#shared/diagnosis/schema.ts';
import { call } from '#client/call.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './diagnosis.module.css';

const chunk = 20;
const longest = 300;

/** The diagnosis whose items are shown: of a run, or computed now (`runid` null). */
export type DiagnosedRun = { id: string; masterid: string; runid: string | null };

/** The items of a problem, page by page, each with the offending value and a link to its explanation. */
export function ProblemItems({ problem, shown }: { problem: DiagnosedProblem; shown: DiagnosedRun }) {
  const { id, runid } = shown;
  const [items, setItems] = useState<readonly ProblemItem[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [wanted, setWanted] = useState(chunk);
  const busy = failure === null && items.length < Math.min(wanted, problem.items);

  useEffect(() => {
    if (!busy) return;
    const stop = new AbortController();
    const load = async () => {
      try {
        const body = { problem: problem.key, offset: items.length, limit: chunk };
        const request = runid === null ? { ...body, now: true } : { ...body, run: runid };
        const answer = await call(api.problemItems, { params: { id }, body: request, signal: stop.signal });
        setItems((list) => [...list, ...answer.items]);
        // The present state may have changed since it was counted.
        if (answer.items.length < chunk) setWanted(0);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      }
    };
    void load();
    return () => stop.abort();
  }, [busy, id, runid, problem.key, items.length]);

  const fields = items[0]?.values.map(({ field }) => field) ?? [];
  return (
    <div className={classes.items} aria-busy={busy}>
      <ErrorNotice failure={failure} onRetry={() => setFailure(null)} />
      {items.length > 0 && (
        <ScrollRegion label={`Artikel: ${problem.sentence}`}>
          <table className="k-table">
            <thead>
              <tr>
                <th scope="col">Artikel</th>
                {fields.map((field) => (
                  <th key={field} scope="col">
                    {field}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <ItemRow key={item.id} item={item} problem={problem} shown={shown} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <div className="k-row">
        {busy && <Loader size="xs" color="var(--k-graphic)" role="img" aria-label="lade Artikel" />}
        <span className="k-muted k-small" role="status">
          {formatInteger(items.length)} von {formatInteger(problem.items)} gezeigt
        </span>
        {!busy && wanted > 0 && items.length < problem.items && (
          <Button variant="default" size="xs" onClick={() => setWanted(items.length + chunk)}>
            Weitere zeigen
          </Button>
        )}
      </div>
    </div>
  );
}

function ItemRow({ item, problem, shown }: { item: ProblemItem; problem: DiagnosedProblem; shown: DiagnosedRun }) {
  const explained = { exportId: shown.id, field: problem.field, runid: shown.runid };
  return (
    <tr>
      <th scope="row" className={classes.number}>
        <Link to={explainPath(shown.masterid, item.id, explained)}>{item.id}</Link>
      </th>
      {item.values.map(({ field, value }) => (
        <td key={field}>
          {value === null || value.trim() === '' ? (
            <span className="k-muted">leer</span>
          ) : (
            <mark className={classes.value}>{value.length > longest ? `${value.slice(0, longest)} …` : value}</mark>
          )}
        </td>
      ))}
    </tr>
  );
}
