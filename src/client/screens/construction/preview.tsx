import { Loader } from '@mantine/core';
import { explainPath } from '#client/paths/explain-path.ts';
import { PreviewTool, PreviewValue } from '#client/fields/preview-cells.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatFirst } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import type { PreviewState } from './use-preview.ts';

type PreviewProps = { masterid: string; exportId: string; preview: PreviewState };

/** The first items as the rows in the form would write them, saved or not. */
export function Preview({ masterid, exportId, preview }: PreviewProps) {
  const { enabled, answer, failure, busy, again } = preview;
  const waiting = enabled ? 'lade Daten' : 'Die Vorschau zeigt Artikel, sobald der Katalog welche hat.';
  const words =
    answer === null ? waiting : `${formatFirst(answer.data.length, answer.total)}, auch mit ungespeicherten Änderungen`;
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
        {busy && (answer === null || failure !== null) && (
          <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />
        )}
      </div>
      <ErrorNotice failure={failure} onRetry={again} />
      {answer !== null && failure === null && (
        <PreviewRows masterid={masterid} exportId={exportId} answer={answer} busy={busy} />
      )}
    </section>
  );
}

type PreviewRowsProps = {
  masterid: string;
  exportId: string;
  answer: NonNullable<PreviewState['answer']>;
  busy: boolean;
};

/** Each row and value leads to where it comes from, by the state that is saved. */
function PreviewRows({ masterid, exportId, answer: { columns, ids, data }, busy }: PreviewRowsProps) {
  if (columns.length === 0) return <p>Noch hat kein Ausgabefeld eine Bezeichnung.</p>;
  if (data.length === 0) return <p>Kein Artikel bleibt übrig. Prüfen Sie die Regeln und den Import.</p>;
  return (
    <div className="k-renewing" aria-busy={busy}>
      <ScrollRegion label="Vorschau der Ausgabe">
        <table className="k-table">
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
    </div>
  );
}
