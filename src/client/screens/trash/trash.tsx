import { Button } from '@mantine/core';
import IconRestore from 'virtual:icons/restore';
import IconTrash from 'virtual:icons/trash';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { DeletionRecord, TrashEntry } from '#shared/operations/trash.ts';
import { TRASH_DAYS } from '#shared/operations/trash.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { PurgeDialog } from './purge-dialog.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatBytes, formatCount, formatDay, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { Two } from '#client/ui/text/two.tsx';
import { useFailure } from '#client/use-failure.ts';

export const loader = (args: LoaderFunctionArgs) => asking(args)(api.trash);

const kinds = { catalogue: 'Katalog', export: 'Export', company: 'Firma' };

/** Deleted entries that can be restored, and those deleted permanently. */
export default function Trash() {
  const { entries, gone } = useLoaderData<typeof loader>();
  return (
    <div className="k-stack" style={{ maxWidth: 960 }}>
      <PageHeader
        title="Papierkorb"
        lead={`Gelöschte Kataloge und Exporte bleiben hier ${TRASH_DAYS} Tage. Danach werden Daten und Dateien endgültig gelöscht.`}
      />
      {entries.length === 0 ? (
        <EmptyState icon={IconTrash} title="Der Papierkorb ist leer">
          <p>Kataloge löschen Sie auf ihrer Seite „Import“, Exporte in ihren Einstellungen.</p>
        </EmptyState>
      ) : (
        <Entries entries={entries} />
      )}
      {gone.length > 0 && <Gone gone={gone} />}
    </div>
  );
}

function Entries({ entries }: { entries: readonly TrashEntry[] }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [purged, setPurged] = useState<TrashEntry | null>(null);
  const [failure, setFailure] = useFailure();
  const [mayEdit, mayPurge] = [useMay('edit'), useMay('admin')];
  const { revalidate } = useRevalidator();
  const restore = async ({ id, name }: TrashEntry) => {
    setBusy(id);
    setFailure(null);
    try {
      await call(api.restoreTrashed, { params: { id } });
      showSaved(`„${name}“ ist wieder da`);
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Wiederherstellen', error));
    } finally {
      setBusy(null);
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="geloescht">
      <h2 id="geloescht">Gelöscht</h2>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <Table
        stacks
        label="Liste im Papierkorb"
        columns={entryColumns({
          busy,
          mayEdit,
          mayPurge,
          onRestore: (entry) => void restore(entry),
          onPurge: setPurged,
        })}
        rows={entries}
        rowId={({ id }) => id}
      />
      {purged !== null && <PurgeDialog entry={purged} kind={kinds[purged.kind]} onClose={() => setPurged(null)} />}
    </section>
  );
}

type EntryColumnsProps = {
  /** The entry being restored. */
  busy: string | null;
  mayEdit: boolean;
  mayPurge: boolean;
  onRestore: (entry: TrashEntry) => void;
  onPurge: (entry: TrashEntry) => void;
};

const isGoing = ({ daysLeft }: TrashEntry) => daysLeft === 0;

const entryColumns = (props: EntryColumnsProps): readonly TableColumn<TrashEntry>[] => [
  {
    title: 'Name',
    // The restore button is below the name: in a column of its own it would be out of sight on a phone.
    cell: (entry) => (
      <>
        <Trashed entry={entry} />
        {isGoing(entry) ? (
          <div className="k-muted k-small">wird gerade endgültig gelöscht</div>
        ) : (
          <EntryButtons entry={entry} {...props} />
        )}
      </>
    ),
  },
  {
    title: 'Gelöscht',
    cell: ({ trashedAt, trashedBy }) => <Two first={formatTime(trashedAt)} second={`von ${trashedBy}`} />,
  },
  {
    title: 'Bleibt noch',
    cell: ({ daysLeft, goesAt }) => (
      <Two first={formatCount(daysLeft, 'Tag', 'Tage')} second={`bis ${formatDay(goesAt)}`} />
    ),
  },
];

function EntryButtons({
  entry,
  busy,
  mayEdit,
  mayPurge,
  onRestore,
  onPurge,
}: EntryColumnsProps & { entry: TrashEntry }) {
  return (
    <>
      {entry.waitsForCatalogue && <div className="k-muted k-small">erst den Katalog zurückholen</div>}
      <div className="k-row" style={{ gap: 6, marginTop: 6 }}>
        {mayEdit && !entry.waitsForCatalogue && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRestore size={14} aria-hidden />}
            loading={busy === entry.id}
            disabled={busy !== null}
            onClick={() => onRestore(entry)}
          >
            Zurückholen
            <span className="k-hidden"> {entry.name}</span>
          </Button>
        )}
        {mayPurge && (
          <Button size="xs" variant="default" disabled={busy !== null} onClick={() => onPurge(entry)}>
            Endgültig löschen …<span className="k-hidden"> {entry.name}</span>
          </Button>
        )}
      </div>
    </>
  );
}

const nameStyle = { overflowWrap: 'anywhere', minWidth: 160 } as const;

function Trashed({ entry: { kind, name, catalogue, exports } }: { entry: TrashEntry }) {
  return (
    <div style={nameStyle}>
      {kinds[kind]} „{name}“{catalogue !== null && <div className="k-muted k-small">aus „{catalogue}“</div>}
      {exports.length > 0 && (
        <div className="k-muted k-small">
          mit {exports.length === 1 ? 'Export' : 'den Exporten'} {exports.map((one) => `„${one}“`).join(', ')}
        </div>
      )}
    </div>
  );
}

const goneColumns: readonly TableColumn<DeletionRecord>[] = [
  {
    title: 'Was',
    cell: ({ kind, name }) => (
      <div style={nameStyle}>
        {kinds[kind]} „{name}“
      </div>
    ),
  },
  { title: 'Verlangt', cell: ({ askedAt, askedBy }) => <Two first={formatTime(askedAt)} second={`von ${askedBy}`} /> },
  { title: 'Gelöscht', cell: ({ doneAt }) => formatTime(doneAt) },
  { title: 'Datensätze', kind: 'number', cell: ({ rows }) => formatInteger(rows) },
  {
    title: 'Dateien',
    kind: 'number',
    cell: ({ files, bytes }) => <Two first={formatInteger(files)} second={formatBytes(bytes)} />,
  },
];

function Gone({ gone }: { gone: readonly DeletionRecord[] }) {
  return (
    <section className="k-card k-stack" aria-labelledby="endgueltig">
      <h2 id="endgueltig">Endgültig gelöscht</h2>
      <p className="k-muted">Nach jeder Löschung wurde nachgesehen: In Datenbank und Ordnern ist nichts übrig.</p>
      <Table stacks label="Liste der endgültigen Löschungen" columns={goneColumns} rows={gone} rowId={({ id }) => id} />
    </section>
  );
}
