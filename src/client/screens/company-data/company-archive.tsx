import { Button } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type CompanyExport, EXPORT_DAYS } from '#shared/operations/company-data.ts';
import { call } from '#client/call.ts';
import { failureOf, type FailureText } from '#client/failure.ts';
import { useReloadEvery } from '#client/page-load/use-reload-every.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { formatBytes, formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';

const POLL_MS = 2000;

/** Starts the archive of all data, shows its progress, and offers the download. */
export function CompanyArchive({ archive }: { archive: CompanyExport | null }) {
  const [failure, setFailure] = useFailure();
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const underWay = archive?.state === 'queued' || archive?.state === 'running';
  useReloadEvery(POLL_MS, underWay);
  const attempt = async (text: FailureText, work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(text, error));
    } finally {
      setBusy(false);
    }
  };
  const order = () =>
    attempt('Fehler beim Anlegen', async () => {
      await call(api.exportCompany);
      await revalidate();
    });
  const download = (runid: string) =>
    attempt('Fehler beim Laden', async () => {
      const { path } = await call(api.companyArchiveAddress, { params: { runid } });
      window.location.assign(path);
    });
  return (
    <section className="k-card k-stack" aria-labelledby="archiv">
      <h2 id="archiv">Alle Daten herunterladen</h2>
      <p className="k-muted">
        Ein Archiv (tar) mit allen Tabellen als JSON Lines und allen Dateien, dazu eine Beschreibung. Es enthält
        Kundendaten im Klartext und bleibt {EXPORT_DAYS} Tage.
      </p>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {archive !== null && underWay && <Progress progress={archive.progress} />}
      {archive?.state === 'failed' && <p role="alert">{archive.message ?? 'Das Archiv ließ sich nicht anlegen.'}</p>}
      {archive !== null && archive.until !== null && (
        <p>
          Archiv vom <strong>{formatTime(archive.orderedAt)}</strong>
          {archive.bytes !== null && `, ${formatBytes(archive.bytes)}`}, bis {formatTime(archive.until)}
        </p>
      )}
      <div className="k-row" style={{ flexWrap: 'wrap' }}>
        {archive !== null && archive.until !== null && (
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={busy}
            onClick={() => void download(archive.id)}
          >
            Herunterladen
          </Button>
        )}
        <Button variant="default" loading={busy} disabled={underWay} onClick={() => void order()}>
          {archive?.until == null ? 'Archiv anlegen' : 'Neu anlegen'}
        </Button>
      </div>
    </section>
  );
}

function Progress({ progress: { done, total } }: Pick<CompanyExport, 'progress'>) {
  return <ProgressBar label="Archiv wird angelegt" done={done} total={total} />;
}
