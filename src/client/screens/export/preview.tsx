import { Button, Loader } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { PreviewTable } from '#client/fields/preview-table.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatFirst } from '#client/ui/text/formats.ts';
import classes from './export.module.css';

const rows = 20;

/** What the file would hold now: the first rows after rules and construction, computed but not written. */
export function Preview({ masterid, exportId }: { masterid: string; exportId: string }) {
  const [answer, setAnswer] = useState<AnswerOf<typeof api.previewExport> | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(true);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      setBusy(true);
      try {
        setAnswer(
          await call(api.previewExport, { params: { id: exportId }, body: { limit: rows }, signal: stop.signal }),
        );
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      } finally {
        if (!stop.signal.aborted) setBusy(false);
      }
    };
    void load();
    return () => stop.abort();
  }, [exportId, attempt]);

  const again = () => setAttempt((now) => now + 1);
  return (
    <section className="k-card k-stack" aria-labelledby="vorschau" aria-busy={busy}>
      <div className="k-between">
        <div>
          <h2 id="vorschau">Vorschau</h2>
          <p className="k-muted k-small" role="status">
            {answer === null
              ? 'lade Daten'
              : `${formatFirst(Math.min(rows, answer.data.length), answer.total)}, wie sie jetzt ausgegeben würden`}
          </p>
        </div>
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} loading={busy} onClick={again}>
          Neu berechnen
        </Button>
      </div>
      <ErrorNotice failure={failure} onRetry={again} />
      {answer === null && failure === null && (
        <div className={classes.loading}>
          <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />
        </div>
      )}
      {answer !== null && answer.columns.length === 0 && (
        <p>Der Feldaufbau hat noch keine Felder. Legen Sie dort fest, was ausgegeben wird.</p>
      )}
      {answer !== null && answer.columns.length > 0 && answer.data.length === 0 && (
        <p>Kein Artikel bleibt übrig. Prüfen Sie die Regeln und den Import.</p>
      )}
      {answer !== null && answer.data.length > 0 && (
        <PreviewTable masterid={masterid} exportId={exportId} answer={answer} busy={busy} className={classes.preview} />
      )}
    </section>
  );
}

/** Before the first import there is nothing to compute, which is not an error. */
export function NothingToPreview({ masterid }: { masterid: string }) {
  return (
    <section className="k-card" aria-labelledby="vorschau">
      <h2 id="vorschau">Vorschau</h2>
      <p className="k-muted">
        Der Katalog hat noch keine Artikel. <Link to={pathTo(pages.import, { masterid })}>Zum Import</Link>
      </p>
    </section>
  );
}
