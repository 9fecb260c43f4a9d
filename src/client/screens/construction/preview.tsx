import { Loader } from '@mantine/core';
import { PreviewTable } from '#client/fields/preview-table.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatFirst } from '#client/ui/text/formats.ts';
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

function PreviewRows({ masterid, exportId, answer, busy }: PreviewRowsProps) {
  if (answer.columns.length === 0) return <p>Noch hat kein Ausgabefeld eine Bezeichnung.</p>;
  if (answer.data.length === 0) return <p>Kein Artikel bleibt übrig. Prüfen Sie die Regeln und den Import.</p>;
  return <PreviewTable masterid={masterid} exportId={exportId} answer={answer} busy={busy} />;
}
