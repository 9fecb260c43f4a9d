import { useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { RejectedRow, Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatInteger } from '#client/ui/text/formats.ts';
import { Pager } from '#client/ui/grid/pager.tsx';
import classes from './import.module.css';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

const size = 25;

/** The lines of the file that did not become items, each with its reason and original text. */
export function RejectedRows({ run }: { run: Run }) {
  const expected = (run.rejected ?? 0) + (run.duplicates ?? 0);
  const [page, setPage] = useState(0);
  const [rows, setRows] = useState<readonly RejectedRow[]>([]);
  const [total, setTotal] = useState(expected);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { runid } = run;

  useEffect(() => {
    if (expected === 0) return;
    const stop = new AbortController();
    const load = async () => {
      try {
        const answer = await call(api.rejected, {
          params: { runid },
          query: { offset: page * size, limit: size },
          signal: stop.signal,
        });
        setRows(answer.rows);
        setTotal(answer.total);
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      }
    };
    void load();
    return () => stop.abort();
  }, [runid, page, expected, attempt]);

  if (expected === 0) return null;
  return (
    <section className="k-card k-stack" aria-labelledby="nicht-uebernommen">
      <h2 id="nicht-uebernommen">Nicht übernommene Zeilen</h2>
      <ErrorNotice failure={failure} onRetry={() => setAttempt((now) => now + 1)} />
      <ScrollRegion label="Nicht übernommene Zeilen" className={classes.limited}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col" className="k-number">
                Zeile
              </th>
              <th scope="col">Art</th>
              <th scope="col">Grund</th>
              <th scope="col">Inhalt</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.line}-${row.kind}-${row.reason}`}>
                <td className="k-number">{formatInteger(row.line)}</td>
                <td>
                  {row.kind === 'rejected' ? <Badge tone="red">abgelehnt</Badge> : <Badge tone="yellow">doppelt</Badge>}
                </td>
                <td style={{ minWidth: 180 }}>{row.reason}</td>
                <td style={{ minWidth: 240 }}>
                  <code className={classes.raw}>{row.raw}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {total > size && <Pager page={page} size={size} total={total} onPage={setPage} noun="Zeilen" />}
    </section>
  );
}
