import { Button } from '@mantine/core';
import IconPlayerPlay from 'virtual:icons/player-play';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { ReadinessBadge } from '#client/fields/readiness.tsx';
import { ReleaseNotice } from '#client/fields/runs/release-notice.tsx';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { RunProgress } from '#client/fields/runs/run-progress.tsx';
import { isUnderWay, waitingRun } from '#client/fields/runs/run-words.ts';
import { queuedRun, useRun } from '#client/fields/runs/use-run.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatPlanned } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useOnce } from '#client/ui/use-once.ts';
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
  const { run, lost, follow } = useRun(runs[0] ?? lastRun, () => void revalidate());
  const [failure, setFailure] = useState<Failure | null>(null);
  const underWay = run !== null && isUnderWay(run);
  const waiting = waitingRun(run, runs);

  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const { runid } = await call(api.runExport, { params: { id } });
      follow(queuedRun(runid, 'export', id));
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
  });
  const onChange = async (changed: Run) => {
    // An older run that was held back is not the one shown.
    if (changed.runid === run?.runid) follow(changed);
    await revalidate();
  };

  return (
    <div className="k-stack" style={{ maxWidth: 1240 }}>
      <PageHeader
        title={settings.name}
        badge={
          <>
            {run !== null && <RunBadge run={run} />}
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
      {underWay && (
        <RunProgress run={run} lost={lost} onChange={(changed) => void onChange(changed)} mayCancel={mayRun} />
      )}
      {waiting && (
        <ReleaseNotice
          key={waiting.runid}
          run={waiting}
          newest={waiting.runid === run?.runid}
          mayRelease={mayRun}
          onChange={onChange}
        />
      )}
      <FileCard exportId={id} file={file} />
      <FeedAddress origin={origin} shown={shown} stock={stock} onSaved={() => void revalidate()} />
      {items === 0 ? (
        <NothingToPreview masterid={shown.masterid} />
      ) : (
        <Preview masterid={shown.masterid} exportId={id} />
      )}
      <RunHistory
        runs={runs}
        title="Letzte Läufe"
        onRetried={mayRun ? (runid) => follow(queuedRun(runid, 'export', id)) : undefined}
      />
      <UploadRuns uploads={uploads} mayRun={mayRun} onChange={() => void revalidate()} />
      <StoredFiles exportId={id} files={files} mayRun={mayRun} onChange={() => void revalidate()} />
    </div>
  );
}
