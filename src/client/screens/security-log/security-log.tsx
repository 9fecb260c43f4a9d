import { Button, NativeSelect } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import IconShieldCheck from 'virtual:icons/shield-check';
import { useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import { securityKinds } from '#shared/http/call.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { type SecurityEvent, securityResults } from '#shared/account/security-log.ts';
import { kindLabels, resultLabels } from '#shared/account/security-words.ts';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import { addressOf as callAddress, call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { SavedViews } from '#client/saved-views/saved-views.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { Pager } from '#client/ui/grid/pager.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { Two } from '#client/ui/text/two.tsx';
import { DayFilter } from './day-filter.tsx';
import { namedSubject, namesOf } from './subject-names.ts';
import { filtersOf, type LogQuery, pageSizes, readQuery, viewQuery, writeQuery } from './log-query.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { permissions } = await ask(api.session);
  if (!permissions.includes('admin')) return null;
  const query = readQuery(new URL(args.request.url).searchParams);
  const [log, masters] = await Promise.all([
    ask(api.securityLog, {
      query: { ...filtersOf(query), offset: query.page * query.size, limit: query.size },
    }),
    permissions.includes('read') ? ask(api.masters) : [],
  ]);
  const last = Math.max(0, Math.ceil(log.total / query.size) - 1);
  if (query.page <= last) return { ...log, names: namesOf(masters) };
  // A page beyond the end redirects to the last one.
  const search = writeQuery({ ...query, page: last }).toString();
  throw redirect(pages.securityLog.path + (search === '' ? '' : `?${search}`));
}

/** Who signed in, made tokens, downloaded files or changed security settings; for administrators. */
export default function SecurityLogPage() {
  const log = useLoaderData<typeof loader>();
  const [address, setAddress] = useSearchParams();
  const query = readQuery(address);
  const requested = readQuery(useAskedAddress());
  const goTo = (changed: Partial<LogQuery>, replace = false) =>
    setAddress(writeQuery({ ...requested, page: 0, ...changed }), { preventScrollReset: true, replace });
  if (log === null)
    return (
      <div className="k-stack">
        <PageHeader title="Sicherheitsprotokoll" />
        <p className="k-card">Das Sicherheitsprotokoll sehen nur Inhaber und Administratoren.</p>
      </div>
    );
  return (
    <div className="k-stack">
      <PageHeader
        title="Sicherheitsprotokoll"
        lead="Anmeldungen, Zugänge, Downloads, Freigaben und Änderungen an dem, was Ihre Firma schützt. Einträge bleiben 13 Monate."
        actions={
          <Button
            component="a"
            href={callAddress(api.securityLogCsv, { query: filtersOf(query) })}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Als CSV exportieren
          </Button>
        }
      />
      <Chain chain={log.chain} />
      {log.unknownTries > 0 && (
        <p className="k-card">
          Anmeldeversuche der letzten 30 Tage mit Adressen, zu denen es in dieser Installation kein Konto gibt:{' '}
          {formatInteger(log.unknownTries)}
        </p>
      )}
      {/* What was chosen is shown at once, also while its events are loading. */}
      <Filters query={requested} onChange={goTo} />
      <SavedViews
        table="security-log"
        query={viewQuery(query)}
        opened={query.savedView}
        untouched={query.savedView === '' && query.page === 0 && viewQuery(query).size === 0}
        fit={(stored) => ({ query: viewQuery(readQuery(stored)), gone: [] })}
        onOpen={(view, savedView, replace) => goTo({ ...readQuery(view), savedView }, replace)}
      />
      {log.events.length === 0 ? (
        <EmptyState icon={IconShieldCheck} title="Keine Einträge">
          <p>Zu dieser Auswahl steht nichts im Protokoll.</p>
        </EmptyState>
      ) : (
        <EventTable events={log.events} names={log.names} />
      )}
      <Pager
        page={query.page}
        size={query.size}
        total={log.total}
        sizes={pageSizes}
        onPage={(page) => goTo({ page })}
        onSize={(size) => goTo({ size })}
        noun="Einträgen"
      />
    </div>
  );
}

/** Whether the log is unchanged since it was written. */
function Chain({ chain }: { chain: AnswerOf<typeof api.verifySecurityLog> }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { revalidate } = useRevalidator();
  const verify = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await call(api.verifySecurityLog);
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Laden', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="unversehrt">
      <div className="k-between">
        <h2 id="unversehrt">Unversehrtheit</h2>
        <Button variant="default" loading={busy} onClick={() => void verify()}>
          Jetzt prüfen
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <p role={chain.broken === '' ? 'status' : 'alert'}>
        {chain.verifiedAt === null
          ? 'Noch nicht geprüft; das geschieht jede Nacht.'
          : chain.broken === ''
            ? `Alle Einträge stehen so da, wie sie geschrieben wurden (geprüft ${formatTime(chain.verifiedAt)}).`
            : `${chain.broken} Bitte lassen Sie die Datenbank prüfen (festgestellt ${formatTime(chain.verifiedAt)}).`}
      </p>
    </section>
  );
}

function Filters({ query, onChange }: { query: LogQuery; onChange: (changed: Partial<LogQuery>) => void }) {
  return (
    <div className="k-row" style={{ alignItems: 'end', flexWrap: 'wrap' }} role="search" aria-label="Einträge filtern">
      <NativeSelect
        label="Art"
        value={query.kind ?? ''}
        onChange={({ currentTarget }) => onChange({ kind: securityKinds.find((one) => one === currentTarget.value) })}
        data={[
          { value: '', label: 'Alle' },
          ...securityKinds.map((value) => ({ value: String(value), label: String(kindLabels[value]) })),
        ]}
      />
      <NativeSelect
        label="Ergebnis"
        value={query.result ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ result: securityResults.find((one) => one === currentTarget.value) })
        }
        data={[
          { value: '', label: 'Alle' },
          ...securityResults.map((value) => ({ value: String(value), label: String(resultLabels[value]) })),
        ]}
      />
      <DayFilter label="Von" day={query.from} onDay={(from) => onChange({ from })} />
      <DayFilter label="Bis" day={query.to} onDay={(to) => onChange({ to })} />
      <SearchField label="Person" search={query.person} onSearch={(person) => onChange({ person })} />
    </div>
  );
}

/** Names and addresses may be longer than the column, on paper as well. */
const breaks = { overflowWrap: 'anywhere' } as const;

/** Few columns, with two values in most of them: with six, the texts had no room on a tablet. */
const columnsWith = (names: ReadonlyMap<string, string>): readonly TableColumn<SecurityEvent>[] => [
  { title: 'Zeit', cell: ({ at }) => formatTime(at) },
  { title: 'Art', cell: ({ kind, result }) => <Two first={kindLabels[kind]} second={resultLabels[result]} /> },
  {
    title: 'Wer',
    cell: ({ actor, address }) => (
      <div style={breaks}>
        <Two first={actor === '' ? 'nicht angemeldet' : actor} second={address === '' ? '' : `IP-Adresse ${address}`} />
      </div>
    ),
  },
  {
    title: 'Was',
    cell: ({ what, subject }) => (
      // The ids remain as the title.
      <div style={breaks} title={subject === '' ? undefined : subject}>
        <Two first={what} second={namedSubject(subject, names)} />
      </div>
    ),
  },
];

type EventTableProps = { events: readonly SecurityEvent[]; names: ReadonlyMap<string, string> };

const EventTable = ({ events, names }: EventTableProps) => (
  <Table
    label="Einträge des Sicherheitsprotokolls"
    stacks
    columns={columnsWith(names)}
    rows={events}
    rowId={({ number }) => String(number)}
  />
);
