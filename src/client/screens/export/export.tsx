import { Button } from '@mantine/core';
import IconPlayerPlay from 'virtual:icons/player-play';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { ReadinessBadge } from '#client/fields/readiness.tsx';
import { CurrentRun, useCurrentRun } from '#client/fields/runs/current-run.tsx';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { LastWarnings } from '#client/fields/runs/run-warnings.tsx';
import { UploadFailedBadge, uploadsId } from '#client/fields/runs/upload-failed.tsx';
import { useReloadAfterRuns } from '#client/shell/live-status.tsx';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatPlanned } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './export.module.css';
import { FeedAddress } from './feed-address.tsx';
import { StoredFiles } from './stored-files.tsx';
import { FileCard } from './file-card.tsx';
import { NothingToPreview, Preview } from './preview.tsx';
import { UploadRuns } from './upload-runs.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const params = { id: args.params['id'] ?? '' };
  const [shown, runs, uploads, files, schedule, stock] = await Promise.all([
    ask(api.export, { params }),
    ask(api.exportRuns, { params }),
    ask(api.exportUploads, { params }),
    ask(api.exportFiles, { params }),
    ask(api.exportSchedule, { params }),
    ask(api.stockFields, { params }),
  ]);
  const { items } = await ask(api.master, { params: { masterid: shown.masterid } });
  return { shown, runs, uploads, files, schedule, stock, items, origin: new URL(args.request.url).origin };
}

export default function ExportPage() {
  const loaded = useLoaderData<typeof loader>();
  return <ExportView key={loaded.shown.id} {...loaded} />;
}

/** One export: starts a run, offers its file, shows what was sent. */
function ExportView({
  shown,
  runs,
  uploads,
  files,
  schedule,
  stock,
  items,
  origin,
}: Awaited<ReturnType<typeof loader>>) {
  const { id, settings, lastRun, file } = shown;
  const mayRun = useMay('run');
  const { revalidate } = useRevalidator();
  useReloadAfterRuns();
  const current = useCurrentRun({ kind: 'export', owner: id }, runs, lastRun);
  const { run, underWay } = current;
  const [failure, setFailure] = useFailure();

  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const { runid } = await call(api.runExport, { params: { id } });
      current.onStarted(runid);
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
  });
  return (
    <div className="k-stack" style={{ maxWidth: 1240 }}>
      <PageHeader
        title={settings.name}
        badge={
          <>
            {run !== null && <RunBadge run={run} />}
            {shown.uploadFailure !== null && (
              <Link to={{ hash: uploadsId }} className={classes.chip} title={shown.uploadFailure}>
                <UploadFailedBadge />
              </Link>
            )}
            {shown.readiness !== null && <ReadinessBadge exportId={id} readiness={shown.readiness} />}
          </>
        }
        lead="Der Export wendet Regeln und Feldaufbau an und schreibt die Datei, die Ihr Marktplatz abruft."
        actions={
          mayRun && (
            <Button
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={busy}
              disabled={underWay}
              onClick={start}
            >
              Export starten
            </Button>
          )
        }
      />
      {schedule.nextAt !== null && <p>Nächster geplanter Lauf: {formatPlanned(schedule.nextAt)}</p>}
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {run?.state === 'failed' && (
        <ErrorNotice
          failure={{
            title: 'Der letzte Lauf ist fehlgeschlagen',
            message: `${run.message ?? ''}${file === null ? '' : ' Die letzte Datei bleibt abrufbar.'}`,
          }}
        />
      )}
      <CurrentRun current={current} mayRun={mayRun} />
      <LastWarnings run={run} />
      <FileCard exportId={id} file={file} />
      <FeedAddress origin={origin} shown={shown} stock={stock} onSaved={() => void revalidate()} />
      {items === 0 ? (
        <NothingToPreview masterid={shown.masterid} />
      ) : (
        <Preview masterid={shown.masterid} exportId={id} />
      )}
      <RunHistory runs={runs} title="Letzte Läufe" onRetried={mayRun ? current.onStarted : undefined} />
      <UploadRuns uploads={uploads} mayRun={mayRun} onChange={() => void revalidate()} />
      <StoredFiles exportId={id} files={files} mayRun={mayRun} onChange={() => void revalidate()} />
    </div>
  );
}
