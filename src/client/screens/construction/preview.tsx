import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api } from '#shared/api.ts';
import type { AnswerOf } from '#shared/call.ts';
import type { ConstructionRow } from '#shared/construction.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';
import { explainPath } from '../../explain-path.ts';
import { PreviewTool, PreviewValue } from '../../fields/preview-cells.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatCount } from '../../ui/formats.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';

type Answer = AnswerOf<typeof api.previewExport>;

const limit = 10;
const pause = 500;

type PreviewProps = { masterid: string; exportId: string; rows: readonly ConstructionRow[] };

/** The first items as the rows in the form would write them, saved or not. */
export function Preview({ masterid, exportId, rows }: PreviewProps) {
  const { answer, failure, busy, again } = usePreview(exportId, rows);
  const words =
    answer === null
      ? 'lade Daten'
      : `Die ersten ${answer.data.length} von ${formatCount(answer.total, 'Artikel', 'Artikeln')}, auch mit ungespeicherten Änderungen`;
  return (
    <section className="k-card k-stack" aria-labelledby="vorschau" aria-busy={busy}>
      <div className="k-between">
        <div>
          <h2 id="vorschau">Vorschau</h2>
          {failure === null && (
            <p className="k-muted k-small" role="status">
              {words}
            </p>
          )}
        </div>
        {busy && <Loader size="sm" color="var(--k-graphic)" aria-label="lade Daten" />}
      </div>
      <ErrorNotice failure={failure} onRetry={again} />
      {answer !== null && failure === null && (
        <PreviewRows masterid={masterid} exportId={exportId} answer={answer} busy={busy} />
      )}
    </section>
  );
}

type PreviewRowsProps = { masterid: string; exportId: string; answer: Answer; busy: boolean };

/** Each row and value leads to where it comes from, by the state that is saved. */
function PreviewRows({ masterid, exportId, answer: { columns, ids, data }, busy }: PreviewRowsProps) {
  if (columns.length === 0) return <p>Noch hat kein Ausgabefeld eine Bezeichnung.</p>;
  if (data.length === 0) return <p>Kein Artikel bleibt übrig. Prüfen Sie die Regeln und den Import.</p>;
  return (
    <ScrollRegion label="Vorschau der Ausgabe">
      <table className="k-table" style={busy ? { opacity: 0.55 } : undefined}>
        <thead>
          <tr>
            <th scope="col">
              <span className="k-hidden">Erklären</span>
            </th>
            {columns.map((name, index) => (
              <th key={index} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((row, index) => (
            <tr key={index}>
              <PreviewTool masterid={masterid} exportId={exportId} itemid={ids[index] ?? ''} />
              {row.map((value, column) => (
                <td key={column}>
                  <PreviewValue
                    to={explainPath(masterid, ids[index] ?? '', { exportId, field: columns[column] ?? null })}
                    value={value}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Asks a moment after the last change; the newest question ends the older one. */
function usePreview(id: string, rows: readonly ConstructionRow[]) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(true);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      setBusy(true);
      try {
        const body = { rows: [...rows], limit };
        setAnswer(await call(api.previewExport, { params: { id }, body, signal: stop.signal }));
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      } finally {
        if (!stop.signal.aborted) setBusy(false);
      }
    };
    const timer = setTimeout(() => void load(), pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, rows, attempt]);
  return { answer, failure, busy, again: () => setAttempt((now) => now + 1) };
}
