import { Button, NativeSelect } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import IconFileImport from 'virtual:icons/file-import';
import IconListCheck from 'virtual:icons/list-check';
import IconTruckDelivery from 'virtual:icons/truck-delivery';
import IconX from 'virtual:icons/x';
import { type ReactNode, useEffect, useState } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  redirect,
  useLoaderData,
  useNavigation,
  useRevalidator,
  useSearchParams,
} from 'react-router';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import { addressOf as callAddress, askOver, CallError } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { LiveComponent } from '#client/live-components/live-component.tsx';
import { toPage } from '#client/loading.ts';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { servicesContext } from '#client/server-context.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useMay } from '#client/shell/session.ts';
import { formatClock, formatInteger } from '#client/ui/text/formats.ts';
import { BulkShipping } from './bulk/bulk-shipping.tsx';
import { OrderImport } from './bulk/order-import.tsx';
import { TrackingImport } from './bulk/tracking-import.tsx';
import { ItemModal } from './forms/item-form.tsx';
import type { ItemAction } from './forms/item-mode.ts';
import { FilterTabs } from './list/filter-tabs.tsx';
import classes from './list/list.module.css';
import { NoOrders } from './list/no-orders.tsx';
import { type OrdersQuery, pageSizes, readQuery, viewQuery, writeQuery } from './list/orders-query.ts';
import { OrdersTable } from './list/orders-table.tsx';
import { SelectionBar } from './list/selection-bar.tsx';
import { useFocusNear } from './list/use-focus-near.ts';
import { useFreshOrders } from './list/use-fresh-orders.ts';
import { useNow } from './list/use-now.ts';
import { useSelection } from './list/use-selection.ts';

type Loaded = { list: AnswerOf<typeof api.orders> | null; due: string; message: string };

/** If the list cannot be loaded, the page still shows the filters and a red notice. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Loaded | Response> {
  const query = readQuery(new URL(request.url).searchParams);
  const { filter, search, channel, article, page, size } = query;
  try {
    const ask = askOver(context.get(servicesContext).fetchApi);
    const list = await ask(api.orders, {
      query: {
        filter,
        search,
        channel: channel === '' ? undefined : channel,
        ...article,
        offset: page * size,
        limit: size,
      },
    });
    // In sequence: a user who may not see orders should get that message, not one about a missing component.
    const { html: due } = await ask(api.liveComponentFirst, {
      params: { component: 'due-orders' },
      query: { channel },
    });
    const last = Math.max(0, Math.ceil(list.total / size) - 1);
    return page > last ? redirect(addressOf({ ...query, page: last })) : { list, due, message: '' };
  } catch (error) {
    if (!(error instanceof CallError) || [401, 403].includes(error.status)) throw toPage(error, request);
    return { list: null, due: '', message: error.message };
  }
}

function addressOf(query: OrdersQuery): string {
  const text = writeQuery(query).toString();
  return pages.orders.path + (text === '' ? '' : `?${text}`);
}

/** Orders of all channels: what must be shipped first, and the actions on each line. */
export default function OrdersPage() {
  const { list, due, message } = useLoaderData<typeof loader>();
  const [address, setAddress] = useSearchParams();
  const query = readQuery(address);
  const { revalidate } = useRevalidator();
  const busy = useNavigation().state === 'loading';
  const mayOrders = useMay('orders');
  const selection = useSelection(list?.rows);
  const [form, setForm] = useState<ItemAction | null>(null);
  const [bulk, setBulk] = useState<'orders' | 'tracking' | 'file' | null>(null);
  const page = useFocusNear(form?.order, list?.rows ?? []);
  const now = useNow(list?.as_of ?? new Date(0).toISOString());
  useFreshOrders(list?.counters ?? null);
  useEffect(() => {
    if (list === null) logFailure('Fehler beim Laden', message);
  }, [list, message]);
  const requested = readQuery(useAskedAddress());
  const goTo = (changed: Partial<OrdersQuery>) =>
    setAddress(writeQuery({ ...requested, page: 0, ...changed }), { preventScrollReset: true });
  const anew = () => void revalidate();
  return (
    <div ref={page} className={classes.page}>
      <PageHeader
        title="Bestellungen"
        actions={
          <>
            <Button
              component={Link}
              to={pages.pickList.path}
              variant="default"
              leftSection={<IconListCheck size={16} aria-hidden />}
            >
              Pickliste
            </Button>
            {mayOrders && (
              <Button
                variant="default"
                leftSection={<IconFileImport size={16} aria-hidden />}
                onClick={() => setBulk('file')}
              >
                Bestellungen einlesen
              </Button>
            )}
            <Button leftSection={<IconTruckDelivery size={16} aria-hidden />} onClick={() => setBulk('tracking')}>
              Sendungsnummern einlesen
            </Button>
          </>
        }
      />
      {due !== '' && <LiveComponent html={due} />}
      <FilterTabs
        filter={query.filter}
        counters={list?.counters ?? null}
        addressOf={(filter) => addressOf({ ...requested, filter, page: 0 })}
      />
      <Tools query={query} channels={list?.channels ?? []} asOf={list?.as_of} onQuery={goTo}>
        <OrderViews query={query} channels={list?.channels} />
        {list !== null && list.total > 0 && (
          <CsvLink query={query} most={list.total < list.total_most ? null : list.total_most} />
        )}
      </Tools>
      <ErrorNotice failure={list === null ? { title: 'Fehler beim Laden', message } : null} onRetry={anew} />
      {list !== null && list.rows.length === 0 && <NoOrders query={query} onReset={() => setAddress({})} />}
      {list !== null && list.rows.length > 0 && (
        <>
          <OrdersTable rows={list.rows} now={now} busy={busy} selection={selection} onForm={setForm} />
          <Pager
            page={query.page}
            size={query.size}
            total={list.total}
            sizes={pageSizes}
            noun="Bestellungen"
            note={list.total >= list.total_most ? ' (weitere zeigt die Suche)' : undefined}
            onPage={(page) => goTo({ page })}
            onSize={(size) => goTo({ size })}
          />
        </>
      )}
      <SelectionBar selection={selection} onShip={() => setBulk('orders')} />
      <ItemModal action={form} orders={list?.rows ?? []} onDone={anew} onClose={() => setForm(null)} />
      <BulkShipping
        opened={bulk === 'orders'}
        orders={selection.orders}
        onDone={(shipped) => {
          selection.markShipped(shipped);
          anew();
        }}
        onClose={() => setBulk(null)}
      />
      <OrderImport opened={bulk === 'file'} onDone={anew} onClose={() => setBulk(null)} />
      <TrackingImport opened={bulk === 'tracking'} onDone={anew} onClose={() => setBulk(null)} />
    </div>
  );
}

type ToolsProps = {
  query: OrdersQuery;
  channels: readonly { id: string; name: string }[];
  asOf: string | undefined;
  onQuery: (changed: Partial<OrdersQuery>) => void;
  children: ReactNode;
};

function Tools({ query, channels, asOf, onQuery, children }: ToolsProps) {
  // The URL may name a deleted channel: without an option of its own, the select would show 'all channels'.
  const isKnown = query.channel === '' || channels.some(({ id }) => id === query.channel);
  return (
    <div className={classes.tools}>
      <div className={classes.search}>
        <SearchField
          label="Bestell-, Artikel- oder Sendungsnummer"
          search={query.search}
          onSearch={(search) => onQuery({ search })}
        />
      </div>
      {(channels.length > 1 || query.channel !== '') && (
        <NativeSelect
          aria-label="Kanal"
          value={query.channel}
          onChange={({ currentTarget }) => onQuery({ channel: currentTarget.value })}
          data={[
            { value: '', label: 'Alle Kanäle' },
            ...channels.map(({ id, name }) => ({ value: id, label: name })),
            ...(isKnown ? [] : [{ value: query.channel, label: 'Unbekannter Kanal' }]),
          ]}
        />
      )}
      {query.article !== null && (
        <Button
          variant="light"
          size="xs"
          aria-label={`Nur Artikel ${query.article.item}: aufheben`}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => onQuery({ article: null })}
        >
          Artikel {query.article.item}
        </Button>
      )}
      {children}
      {asOf !== undefined && <span className="k-muted k-small">Stand {formatClock(asOf)}</span>}
    </div>
  );
}

/** Downloads the list as it is filtered. `most`: so many orders of it; null: all. */
function CsvLink({ query: { filter, search, channel, article }, most }: { query: OrdersQuery; most: number | null }) {
  return (
    <Button
      component="a"
      href={callAddress(api.ordersCsv, { query: { filter, search, channel, ...article } })}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {most === null ? 'Als CSV exportieren' : `Die ersten ${formatInteger(most)} als CSV exportieren`}
    </Button>
  );
}

/** The list's saved views. `channels`: undefined if not loaded. */
function OrderViews({ query, channels }: { query: OrdersQuery; channels: readonly { id: string }[] | undefined }) {
  const [address, setAddress] = useSearchParams();
  return (
    <SavedViews
      table="orders"
      query={viewQuery(query)}
      opened={query.savedView}
      untouched={address.size === 0}
      fit={(stored) => {
        const view = readQuery(stored);
        const known = view.channel === '' || (channels?.some(({ id }) => id === view.channel) ?? true);
        return { query: viewQuery(known ? view : { ...view, channel: '' }), gone: known ? [] : ['der Kanal'] };
      }}
      onOpen={(view, savedView, replace) =>
        setAddress(writeQuery({ ...readQuery(view), savedView }), { preventScrollReset: true, replace })
      }
    />
  );
}
