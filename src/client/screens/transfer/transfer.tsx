import { Button } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Export } from '#shared/exports/schema.ts';
import type { TransferSum } from '#shared/transfer/schema.ts';
import { call } from '#client/call.ts';
import { asking } from '#client/loading.ts';
import { RunProgress } from '#client/fields/runs/run-progress.tsx';
import { UploadFailedNotice } from '#client/fields/runs/upload-failed.tsx';
import { useReloadAfterRuns } from '#client/shell/live-status.tsx';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Counters } from './counters.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { useTransferRun } from './use-transfer-run.ts';
import { Views } from './views.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return asking(args)(api.export, { params: { id: args.params['id'] ?? '' } });
}

/** The page itself requests the views; changing the view need not reload the export. The end of a run must. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href;

export default function TransferPage() {
  const shown = useLoaderData<typeof loader>();
  return <Transfer key={shown.id} shown={shown} />;
}

/** TRA: the outcome of the items that were sent. */
function Transfer({ shown: { id, masterid, settings, lastRun, uploadFailure } }: { shown: Export }) {
  useReloadAfterRuns();
  const mayRun = useMay('run');
  const { version, anew, run, lost, follow, underWay, starting, sum, failure, forget, start } = useTransferRun(
    { id, lastRun },
    {
      kind: 'export',
      send: () => call(api.resendFailed, { params: { id } }),
      loadRun: async (signal) => (await call(api.export, { params: { id }, signal })).lastRun,
    },
  );
  return (
    <div className="k-stack">
      <PageHeader
        title={`Übertragung · ${settings.name}`}
        lead={`Was aus den Artikeln von „${settings.name}“ geworden ist.`}
        actions={
          mayRun && (
            <Button
              variant="default"
              loading={starting}
              disabled={underWay || (sum.answer?.INVALID ?? 0) === 0}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={start}
            >
              Fehlgeschlagene erneut senden
            </Button>
          )
        }
      />
      <ErrorNotice failure={failure} onClose={forget} />
      <UploadFailedNotice id={id} failure={uploadFailure} />
      {underWay && run !== null && <RunProgress run={run} lost={lost} onChange={follow} mayCancel={mayRun} />}
      {run !== null && <RunOutcome id={id} run={run} />}
      <Counters sum={sum} words={sourceWords} onRetry={anew} />
      <Views place={{ id, masterid }} version={version} onRetry={anew} />
    </div>
  );
}

/** Says who judged, so that our own check is not mistaken for the channel's answer. */
function sourceWords({ source, at, channel }: TransferSum): string {
  const when = at === null ? '' : ` vom ${formatTime(at)}`;
  const name = channel === '' ? 'des Kanals' : `von ${channel}`;
  if (source === 'channel') return `Letzte Antwort von ${channel}${when}.`;
  if (source === 'none') return 'Dieser Export lief noch nicht.';
  if (source === 'unchecked')
    return `Datei${when}. Für diesen Kanal gibt es keine Vorgaben; geprüft wurde nichts, alle Artikel gelten als angenommen.`;
  return `Datei${when}. Der Kanal meldet zu Dateien nichts zurück: angenommen heißt hier, dass der Artikel die Vorgaben ${name} erfüllt.`;
}
