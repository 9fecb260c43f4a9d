import { Button } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { MarketplaceChannel } from '#shared/marketplace-accounts/schema.ts';
import { pages } from '#shared/pages.ts';
import type { Run } from '#shared/runs/schema.ts';
import type { TransferSum } from '#shared/transfer/schema.ts';
import { useMarketplaceName } from '#client/marketplaces.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { asking } from '#client/loading.ts';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { RunProgress } from '#client/fields/runs/run-progress.tsx';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Counters } from './counters.tsx';
import { useTransferRun } from './use-transfer-run.ts';
import { Views } from './views.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return asking(args)(api.marketplaceChannel, { params: { id: args.params['id'] ?? '' } });
}

/** The page itself requests the views; changing the view need not reload the account. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) =>
  currentUrl.pathname !== nextUrl.pathname;

export default function AccountTransferPage() {
  const shown = useLoaderData<typeof loader>();
  return <AccountTransfer key={shown.id} shown={shown} />;
}

/** TRA for a marketplace account: its answer to the newest price of each article. */
function AccountTransfer({ shown }: { shown: MarketplaceChannel }) {
  const marketplaceName = useMarketplaceName();
  const { id, masterid, name, marketplace, active, offers, lastRun } = shown;
  const mayRun = useMay('run');
  const { version, anew, run, lost, follow, underWay, starting, sum, failure, forget, start } = useTransferRun(
    { id, lastRun },
    {
      kind: 'prices',
      send: () => call(api.updateChannel, { params: { channel: id } }),
      loadRun: async (signal) => (await call(api.marketplaceChannel, { params: { id }, signal })).lastRun,
    },
  );
  return (
    <div className="k-stack">
      <PageHeader
        title={`Übertragung · ${name}`}
        lead="Was der Marktplatz zum neuesten Preis jedes Artikels gesagt hat."
        actions={
          mayRun && (
            <Button
              variant="default"
              loading={starting}
              disabled={underWay || !active}
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={start}
            >
              Jetzt abgleichen
            </Button>
          )
        }
      />
      <ErrorNotice failure={failure} onClose={forget} />
      <p className="k-muted">
        {marketplaceName(marketplace)} · {formatCount(offers, 'eigenes Angebot', 'eigene Angebote')} ·{' '}
        <Link to={pathTo(pages.repricer, { masterid })}>Regeln im Repricer</Link>
      </p>
      {!active && <p className="k-card">Das Konto ist pausiert: es fragt nichts ab und sendet nichts.</p>}
      {underWay && run !== null ? (
        <RunProgress run={run} lost={lost} onChange={follow} mayCancel={mayRun} />
      ) : (
        run !== null && <LastUpdate run={run} />
      )}
      <Counters sum={sum} words={sourceWords} onRetry={anew} />
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
