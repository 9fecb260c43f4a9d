import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { InstallationUse } from '#shared/operations/installation-use.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';

type Process = InstallationUse['processes'][number];
const roles: Readonly<Record<Process['role'], string>> = {
  all: 'Seiten und Läufe',
  web: 'Seiten',
  worker: 'Läufe',
};

const columns = (
  onDrain: (one: Process) => void,
  onResume: (one: Process) => void,
): readonly TableColumn<Process>[] => [
  { title: 'Prozess', kind: 'name', cell: ({ name }) => name },
  { title: 'Aufgabe', cell: ({ role }) => roles[role] },
  { title: 'Fassung', cell: ({ program }) => program },
  { title: 'Gestartet', cell: ({ startedAt }) => formatTime(startedAt) },
  { title: 'Zustand', cell: stateOf },
  { title: 'Laufende', kind: 'number', cell: ({ running }) => formatInteger(running) },
  {
    title: 'Leeren',
    kind: 'action',
    cell: (one) => {
      if (one.role === 'web' || !one.answers) return null;
      return one.drained === null ? (
        <Button size="xs" variant="default" onClick={() => onDrain(one)}>
          Leeren …
        </Button>
      ) : (
        <Button size="xs" variant="default" onClick={() => onResume(one)}>
          Wieder beginnen
        </Button>
      );
    },
  },
];

function stateOf({ answers, seenAt, drained, running }: Process): string {
  if (!answers) return `meldet sich nicht seit ${formatTime(seenAt)}`;
  if (drained === null) return 'arbeitet';
  return running === 0
    ? `leer, seit ${formatTime(drained.since)} von ${drained.by}`
    : `beginnt nichts mehr, seit ${formatTime(drained.since)} von ${drained.by}`;
}

/** Processes of this installation, including idle ones; one can be drained before it is stopped. */
export function Processes({ processes }: Pick<InstallationUse, 'processes'>) {
  const [draining, setDraining] = useState<Process | null>(null);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const set = async ({ name }: Process, drained: boolean) => {
    setFailure(null);
    try {
      await call(api.drainProcess, { body: { name, drained } });
      setDraining(null);
      showSaved(drained ? 'Beginnt keine Läufe mehr' : 'Beginnt wieder Läufe');
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  /** The failure shown belongs to the process asked about before. */
  const ask = (one: Process | null) => {
    setFailure(null);
    setDraining(one);
  };
  return (
    <section className="k-card k-stack" aria-labelledby="prozesse">
      <h2 id="prozesse">Prozesse</h2>
      {draining === null && <ErrorNotice failure={failure} />}
      <Table
        stacks
        label="Prozesse"
        columns={columns(ask, (one) => void set(one, false))}
        rows={processes}
        rowId={({ name }) => name}
      />
      <ConfirmDialog
        opened={draining !== null}
        question="Prozess leeren?"
        confirm="Leeren"
        onConfirm={async () => {
          if (draining !== null) await set(draining, true);
        }}
        onClose={() => ask(null)}
      >
        <ErrorNotice failure={failure} />
        <p>
          {draining?.name} beginnt dann keinen neuen Lauf; was er tut, kommt zu seinem Ende. Läuft nichts mehr, können
          Sie ihn beenden, ohne dass ein Lauf von vorn beginnt.
          {processes.filter(takesJobs).length === 1 && ' Es ist der einzige, der Läufe beginnt: alles Weitere wartet.'}
        </p>
      </ConfirmDialog>
    </section>
  );
}

const takesJobs = ({ role, answers, drained }: Process): boolean => role !== 'web' && answers && drained === null;
