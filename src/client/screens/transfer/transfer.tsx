import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/api.ts';
import type { Export } from '#shared/exports.ts';
import type { TransferSum } from '#shared/transfer.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';
import { asking } from '../../loading.ts';
import { RunProgress } from '../../runs/run-progress.tsx';
import { isUnderWay } from '../../runs/run-words.ts';
import { queuedRun, useRun } from '../../runs/use-run.ts';
import { useMay } from '../../shell/session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatTime } from '../../ui/formats.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Counters } from './counters.tsx';
import { useSum } from './use-transfer.ts';
import { Views } from './views.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return asking(args)(api.export, { params: { id: args.params['id'] ?? '' } });
}

/** The views are asked for by the page itself; another one is no reason to load the export anew. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

export default function TransferPage() {
  const shown = useLoaderData<typeof loader>();
  return <Transfer key={shown.id} shown={shown} />;
}

/** TRA: what became of the items that were sent. */
function Transfer({ shown: { id, masterid, settings, lastRun } }: { shown: Export }) {
  const mayRun = useMay('run');
  const [version, setVersion] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const anew = () => setVersion((now) => now + 1);
  const { run, lost, follow } = useRun(lastRun, anew);
  const underWay = run !== null && isUnderWay(run);
  const sum = useSum(id, version);

  const resend = async () => {
    setFailure(null);
    try {
      const { runid } = await call(api.resendFailed, { params: { id } });
      follow(queuedRun(runid, 'export', id));
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
  };
  return (
    <div className="k-stack">
      <PageHeader
        title="Übertragung"
        lead={`Was aus den Artikeln von „${settings.name}“ geworden ist.`}
        actions={
          mayRun && (
            <Button
              variant="default"
              disabled={underWay || (sum.answer?.INVALID ?? 0) === 0}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => void resend()}
            >
              Fehlgeschlagene erneut senden
            </Button>
          )
        }
      />
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {underWay && <RunProgress run={run} lost={lost} onChange={follow} mayCancel={mayRun} />}
      <Counters sum={sum.answer} failed={sum.failure !== null} />
      {sum.answer !== null && <p className="k-muted k-small">{sourceWords(sum.answer)}</p>}
      <Views place={{ id, masterid }} version={version} onRetry={anew} />
    </div>
  );
}

/** Who judged, so that nobody takes our own check for the channel's word. */
function sourceWords({ source, at, channel }: TransferSum): string {
  const when = at === null ? '' : ` vom ${formatTime(at)}`;
  const name = channel === '' ? 'des Kanals' : `von ${channel}`;
  if (source === 'channel') return `Letzte Antwort von ${channel}${when}.`;
  if (source === 'none') return 'Dieser Export lief noch nicht.';
  if (source === 'unchecked')
    return `Datei${when}. Für diesen Kanal gibt es keine Vorgaben; geprüft wurde nichts, alle Artikel gelten als angenommen.`;
  return `Datei${when}. Der Kanal meldet zu Dateien nichts zurück: angenommen heißt hier, dass der Artikel die Vorgaben ${name} erfüllt.`;
}
