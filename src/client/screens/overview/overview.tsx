import { Button } from '@mantine/core';
import IconFileImport from 'virtual:icons/file-import';
import IconPlus from 'virtual:icons/plus';
import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useSearchParams } from 'react-router';
import { api } from '#shared/http/api.ts';
import { askOver } from '#client/call.ts';
import { pages } from '#shared/pages.ts';
import { LiveComponent } from '#client/live-components/live-component.tsx';
import { asking, toPage } from '#client/loading.ts';
import { laterDialog } from '#client/page-load/later-part.tsx';
import { servicesContext } from '#client/server-context.ts';
import { PrintHead } from '#client/shell/print-head.tsx';
import { useReloadAfterRuns } from '#client/shell/live-status.tsx';
import { useMay } from '#client/shell/session.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { attentionOf } from './attention.ts';
import { loadExports } from './load-exports.ts';
import { loadHeld } from './load-held.ts';
import { AttentionList } from './attention-list.tsx';
import { Cockpit } from './cockpit/cockpit.tsx';
import { loadSales, NO_SALES } from './cockpit/load-sales.ts';
import { ExamplesNotice } from './examples-notice.tsx';
import { MasterCard } from './master-card.tsx';
import classes from './overview.module.css';

// Dialogs are loaded on demand, which keeps the start page light.
const CreateMaster = laterDialog(() => import('./create-master.tsx'));
const CreateExport = laterDialog(() => import('./create-export.tsx'));

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  // Users who only ship start on the orders screen.
  const { permissions } = await ask(api.session);
  if (!permissions.includes('read')) throw redirect(pages.orders.path);
  const masters = await ask(api.masters);
  const ids = masters.flatMap((master) => master.exports.map(({ id }) => id));
  const exports = await orPage(args, loadExports(askOver(args.context.get(servicesContext).fetchApi), ids));
  const now = new Date();
  const { sales, failure, bestSellers } = permissions.includes('orders') ? await salesFor(args, now) : NO_SALES;
  const prices = await ask(api.waitingPrices);
  return {
    masters,
    exports,
    held: await loadHeld(args, masters, exports),
    channels: (await ask(api.marketplaceChannels)).channels,
    examples: (await ask(api.examples)).present,
    sales,
    prices,
    salesFailure: failure,
    bestSellers,
    at: now.toISOString(),
  };
}

const salesFor = (args: LoaderFunctionArgs, now: Date) =>
  orPage(args, loadSales(askOver(args.context.get(servicesContext).fetchApi), now));

/** Converts a failed call into what a loader throws. */
async function orPage<Loaded>({ request }: LoaderFunctionArgs, loading: Promise<Loaded>): Promise<Loaded> {
  try {
    return await loading;
  } catch (error) {
    throw toPage(error, request);
  }
}

type Dialog = { kind: 'master' } | { kind: 'export'; masterid: string };

/**
 * The open dialog: opened by a button of this screen, or by the URL (`?katalog=neu`,
 * `?export=<catalogue>`), which then drops the parameter.
 */
function useDialog(mayEdit: boolean) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [search, setSearch] = useSearchParams();
  const masterid = search.get('export');
  const isNew = search.get('katalog') === 'neu';
  useEffect(() => {
    if (masterid === null && !isNew) return;
    if (mayEdit) setDialog(masterid === null ? { kind: 'master' } : { kind: 'export', masterid });
    setSearch({}, { replace: true });
  }, [masterid, isNew, mayEdit, setSearch]);
  return { dialog, setDialog };
}

/** The start page: whether everything runs, and what to do next. */
export default function Overview() {
  const { masters, exports, held, channels, examples, sales, prices, salesFailure, bestSellers, at } =
    useLoaderData<typeof loader>();
  useReloadAfterRuns();
  const mayEdit = useMay('edit');
  const { dialog, setDialog } = useDialog(mayEdit);
  const mayRemove = useMay('admin');
  const create = (label: string) =>
    mayEdit && (
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ kind: 'master' })}>
        {label}
      </Button>
    );
  return (
    <div className={classes.page}>
      <PrintHead />
      <PageHeader
        title="Übersicht"
        lead="Ihre Kataloge, ihre Exporte und was jetzt zu tun ist."
        actions={masters.length > 0 && create('Katalog anlegen')}
      />
      {masters.length === 0 ? (
        <EmptyState icon={IconFileImport} title="Willkommen bei Kontor" action={create('Ersten Katalog anlegen')}>
          Ein Katalog nimmt die Artikel aus Ihrem Shop oder Ihrer Warenwirtschaft auf. Legen Sie den ersten an,
          importieren Sie eine Datei, und geben Sie die Artikel danach an Ihre Marktplätze aus.
        </EmptyState>
      ) : (
        <>
          {salesFailure !== null && <ErrorNotice failure={{ title: 'Fehler beim Laden', message: salesFailure }} />}
          {examples && mayRemove && <ExamplesNotice masters={masters} />}
          <Cockpit sales={sales} exports={exports} at={at} />
          <AttentionList entries={attentionOf({ masters, exports, held, sales, prices })} />
          <h2 className={classes.heading}>Kataloge</h2>
          <ul className={classes.cards}>
            {masters.map((master) => (
              <li key={master.masterid}>
                <MasterCard
                  master={master}
                  exports={exports.filter((entry) => entry.masterid === master.masterid)}
                  channels={channels.filter((entry) => entry.masterid === master.masterid)}
                  onNewExport={mayEdit ? () => setDialog({ kind: 'export', masterid: master.masterid }) : undefined}
                />
              </li>
            ))}
          </ul>
          {bestSellers !== '' && <LiveComponent html={bestSellers} />}
        </>
      )}
      {dialog?.kind === 'master' && <CreateMaster onClose={() => setDialog(null)} />}
      {dialog?.kind === 'export' && (
        <CreateExport
          masterid={dialog.masterid}
          master={masters.find(({ masterid }) => masterid === dialog.masterid)?.name ?? ''}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
