import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/api.ts';
import { marketplaceName, type MarketplaceChannel } from '#shared/marketplace-accounts.ts';
import { pages } from '#shared/pages.ts';
import type { Run } from '#shared/runs.ts';
import type { TransferSum } from '#shared/transfer.ts';
import { pathTo } from '../../address.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';
import { asking } from '../../loading.ts';
import { RunBadge } from '../../runs/run-badge.tsx';
import { RunProgress } from '../../runs/run-progress.tsx';
import { isUnderWay } from '../../runs/run-words.ts';
import { queuedRun, useRun } from '../../runs/use-run.ts';
import { useMay } from '../../shell/session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatCount, formatTime } from '../../ui/formats.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Counters } from './counters.tsx';
import { useSum } from './use-transfer.ts';
import { Views } from './views.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return asking(args)(api.marketplaceChannel, { params: { id: args.params['id'] ?? '' } });
}

/** The views are asked for by the page itself; another one is no reason to load the account anew. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

export default function AccountTransferPage() {
  const shown = useLoaderData<typeof loader>();
  return <AccountTransfer key={shown.id} shown={shown} />;
}

/** TRA for an account at a marketplace: what it answered to the newest price of each article. */
function AccountTransfer({ shown }: { shown: MarketplaceChannel }) {
  const { id, masterid, name, marketplace, active, offers, lastRun } = shown;
  const mayRun = useMay('run');
  const [version, setVersion] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const anew = () => setVersion((now) => now + 1);
  const { run, lost, follow } = useRun(lastRun, anew);
  const underWay = run !== null && isUnderWay(run);
  const sum = useSum(id, version);
  const update = async () => {
    setFailure(null);
    try {
      const { runid } = await call(api.updateChannel, { params: { channel: id } });
      follow(queuedRun(runid, 'prices', id));
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
  };
  return (
    <div className="k-stack">
      <PageHeader
        title={`Übertragung · ${name}`}
        lead="Was der Marktplatz zum neuesten Preis jedes Artikels gesagt hat."
        actions={
          mayRun && (
            <Button
              variant="default"
              disabled={underWay || !active}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => void update()}
            >
              Jetzt abgleichen
            </Button>
          )
        }
      />
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <p className="k-muted">
        {marketplaceName(marketplace)} · {formatCount(offers, 'eigenes Angebot', 'eigene Angebote')} ·{' '}
        <Link to={pathTo(pages.repricer, { masterid })}>Regeln im Repricer</Link>
      </p>
      {!active && <p className="k-card">Das Konto ist pausiert: es fragt nichts ab und sendet nichts.</p>}
      {underWay ? (
        <RunProgress run={run} lost={lost} onChange={follow} mayCancel={mayRun} />
      ) : (
        run !== null && <LastUpdate run={run} />
      )}
      <Counters sum={sum.answer} failed={sum.failure !== null} />
      {sum.answer !== null && <p className="k-muted k-small">{sourceWords(sum.answer)}</p>}
      <Views place={{ id, masterid, prices: true }} version={version} onRetry={anew} />
    </div>
  );
}

function LastUpdate({ run }: { run: Run }) {
  return (
    <p className="k-row" role="status">
      <RunBadge run={run} />
      <span>
        Letzter Abgleich{run.finishedAt !== null && ` vom ${formatTime(run.finishedAt)}`}: {run.message ?? ''}
      </span>
    </p>
  );
}

const sourceWords = ({ source, at, channel }: TransferSum): string =>
  source === 'none' || at === null
    ? 'Über dieses Konto wurde noch kein Preis gesendet. Ein Abgleich fragt alle Angebote ab und entscheidet jeden Preis neu.'
    : `Letzte Antwort von ${channel} vom ${formatTime(at)}. Ein Abgleich entscheidet jeden Preis neu; Abgelehntes wird dabei erneut gesendet, frühestens fünf Minuten nach dem letzten Versuch.`;
